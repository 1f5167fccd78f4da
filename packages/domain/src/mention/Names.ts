import { fold } from "@sightline/domain/text/Fold"
import { isLegalForm } from "./LegalForm.ts"
import { brandKey, hasKnownBrand, isNameLike, wordsOf } from "./Naming.ts"
import { hanNumerals } from "@sightline/domain/text/Letters"
import { brandsJoined, isEnglishWord, isKnownBrand, isOrdinaryWord, lettersOf } from "@sightline/domain/text/Vocabulary"

/** A name in running text. Units: offsets in the text as written. */
export interface Name {
  readonly key: string
  readonly from: number
  readonly to: number
}

const joinedBrand = `(?:${brandsJoined.join("|").replaceAll("'", "['’]")})`

// Marks belong to a word, so that a decomposed name is one name and not its pieces; "hOme" and "120Hz" begin none.
const capital = "\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’&+]*(?:-[\\p{L}\\p{M}\\p{Nd}]+)*"
const capitalised = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{Nd}])(?:${joinedBrand}(?![\\p{L}\\p{M}\\p{Nd}])|` +
    `${capital}(?:\\.(?:com|co|io|ai|net|org)(?![\\p{L}.]))?(?:[ ](?!${joinedBrand})${capital}){0,3})`,
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

/** Where a written name ends without an owner's s, unless that belongs to it: "Zentra Desk's", "Trader Joe's". */
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

// "Apple and Samsung", "Target's", "Slack offers": what follows shows that the capital is not the sentence's.
const actsAsName = (text: string, to: number): boolean =>
  /^(?:['’]s\s|,?\s(?:and|or|&)\s\p{Lu}|,\s\p{Lu}|\s(?:is|was|has|does|can|will|offers|makes|sells|keeps|costs|gives|comes|leads|wins|ranks|remains|charges|provides)\s)/u.test(
    text.slice(to, to + 12)
  )

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

const followsInSentence = /(?:(?<!\p{L})\p{Ll}[\p{L}'’]*,?|[,>])\s$/u

/** Whether a well-known brand that is an ordinary word begins a longer name: "the Apple Watch", "Apple Watch is". */
const beginsName = (text: string, from: number, to: number): boolean =>
  followsInSentence.test(text.slice(Math.max(0, from - 24), from)) || actsAsName(text, to)

/**
 * What a capitalised run names. `perhaps` is a well-known brand that is an ordinary word as well (Google, Discover): it is
 * meant where the text names it elsewhere without leaving a doubt, or says all of the run once more, where that goes on behind it (`run`).
 */
interface Reading {
  readonly name?: Name
  readonly perhaps?: Name
  readonly run?: string
}

/** Reads a capitalised run without the ordinary words a sentence begins with. */
const readingOf = (run: string, from: number, text: string): Reading => {
  const words = run.split(" ")
  const folded = words.map(foldWord)
  const named = (key: string, first: number, last: number): Name => {
    const start = from + words.slice(0, first).reduce((length, word) => length + word.length + 1, 0)
    return { key, from: start, to: start + endOfName(words.slice(first, last).join(" ")) }
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
  const key = brandKey(left.map((word, at) => word + (closingSign.exec(words[first + at] ?? "")?.[0] ?? "")).join(" "))
  const known = hasKnownBrand(left.join(" "))
  const acronym = left.length === 1 && letters.length <= 5 && words[first] === words[first]?.toUpperCase()
  if (!known && (acronym || left.every(isEnglishWord))) return doubt
  const name = named(key, first, words.length)
  if (!isOrdinaryWord(letters) || !opensSentence(text, from) || actsAsName(text, from + run.length))
    return { ...doubt, name }
  return opening < 0 ? { perhaps: name } : doubt
}

/** The capitalised names of a text that recur or are known to the world as brands, wherever they stand. */
export const recurringNames = (text: string): ReadonlyArray<Name> => {
  const readings: Array<Reading> = []
  const counts = new Map<string, number>()
  for (const match of text.matchAll(capitalised)) {
    const reading = readingOf(match[0], match.index, text)
    readings.push(reading)
    for (const said of [reading.name?.key, reading.run])
      if (said !== undefined) counts.set(said, (counts.get(said) ?? 0) + 1)
  }
  const isMeant = ({ perhaps, run }: Reading): boolean =>
    (perhaps !== undefined && counts.has(perhaps.key)) || (run !== undefined && (counts.get(run) ?? 0) > 1)
  return readings
    .flatMap((reading) => (isMeant(reading) ? reading.perhaps : reading.name) ?? [])
    .filter(({ key, from, to }) => (counts.get(key) ?? 0) > 1 || hasKnownBrand(text.slice(from, to)))
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

const reach = 300
const item =
  `(?:${joinedBrand}|` +
  "\\p{Lu}[^\\s,;、，。.:()]*(?:\\.(?:com|co|io|ai|net|org))?(?:[ ][\\p{Lu}\\p{Nd}][^\\s,;、，。.:()]*){0,3}|[\\p{Ll}]+\\p{Lu}[^\\s,;]*)(?:\\s\\([^)\\n]{0,40}\\))?"
// "And" and "or" as European languages have them, and "versus".
const joint = "and|or|&|vs\\.?|versus|y|o|und|oder|et|ou|e|en|och|og|i|oraz|и|или"
const series = new RegExp(
  `(?:${item}[*_]{0,2}[,;]\\s+[*_]{0,2}){0,24}${item}[*_]{0,2},?\\s+(?:${joint})\\s+[*_"“]{0,3}$|(?:${item}[*_]{0,2}[,;]\\s+[*_]{0,2}){1,24}["“]?$`,
  "u"
)
const unspacedSeries =
  /(?:[^\s、，,。：:（）()]{1,16}[、，]){1,24}$|(?:[^\s、，,。：:（）()]{1,16}[、，]){0,24}[^\s、，,。：:（）()]{1,16}(?:和|及|以及|と|や)$/u

// Scripts with spaces and without capitals: Korean joins by a particle too, Hindi by a word.
const caselessJoint = "및|또는|그리고|और|या"
const caselessItem = "[\\p{Lo}\\p{M}\\p{Nd}]{1,24}"
const caselessSeries = new RegExp(
  `(?:${caselessItem}[,،]\\s+){1,24}$|(?:${caselessItem}[,،]\\s+){0,24}${caselessItem}(?:[와과]\\s+|[,،]?\\s+(?:${caselessJoint})\\s+)$`,
  "u"
)

const between = new RegExp(`([,;、，،]|\\s(?:${joint}|${caselessJoint})\\s|[와과]\\s|[和及とや]$)`, "u")
// How every series ends that goes on; most names follow no such thing.
const goesOn = new RegExp(`(?:[,;、，،와과和及とや]|\\s(?:${joint}|${caselessJoint}))[\\s*_"“]*$`, "u")

// 가볍고, 서울에서는, …: what ends in a verb's or a topic's ending is a clause of its own.
const koreanClause = /[가-힣]{2}(?:고|며|면|는|은|을|를|에|도|서|만)$/u

/** Whether a part is the number before a name, as the same sign follows it: 二、小米. */
const isNumeral = (part: string): boolean => part.length === 1 && hanNumerals.includes(part)

const opensQuote = /[「『]/
const inQuotes = /[「『]([^「」『』]+)[」』]/

// "Among airlines in the UK, Emirates …": where something is, and no part of a series.
const leadsToPlace = /\b(?:in|across|within|throughout|outside)\s(?:the\s)?$/iu
const longestLead = 16

/** Whether a part is a place that a sentence opens with, before the name it is about. */
const isPlace = (text: string, at: number, name: string): boolean =>
  leadsToPlace.test(text.slice(Math.max(0, at - longestLead), at)) &&
  (/^\p{Lu}{2,4}$/u.test(name) || wordsOf(name).every(isEnglishWord))

/** The names counted up just before a place, as in "Acme, Bolt and …": a list within a sentence. */
export const namesBefore = (text: string, before: number): ReadonlyArray<Name> => {
  const at = opensQuote.test(text.charAt(before - 1)) ? before - 1 : before
  const near = text.slice(Math.max(0, at - reach), at)
  const from = Math.max(near.lastIndexOf("\n"), near.lastIndexOf("。")) + 1
  const line = near.slice(from)
  if (!goesOn.test(line)) return []
  const match = series.exec(line) ?? unspacedSeries.exec(line) ?? caselessSeries.exec(line)
  if (match === null) return []
  const names: Array<Name> = []
  let offset = at - near.length + from + match.index
  // 人気のイヤホンは、… : what ends in a topic particle leads in to the series.
  const leadIn = /^.*[はがもでに][、，]/u.exec(match[0])?.[0].length ?? 0
  for (const [index, part] of match[0].split(between).entries()) {
    const quoted = inQuotes.exec(part)?.[1]
    // と also says what somebody said or found, before a name in quotes.
    const written = quoted ?? (at < before ? "" : part.replace(/\([^)]*\)|\[[^\]]*\]/g, "").trim())
    // All words of "Both 3M" may be ordinary ones.
    const name = written.replace(/^(?:Both|Either|Neither)\s/, "")
    const isNamed = isNameLike(name) && !koreanClause.test(name) && !isNumeral(name) && !isPlace(text, offset, name)
    if (index % 2 === 0 && offset >= at - match[0].length + leadIn && isNamed) {
      // "Both Acme and Bolt": the sentence's first words are no part of the name.
      const key = brandKey(name)
      const read = hasKnownBrand(name) ? undefined : readingOf(name, offset + part.indexOf(name), text).name
      names.push(read ?? { key, from: offset, to: offset + part.length })
    }
    offset += part.length
  }
  return names
}
