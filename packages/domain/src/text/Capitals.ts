import { isAsciiWord, isLetter, unitsOf } from "./Letters.ts"

// Words with capitals. Most of a text is passed over unit by unit, and most of these words are read so: what Unicode takes for a letter is
// dear to ask a pattern of each place, above all beside one typographic quote.

/** A stretch of a text with what stands there. */
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

/** Whether what begins with a unit may belong to the word that a sign parts from it. */
const mayGoOn = (sign: number, unit: number): boolean => {
  if (sign === space) return unit === ampersand || (unit < 0x80 ? isAsciiWord(unit) && unit < 97 : isLetter(unit))
  return (sign === hyphen || sign === stop) && (unit >= 0x80 || isAsciiWord(unit))
}

/** Where the word at `from` ends, set apart by a plain sign either side; -1 where it holds more than ASCII letters and digits, or may go on. */
const endOfPlain = (text: string, from: number): number => {
  if (text.charCodeAt(from) >= 0x80 || (from > 0 && !setsApart.has(text.charCodeAt(from - 1)))) return -1
  let at = from + 1
  while (at < text.length && isAsciiWord(text.charCodeAt(at))) at++
  if (at === text.length) return at
  const unit = text.charCodeAt(at)
  return unit >= 0x80 || joins.has(unit) || mayGoOn(unit, text.charCodeAt(at + 1)) ? -1 : at
}

/** Where a text has what may be a capital; `to` is where a plain word ends that it begins, else -1. */
interface Capital {
  readonly at: number
  readonly to: number
}

/** The capitals of a text in their order, without those within its plain words. */
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

/** Where the code points begin that may be small letters before a capital, not before `since`. */
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
 * What a sticky pattern matches in a text, one behind the other: runs of words with capitals. `opensLonger` tells words that the pattern knows
 * to go on in small letters.
 *
 * Laws: as the pattern itself would if it were global, where it matches a capital, perhaps with two small letters before it, that stands behind
 * no letter, digit, hyphen, stop or apostrophe, and beyond it letters and digits, signs and spaces between them.
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
