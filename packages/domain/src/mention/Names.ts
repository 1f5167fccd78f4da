import { fold } from "@sightline/domain/text/Fold"
import { isInPassing, isInPassingElsewhere } from "./InPassing.ts"
import { isLegalForm } from "./LegalForm.ts"
import { brandKey, brandLetters, hasKnownBrand } from "./Naming.ts"
import { brandsJoined, isEnglishWord, isKnownBrand, isOrdinaryWord, lettersOf } from "@sightline/domain/text/Vocabulary"

/** A name in running text. Units: offsets in the text as written. */
export interface Name {
  readonly key: string
  readonly from: number
  readonly to: number
}

/** A well-known brand with small words or an ampersand within: alternatives of a regular expression. */
export const joinedBrand = `(?:${brandsJoined.join("|").replaceAll("'", "['’]")})`

/**
 * What a capital may be, as far as ASCII tells it: a pattern that asks for this first passes over most of a text for little, where what
 * Unicode takes for a letter is dear to ask of each place, tenfold beside one typographic quote.
 */
export const maybeCapital = "[^\\0-@[-\\x7f]"

// Marks belong to a word, so that a decomposed name is one name and not its pieces; "hOme" and "120Hz" begin none.
const capital = "\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’&+]*(?:-[\\p{L}\\p{M}\\p{Nd}]+)*"
const capitalised = new RegExp(
  `(?=${maybeCapital})(?<![\\p{L}\\p{M}\\p{Nd}])(?:${joinedBrand}(?![\\p{L}\\p{M}\\p{Nd}])|` +
    `${capital}(?:\\.(?:com|co|io|ai|net|org)(?![\\p{L}.]))?(?:[ ](?:&[ ])?(?!${joinedBrand})${capital}){0,3})`,
  "gu"
)

