import type { Capitals } from "@sightline/domain/text/Capitals"
import { fold } from "@sightline/domain/text/Fold"
import { isInPassing, isInPassingNonEnglish } from "./InPassing.ts"
import { isLegalForm } from "./LegalForm.ts"
import { capitalisedRuns } from "./Runs.ts"
import { brandKey, brandLetters, hasKnownBrand } from "./Naming.ts"
import { memoize } from "@sightline/domain/text/Memoize"
import { isEnglishWord, isKnownBrand, isOrdinaryWord, lettersOf } from "@sightline/domain/text/Vocabulary"

/** A name in running text. Units: offsets in the text as written. */
export interface Name {
  readonly key: string
  readonly from: number
  readonly to: number
}

// The possessive s, and the endings that Turkish adds after an apostrophe: Acme's, Acme'nin.
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

// Verbs that have brands as their subject.
const doings =
  "adds|allows|beats|becomes|begins|brings|builds|bundles|calls|charges|comes|costs|covers|deserves|does|excels|feels|fits|focuses|gets|gives|goes|handles|has|" +
  "helps|holds|includes|is|keeps|knows|lacks|lags|lasts|leads|lets|looks|makes|needs|offers|owes|owns|pays|prices|provides|publishes|puts|ranks|remains|requires|" +
  "roasts|runs|scores|sells|sends|serves|shines|ships|sits|sounds|stands|starts|stays|suits|supports|takes|tends|throws|treats|turns|uses|wants|was|weighs|wins|works"

// "Apple and Samsung", "Target's", "Slack offers": what follows shows that the capital does not come from the start of a sentence.
const acts = new RegExp(
  `^(?:['’]s\\s|,?\\s(?:and|or|&)\\s\\p{Lu}|,\\s\\p{Lu}|\\s(?:can|could|may|might|will|would|${doings})\\s)`,
  "u"
)
const actsAsName = (text: string, to: number): boolean => acts.test(text.slice(to, to + 12))

