import { isLetter, unitsOf } from "@sightline/domain/text/Letters"
import {
  hasKnownBrand,
  isAward,
  isLabelNonEnglish,
  isNameLike,
  isPurpose,
  isTitle,
  wordsOf
} from "@sightline/domain/mention/Naming"
import { isDictionaryWord, isEnglishWord, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

/**
 * A place where a structured answer puts the name of what it describes next.
 *
 * Units: offsets in the text as written; `number` is the ordinal printed before it, if any.
 */
export interface Head {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly number: number | undefined
  /** False for headings and attributes ("Pros", "Best overall"), which name no brand. */
  readonly isName: boolean
  /** Which list of the answer it is an item of; 0 for its headings. */
  readonly list?: number
  /** The nesting depth of its line, where it is an item or a heading. */
  readonly level?: number
  /** The start of the table whose column of places gives the number. */
  readonly table?: number
  /** Whether it is a bold run within a line of prose. */
  readonly isRun?: boolean
  /** Whether it is the subject of a sentence, so that it is a name where the answer is prose. */
  readonly isSaid?: boolean
}

export const longestName = 90
// Markup, medals and other signs before a name.
const longestLead = 24

const endsName = unitsOf(":(|–—]⭐★")
const mayEndName = unitsOf(".,;!?")
// "Dr. Bronner's", "St. Ives".
const title = /^(?:Dr|Mrs?|Ms|Ste?|Mt|Ft)$/
const longestTitle = 3

/** Where the name that begins at `from` ends: at punctuation, a dash, a bracket or the close of its markup. */
const endOfName = (text: string, from: number, to: number): number => {
  const limit = Math.min(to, from + longestName)
  for (let at = from; at < limit; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 64 && unit < 91) continue
    if (unit > 96 && unit < 123) continue
    if (unit === 32) continue
    if (endsName.has(unit)) return at
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    const isTitleBefore = character === "." && at - from <= longestTitle && title.test(text.slice(from, at))
    if (mayEndName.has(unit) && !isTitleBefore && (next === " " || at + 1 === to)) return at
    if ((character === "*" || character === "_") && next === character) return at
    if (character === "-" && next === " " && text.charAt(at - 1) === " ") return at
  }
  return limit
}

export const named = (head: Head): Head => ({ ...head, isName: true })
export const unnamed = (head: Head): Head => ({ ...head, isName: false })

// "Best overall: Budget pick: Acme". The bound limits the cost of a line that is nothing but labels.
const mostLabels = 3

const isGivingWay = /^[*_\])]*\s*(?::|[–—-]\s)/

/** Whether a phrase is advice ("start small with Acme") where a name would stand. */
export const isAdvice = (phrase: string): boolean =>
  /^(?!the\s)\p{Ll}/u.test(phrase) && isOrdinaryWord(wordsOf(phrase)[0] ?? "")