// Owner's s, and the endings that Turkish adds behind an apostrophe: Acme's, Acme'nin.
const possessive = /['’]\p{Ll}{1,4}$/u
const closingSign = /[+#]+$/
const plainWord = /^[A-Za-z]+$/

/** The letters of a word without its possessive, unless that belongs to the name: Wendy's. */
const foldWord = (word: string): string => {
  if (plainWord.test(word)) return word.toLowerCase()
  const letters = lettersOf(fold(word).text)
  const ending = isKnownBrand(letters) ? undefined : possessive.exec(word)?.[0]
  return ending === undefined ? letters : lettersOf(fold(word.slice(0, -ending.length)).text)
}

/** Where a written name ends without an owner's s, unless that belongs to it: "Zentra Desk's", "McDonald's". */
const endOfName = (written: string): number => {
  const ending = possessive.exec(written)?.[0]
  return ending === undefined || isKnownBrand(lettersOf(fold(written).text))
    ? written.length
    : written.length - ending.length
}

/** Whether a word is ordinary English, or made of ordinary words: Long-term. */
const isOrdinary = (word: string, folded: string): boolean =>
  isOrdinaryWord(folded) ||
  // "I'd".
  /^I['’]/u.test(word) ||
  (word.includes("-") && word.split("-").every((part) => isOrdinaryWord(foldWord(part))))

const opensSentence = (text: string, at: number): boolean =>
  /(?:^|[.!?:\n])[\s"“*_]*$/u.test(text.slice(Math.max(0, at - 6), at))

// What sentences say of brands that they do.
const doings =
  "adds|allows|beats|becomes|begins|brings|builds|bundles|calls|charges|comes|costs|covers|deserves|does|excels|feels|fits|focuses|gets|gives|goes|handles|has|" +
  "helps|holds|includes|is|keeps|knows|lacks|lags|lasts|leads|lets|looks|makes|needs|offers|owes|owns|pays|prices|provides|publishes|puts|ranks|remains|requires|" +
  "roasts|runs|scores|sells|sends|serves|shines|ships|sits|sounds|stands|starts|stays|suits|supports|takes|tends|throws|treats|turns|uses|wants|was|weighs|wins|works"

// "Apple and Samsung", "Target's", "Slack offers": what follows shows that the capital is not the sentence's.
const acts = new RegExp(
  `^(?:['’]s\\s|,?\\s(?:and|or|&)\\s\\p{Lu}|,\\s\\p{Lu}|\\s(?:can|could|may|might|will|would|${doings})\\s)`,
  "u"
)
const actsAsName = (text: string, to: number): boolean => acts.test(text.slice(to, to + 12))

// Also behind the marks of a list, a heading or a cell.
const opensLine = /(?:^|[.!?:\n]|\d\))[\s"“*_#>|()[\]•–-]*$/u
// "**Target** – cheap", "| Target |", "Apple MacBook": it is all that is said there, or begins a longer name.
const standsAlone = /^[*_"”’\])]*(?:\s*(?:[:(|\n–—]|-\s)|$)|^ [\p{Lu}\d]/u

/** Whether an ordinary word at `[from, to)` has its capital as a name has it, and not as a sentence's first word. */
export const isWrittenAsName = (text: string, from: number, to: number): boolean =>
  !opensLine.test(text.slice(Math.max(0, from - 8), from)) ||
  actsAsName(text, to) ||
  standsAlone.test(text.slice(to, to + 12))

/** Whether a name at `[from, to)` is not a part of a longer one, such as a person's or a place's: Jack Welch, Culver City. */
export const isNamedAlone = (text: string, from: number, to: number): boolean =>
  !/\p{Lu}[\p{L}.'’]*\s$/u.test(text.slice(Math.max(0, from - 24), from)) &&
  !/^\s\p{Lu}(?!o(?:mpany|rp|\b)|nc\b)/u.test(text.slice(to, to + 10))

const followsInSentence = /(?:(?<!\p{L})\p{Ll}[\p{L}'’]*,?|[,>])\s[*_]{0,3}$/u

/** Whether a well-known brand that is an ordinary word begins a longer name: "the Apple Watch", "Apple Watch is". */
const beginsName = (text: string, from: number, to: number): boolean =>
  followsInSentence.test(text.slice(Math.max(0, from - 24), from)) || actsAsName(text, to)

/**
 * What a capitalised run names. `perhaps` is a well-known brand that is an ordinary word as well (Google, Discover): it is
 * meant where the text names it elsewhere without leaving a doubt, or says all of the run once more, where that goes on behind it (`run`).
 */
export interface Reading {
  readonly name?: Name
  readonly perhaps?: Name
  readonly run?: string
}

/** Reads a capitalised run without the ordinary words a sentence begins with. */
export const readingOf = (run: string, from: number, text: string): Reading => {
  const words = run.split(" ")
  const folded = words.map(foldWord)
  const named = (key: string, first: number, last: number): Name => {
    const start = from + words.slice(0, first).reduce((length, word) => length + word.length + 1, 0)
    return { key, from: start, to: start + endOfName(words.slice(first, last).join(" ")) }
  }
  // "Nothing makes it better."
  if (run === "Nothing" && opensSentence(text, from)) return {}
  // "Fiddle & Bow", "Tony's Chocolonely".
  const isOwned = words.length > 1 && /['’]s$/u.test(words[0] ?? "") && !isKnownBrand(folded[0] ?? "")
  if (isOwned || words.includes("&")) {
    const name = named("", 0, words.length)
    return { name: { ...name, key: brandKey(text.slice(name.from, name.to)) } }
  }
  let first = 0
  while (
    first < words.length &&
    !isKnownBrand(folded.slice(first).join("")) &&
    isOrdinary(words[first] ?? "", folded[first] ?? "")
  )
    first++
  const opening = folded.slice(0, first).findIndex(isKnownBrand)
  const opener = opening < 0 ? undefined : named(folded[opening] ?? "", opening, opening + 1)
  if (opener !== undefined && opening + 1 < words.length && beginsName(text, opener.from, from + run.length))
    return { name: opener }
  const goesOnBehind = opening === first - 1 && first < words.length
  const doubt =
    opener === undefined ? {} : { perhaps: opener, ...(goesOnBehind && { run: folded.slice(opening).join(" ") }) }
  const left = folded.slice(first)
  const letters = left.join("")
  if (letters === "" || (left.length === 1 && isLegalForm(letters))) return doubt
  const brand = brandLetters(left)
  const key = run.includes("+")
    ? brandKey(left.map((word, at) => word + (closingSign.exec(words[first + at] ?? "")?.[0] ?? "")).join(" "))
    : brand
  const known = isKnownBrand(brand)
  const acronym = left.length === 1 && letters.length <= 5 && words[first] === words[first]?.toUpperCase()
  if (!known && (acronym || left.every(isEnglishWord))) return doubt
  const name = named(key, first, words.length)
  if (!isOrdinaryWord(letters) || !opensSentence(text, from) || actsAsName(text, from + run.length))
    return { ...doubt, name }
  return opening < 0 ? { perhaps: name } : doubt
}

const areTwo = (run: string): boolean =>
  run.includes(" & ") && run.split(" & ").every(hasKnownBrand) && !isKnownBrand(lettersOf(fold(run).text))

const articleElsewhere = /^(?:Der|Die|Das|Den|Dem|El|La|Los|Las|Le|Les|Il|Lo|Het|De|Os|As) (?=[\p{Lu}\d])/u

/** How long the article of another language is that a sentence puts before a well-known brand: "Der Michelin Alpin", not "La Roche-Posay". */
const articleOf = (run: string): number => {
  const article = articleElsewhere.exec(run)?.[0].length ?? 0
  return article > 0 && hasKnownBrand(run.slice(article)) && !hasKnownBrand(run) ? article : 0
}

/** The capitalised runs of a text; well-known brands that an ampersand joins are two. */
const runsIn = function* (text: string) {
  for (const { 0: run, index: from } of text.matchAll(capitalised)) {
    const article = articleOf(run)
    if (areTwo(run)) for (const part of run.split(" & ")) yield { run: part, from: from + run.indexOf(part) }
    else yield { run: run.slice(article), from: from + article }
  }
}

/** The names among what some runs are read as that recur or that the world knows. */
const certain = (runs: ReadonlyArray<{ readonly reading: Reading }>, text: string): ReadonlyArray<Name> => {
  const counts = new Map<string, number>()
  for (const { reading } of runs)
    for (const said of [reading.name?.key, reading.run])
      if (said !== undefined) counts.set(said, (counts.get(said) ?? 0) + 1)
  const isMeant = ({ perhaps, run }: Reading): boolean =>
    (perhaps !== undefined && counts.has(perhaps.key)) || (run !== undefined && (counts.get(run) ?? 0) > 1)
  return runs
    .flatMap(({ reading }) => (isMeant(reading) ? reading.perhaps : reading.name) ?? [])
    .filter(({ key, from, to }) => (counts.get(key) ?? 0) > 1 || hasKnownBrand(text.slice(from, to)))
}

/** Names that recur in a text or that the world knows as brands. */
export interface Recurring {
  /** Those that stand there other than in passing. */
  readonly meant: ReadonlyArray<Name>
  /** All of them: what is meant where nothing else is named. */
  readonly all: () => ReadonlyArray<Name>
}

/** The capitalised names of a text that recur or are known to the world as brands, wherever they stand. */
export const recurringNames = (text: string, inEnglish: boolean): Recurring => {
  const runs = Array.from(runsIn(text), ({ from, run }) => ({ from, reading: readingOf(run, from, text) }))
  const meant = runs.filter(
    ({ from, reading: { name, perhaps } }) =>
      !isInPassing(text, from, (name ?? perhaps)?.to ?? from) && (inEnglish || !isInPassingElsewhere(text, from))
  )
  return { meant: certain(meant, text), all: () => certain(runs, text) }
}

const article =
  /(?<!\p{L})(?:der|die|das|den|dem|des|eine?[nmrs]?|dies\p{Ll}+|jede[nrms]?|alle[nr]?|vielen?|keine?[nmr]?|[mds]eine?[nmr]?|ihre?[nmr]?)\s$/u
const longestOpener = 4

/**
 * Whether a name that recurs in a text of another language is a word of it: what German has behind an article ("die Geräte"), or a short word
 * that only opens sentences ("Si viajas").
 */
export const isWordElsewhere = (text: string, { from, to }: Name): boolean => {
  const word = text.slice(from, to)
  if (hasKnownBrand(word)) return false
  let opens = true
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    if (article.test(text.slice(Math.max(0, at - 12), at))) return true
    opens &&= opensSentence(text, at)
  }
  return opens && word.length <= longestOpener
}
