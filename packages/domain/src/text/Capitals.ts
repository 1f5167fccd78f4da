import { isAsciiWord, isLetter, unitsOf } from "./Letters.ts"

// Words with capitals. Most of a text is skipped unit by unit, and most of these words are read that way: a pattern that asks at each place
// for a letter of Unicode is expensive, above all where the text has a typographic quote.

/** A stretch of a text and where it begins. */
export interface Run {
  readonly from: number
  readonly run: string
}

const unknown = 0
const capital = 1
const none = 2
const kinds = new Uint8Array(0x10000)

const classify = (unit: number): number =>
  (kinds[unit] = /[\p{Lu}\ud800-\udbff]/u.test(String.fromCharCode(unit)) ? capital : none)

/** Whether a unit is a capital, or the first half of what may be one. */
const mayBeCapital = (unit: number): boolean => {
  if (unit < 0x80) return unit > 64 && unit < 91
  const kind = kinds[unit] ?? none
  return (kind === unknown ? classify(unit) : kind) === capital
}

const space = 32
const hyphen = 45
const stop = 46
const ampersand = 38
const setsApart = unitsOf(' \n*_("[')
const joins = unitsOf("'&+")

/** Whether the text that begins with `unit` may belong to the word that `sign` separates from it. */
const mayGoOn = (sign: number, unit: number): boolean => {
  if (sign === space) return unit === ampersand || (unit < 0x80 ? isAsciiWord(unit) && unit < 97 : isLetter(unit))
  return (sign === hyphen || sign === stop) && (unit >= 0x80 || isAsciiWord(unit))
}

/**
 * The end of the word at `from`, if it has plain signs on both sides. -1 where it contains more than ASCII letters and digits, or may
 * continue.
 */
const endOfPlain = (text: string, from: number): number => {
  if (text.charCodeAt(from) >= 0x80 || (from > 0 && !setsApart.has(text.charCodeAt(from - 1)))) return -1
  let at = from + 1
  while (at < text.length && isAsciiWord(text.charCodeAt(at))) at++
  if (at === text.length) return at
  const unit = text.charCodeAt(at)
  return unit >= 0x80 || joins.has(unit) || mayGoOn(unit, text.charCodeAt(at + 1)) ? -1 : at
}

/** A possible capital in a text. `to` is the end of the plain word that it begins, else -1. */
interface Capital {
  readonly at: number
  readonly to: number
}

/** The capitals of a text in order, without those inside its plain words. */
export type Capitals = ReadonlyArray<Capital>

/** The capitals of a text. */
export const capitalsIn = (text: string): Capitals => {
  const capitals: Array<Capital> = []
  for (let at = 0; at < text.length; at++) {
    if (!mayBeCapital(text.charCodeAt(at))) continue
    const to = endOfPlain(text, at)
    capitals.push({ at, to })
    if (to > 0) at = to - 1
  }
  return capitals
}

// "iPhone", "eBay".
const longestSmall = 2

/** The start of the letters before a capital that may be small ones, two code points at most; not before `since`. */
const smallBefore = (text: string, at: number, since: number): number => {
  let from = at
  for (let count = 0; count < longestSmall && from > since && isLetter(text.charCodeAt(from - 1)); count++)
    from -= (text.charCodeAt(from - 1) & 0xfc00) === 0xdc00 ? 2 : 1
  return Math.max(from, since)
}

const endAt = (pattern: RegExp, text: string, at: number): number => {
  if (at > 0 && isAsciiWord(text.charCodeAt(at - 1))) return -1
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/**
 * The matches of a sticky pattern in a text, one after the other: runs of words with capitals. `opensLonger` says which words the pattern
 * may continue in lower case.
 *
 * Laws: the result is that of the same pattern as a global one, provided that it matches only such runs. A run begins with a capital, or
 * with up to two small letters before it. No letter, digit, hyphen, full stop or apostrophe precedes it. It contains letters and digits,
 * with signs and spaces between them.
 */
export const runsOf = (
  text: string,
  capitals: Capitals,
  pattern: RegExp,
  opensLonger: (word: string) => boolean = () => false
): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let since = 0
  for (const capital of capitals) {
    const { at } = capital
    if (at < since) continue
    let from = at
    let to = capital.to
    let run = to < 0 ? "" : text.slice(at, to)
    if (to < 0 || opensLonger(run)) {
      from = smallBefore(text, at, since)
      to = endAt(pattern, text, from)
      while (to < 0 && from < at) to = endAt(pattern, text, ++from)
      if (to < 0) continue
      run = text.slice(from, to)
    }
    runs.push({ from, run })
    since = to
  }
  return runs
}