// "**The [Acme Pro](…)**", "The Acme Pro".
const articleBefore =
  /^(?:the|our|an?|der|die|das|les?|la|el|los|las|il|lo|gli|het|de|o|os|as)\s(?:[*_]{0,3}(\[)[*_]{0,3})?(?=[\p{L}\p{N}])/iu
const longestArticle = 12

/** Whether the word at `from` has at most three letters, as every article here has. */
const isShort = (text: string, from: number): boolean =>
  !isLetter(text.charCodeAt(from + 1)) || !isLetter(text.charCodeAt(from + 2)) || !isLetter(text.charCodeAt(from + 3))

/** Whether a phrase begins with a well-known brand. Where the brand is an ordinary word, a product has to follow it ("Apple Watch"). */
const opensWithKnown = (phrase: string): boolean =>
  hasKnownBrand(phrase) && (!isOrdinaryWord(wordsOf(phrase)[0] ?? "") || /^\S+ [\p{Lu}\d]/u.test(phrase))

/**
 * Where the name at `from` begins without its article. The article is skipped before a well-known brand, unless it belongs to the brand
 * ("The North Face"). It is skipped before a link too, unless the link has only ordinary words: then it may be part of the name ("The
 * [North Face](…)").
 */
const behindArticle = (text: string, from: number, to: number): number => {
  const article = isShort(text, from) ? articleBefore.exec(text.slice(from, from + longestArticle)) : null
  if (article === null) return from
  const start = from + article[0].length
  const name = text.slice(start, endOfName(text, start, to))
  const isLinked = article[1] !== undefined
  if (isLinked) return wordsOf(name).every(isOrdinaryWord) && !hasKnownBrand(name) ? from : start
  return opensWithKnown(name) && !hasKnownBrand(text.slice(from, start + name.length)) ? start : from
}

// The opening of a link in a name whose article stands before the link.
const linkWithin = /(?<=^\p{L}{1,3}\s)[*_]{0,3}\[[*_]{0,3}/u

/** The name that begins at `at`; an award or a purpose before a colon ("Best overall: Acme") gives way to what follows it. */
export const headAt = (text: string, at: number, to: number, number: number | undefined, labels = 0): Head => {
  let from = at
  while (from < to && from - at < longestLead && text.charAt(from) !== "|" && !startsName(text, from)) from++
  from = behindArticle(text, from, to)
  const written = text.slice(from, endOfName(text, from, to)).trim()
  const end = from + written.length
  const name = written.includes("[") ? written.replace(linkWithin, "") : written
  const head = { name, from, to: end, number, isName: text.charAt(end) !== "?" && isNameLike(name) }
  const isElsewhere = isLabelNonEnglish(name)
  if (labels === mostLabels || head.to >= to || !(isElsewhere || (!head.isName && (isAward(name) || isPurpose(name)))))
    return head
  if (!isGivingWay.test(text.slice(head.to, head.to + 8))) return head
  const winner = headAt(text, head.to, to, number, labels + 1)
  if (isElsewhere) return winner.isName ? winner : unnamed(head)
  if (!isAward(name) && isAdvice(winner.name)) return head
  return isTitle(winner.name) ? named(winner) : winner
}

// What follows a name that stands alone and is not the subject of a sentence.
const endsThere = /^[*_\]]*(?:\([^()\n]*\)|\s*(?:$|[\n(–—,.;/&]|-\s|or\s|and\s))/

/**
 * Whether a phrase is surely a name: a well-known brand whose further words are capitalised, or capitalised words of which the first is in
 * no English dictionary.
 */
export const isSureName = (phrase: string): boolean =>
  hasKnownBrand(phrase)
    ? phrase.split(" ").slice(1).every(startsInCapital)
    : phrase.split(" ").every(startsInCapital) && !isEnglishWord(wordsOf(phrase)[0] ?? "")

const inSmallLetters = /^\p{Ll}[\p{L}\p{Nd}.]{3,}$/u

/** Whether a phrase is one lower-case word that is in no dictionary ("clockodo"), as some brands write their names. */
export const isUnknownInSmall = (phrase: string): boolean => inSmallLetters.test(phrase) && !isDictionaryWord(phrase)

const startsInCapital = (word: string): boolean => /^[\p{Lu}\d&+]/u.test(word)

/** The name in an item after ordinary words and a colon ("Small teams: Acme"). */
export interface Winner {
  readonly head: Head
  /** Whether it is surely a name. */
  readonly isSure: boolean
}

// Emphasis has few marks. The bound limits the cost of a text that is nothing but marks.
const marksMax = 8

/** The character before a place, without the units in `aside`. */
const characterBefore = (text: string, place: number, aside: ReadonlySet<number>): string => {
  let at = place - 1
  while (at > place - marksMax && aside.has(text.charCodeAt(at))) at--
  return text.charAt(at)
}

/** The character at a place or after it, without the units in `aside`. */
export const characterFrom = (text: string, place: number, aside: ReadonlySet<number>): string => {
  let at = place
  while (at < place + marksMax && aside.has(text.charCodeAt(at))) at++
  return text.charAt(at)
}

/** Marks of emphasis. */
export const emphasis = unitsOf("*_")
const opensBold = unitsOf("*_ [\t")

// "Light users (maps, messages): **Acme**", "About €100: the **Bolt** Mini".
const longestNeed = 80
const boldBehindColon = /^[^*\n:]+:\s(?:the\s)?\*\*(?=[\p{L}\p{N}])/u

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : end
}

/** The winner of an item; undefined where it has none. */
export const winnerOf = (text: string, head: Head): Winner | undefined => {
  if (characterBefore(text, head.from, opensBold) === ":") return head.isName ? { head, isSure: true } : undefined
  const isBold = text.charAt(head.from - 1) === "*"
  const bold = isBold ? null : boldBehindColon.exec(text.slice(head.from, head.from + longestNeed))
  if (bold !== null) {
    const winner = headAt(text, head.from + bold[0].length, endOfLine(text, head.to), head.number)
    return winner.isName && text.charAt(winner.to) === "*" ? { head: winner, isSure: true } : undefined
  }
  if (characterFrom(text, head.to, emphasis) !== ":" || !wordsOf(head.name).every(isOrdinaryWord)) return undefined
  const winner = headAt(text, head.to, endOfLine(text, head.to), head.number)
  if (!winner.isName || !endsThere.test(text.slice(winner.to, winner.to + longestName))) return undefined
  return { head: winner, isSure: isSureName(winner.name) }
}

const startsName = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  // Surrogates are emoji here: medals and the like.
  return isLetter(unit) && (unit < 0xd800 || unit > 0xdfff)
}