// Also after the marks of a list, a heading or a cell.
const opensLine = /(?:^|[.!?:\n]|\d\))[\s"“*_#>|()[\]•–-]*$/u
// "**Target** – cheap", "| Target |", "Apple MacBook": the word stands alone, or begins a longer name.
const standsAlone = /^[*_"”’\])]*(?:\s*(?:[:(|\n–—]|-\s)|$)|^ [\p{Lu}\d]/u

/** Whether an ordinary word at `[from, to)` is capitalised as a name, and not as the first word of a sentence. */
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
 * What a capitalised run names. `perhaps` is a well-known brand that is an ordinary word as well (Google, Discover). It counts where the
 * text clearly names it elsewhere, or repeats the whole run from it on (`run`).
 */
export interface Reading {
  readonly name?: Name
  readonly perhaps?: Name
  readonly run?: string
}

/** A name in a run. Units: offsets in it. */
type Part = Name

/** What the words of a run say by themselves, without their context. */
interface Parts {
  /** All of it: "Fiddle & Bow", "Tony's Chocolonely". */
  readonly whole?: Part
  /** A well-known brand among the ordinary words at its start; `goesOn` is whether more words follow. */
  readonly opener?: Part
  readonly goesOn?: boolean
  /** The run from that brand on, where words follow it that are not ordinary. */
  readonly run?: string
  /** The rest after these words, where it may be a name; `isOrdinary` is whether it is an ordinary word as well. */
  readonly name?: Part
  readonly isOrdinary?: boolean
}

const longestAcronym = 5

const nameLeft = (run: string, words: ReadonlyArray<string>, left: ReadonlyArray<string>): string | undefined => {
  const letters = left.join("")
  if (letters === "" || (left.length === 1 && isLegalForm(letters))) return undefined
  const brand = brandLetters(left)
  const known = isKnownBrand(brand)
  const [opening = ""] = words
  const acronym = left.length === 1 && letters.length <= longestAcronym && opening === opening.toUpperCase()
  if (!known && (acronym || left.every(isEnglishWord))) return undefined
  if (!run.includes("+")) return brand
  return brandKey(left.map((word, at) => word + (closingSign.exec(words[at] ?? "")?.[0] ?? "")).join(" "))
}

/** Reads a run of one word of plain letters, the most frequent kind. */
const partsOfWord = (word: string): Parts => {
  const letters = word.toLowerCase()
  const isOrdinary = isOrdinaryWord(letters)
  const isKnown = isKnownBrand(letters)
  if (isLegalForm(letters) || (isOrdinary && !isKnown)) return {}
  const isAcronym = letters.length <= longestAcronym && word === word.toUpperCase()
  if (!isKnown && (isAcronym || isEnglishWord(letters))) return {}
  return { name: { key: letters, from: 0, to: word.length }, isOrdinary }
}

/** Reads a capitalised run without the ordinary words a sentence begins with. */
const partsOf = (run: string): Parts => {
  if (plainWord.test(run)) return partsOfWord(run)
  const words = run.split(" ")
  const folded = words.map(foldWord)
  const part = (key: string, first: number, last: number): Part => {
    const from = words.slice(0, first).reduce((length, word) => length + word.length + 1, 0)
    return { key, from, to: from + endOfName(words.slice(first, last).join(" ")) }
  }
  const isOwned = words.length > 1 && /['’]s$/u.test(words[0] ?? "") && !isKnownBrand(folded[0] ?? "")
  if (isOwned || words.includes("&")) return { whole: part("", 0, words.length) }
  let first = 0
  while (
    first < words.length &&
    !isKnownBrand(folded.slice(first).join("")) &&
    isOrdinary(words[first] ?? "", folded[first] ?? "")
  )
    first++
  const opening = folded.slice(0, first).findIndex(isKnownBrand)
  const left = folded.slice(first)
  const key = nameLeft(run, words.slice(first), left)
  return {
    ...(opening >= 0 && {
      opener: part(folded[opening] ?? "", opening, opening + 1),
      goesOn: opening + 1 < words.length
    }),
    ...(opening >= 0 && opening === first - 1 && first < words.length && { run: folded.slice(opening).join(" ") }),
    ...(key !== undefined && { name: part(key, first, words.length), isOrdinary: isOrdinaryWord(left.join("")) })
  }
}

/** What a run at `from` names, given its parts. */
export const readingOf = (run: string, from: number, text: string, parts: Parts = partsOf(run)): Reading => {
  const here = ({ key, from: first, to }: Part): Name => ({ key, from: from + first, to: from + to })
  // "Nothing makes it better", and the month, unless a sentence is about August.
  if (run === "August" || (run === "Nothing" && opensSentence(text, from))) return {}
  if (parts.whole !== undefined) {
    const name = here(parts.whole)
    return { name: { ...name, key: brandKey(text.slice(name.from, name.to)) } }
  }
  const opener = parts.opener && here(parts.opener)
  if (opener !== undefined && parts.goesOn === true && beginsName(text, opener.from, from + run.length))
    return { name: opener }
  const doubt = opener === undefined ? {} : { perhaps: opener, ...(parts.run !== undefined && { run: parts.run }) }
  if (parts.name === undefined) return doubt
  const name = here(parts.name)
  if (parts.isOrdinary !== true || !opensSentence(text, from) || actsAsName(text, from + run.length))
    return opener === undefined ? { name } : { ...doubt, name }
  return opener === undefined ? { perhaps: name } : doubt
}

/** The names among some readings that recur or are well-known brands. */
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

/** Names that recur in a text or are well-known brands. */
export interface Recurring {
  /** Those that are not mentioned in passing. */
  readonly meant: ReadonlyArray<Name>
  /** All of them, for texts that name nothing else. */
  readonly all: () => ReadonlyArray<Name>
}

/** The capitalised names of a text that recur or are well-known brands, at any place in it. `inEnglish` tells the language of a place. */
export const recurringNames = (text: string, capitals: Capitals, inEnglish: (at: number) => boolean): Recurring => {
  const parts = memoize(partsOf)
  // Most runs name nothing, so what stands before them is not read.
  const runs = capitalisedRuns(text, capitals)
    .map(({ from, run }) => ({ from, reading: readingOf(run, from, text, parts(run)) }))
    .filter(({ reading: { name, perhaps } }) => name !== undefined || perhaps !== undefined)
  const meant = runs.filter(
    ({ from, reading: { name, perhaps } }) =>
      !isInPassing(text, from, (name ?? perhaps)?.to ?? from) && (inEnglish(from) || !isInPassingNonEnglish(text, from))
  )
  return { meant: certain(meant, text), all: () => certain(runs, text) }
}

const article =
  /(?<!\p{L})(?:der|die|das|den|dem|des|eine?[nmrs]?|dies\p{Ll}+|jede[nrms]?|alle[nr]?|vielen?|keine?[nmr]?|[mds]eine?[nmr]?|ihre?[nmr]?)\s$/u
const longestOpener = 4
// Well-known brands that are nouns of German, or that open sentences of Italian and Spanish: "die beste Wahl", "Costa poco".
const homonyms = new Set(
  (
    "wahl teams segment signal orange tiger nest champion monster orient global ring vans boots ego mango avocado thermos genesis mini " +
    "corona costa lee grado"
  ).split(" ")
)

/** Whether a name is one of the well-known brands that are common words in other languages than English. */
export const isHomonym = (text: string, { from, to }: Name): boolean => homonyms.has(text.slice(from, to).toLowerCase())

/**
 * Whether a recurring or well-known name in a text of another language is an ordinary word: one that follows a German article ("die
 * Geräte"), or one that only opens sentences and is short or has a meaning of its own ("Si viajas").
 */
export const isWordNonEnglish = (text: string, name: Name): boolean => {
  const { from, to } = name
  const word = text.slice(from, to)
  const mayMean = isHomonym(text, name)
  if (hasKnownBrand(word) && !mayMean) return false
  let opens = true
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    if (article.test(text.slice(Math.max(0, at - 12), at))) return true
    opens &&= opensSentence(text, at)
  }
  return opens && (mayMean || word.length <= longestOpener)
}
