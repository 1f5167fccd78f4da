import { cutsNumber } from "./Host.ts"
import { isBoundary, isDigit, isLetter, runAround } from "@sightline/domain/text/Letters"
import type { Needle } from "./Needle.ts"
import { isDictionaryWord, isKnownBrand } from "@sightline/domain/text/Vocabulary"

// C4 of the decisions: shorter brands do not count inside ordinary words.
const longEnough = 5
// No dictionary word is longer, so there is no need to look further.
const longestWord = 24

/** Whether a whole hit of one or two letters is really something else: it's, e.g., C++. */
export const isBriefOtherwise = (text: string, start: number, end: number): boolean => {
  if (end - start > 2) return false
  const before = text.charAt(start - 1)
  const after = text.charAt(end)
  if (after === "+" || after === "#") return true
  // "it's" names no S and "e.g." no E.
  return (
    end - start === 1 && (before === "'" || before === "’" || (after === "." && isLetter(text.charCodeAt(end + 1))))
  )
}

// "3M users" is a number, "3M tapes" a product of the brand.
const counted =
  /^[ -](?:(?:active|daily|monthly|paid|paying|registered|weekly) )?(?:accounts|customers|dollars|downloads|euros|followers|installs|listeners|members|parameters|people|players|rows|streams|subscribers|tokens|units|users|views|viewers|visitors|deep|high|long|tall|wide)\b/u
const grown =
  /\b(?:almost|approximately|exceeded|grew|grew by|nearly|raised|reached|roughly|surpassed|to over|to about)\s+$/u

/** Whether a number with a unit (3M, 5k) is a quantity: 3M users, grew 3M. Upper or lower case does not distinguish it from a name. */
const isSum = (text: string, start: number, end: number): boolean =>
  /^\d+[bkm]$/.test(text.slice(start, end)) &&
  (counted.test(text.slice(end, end + 32)) || grown.test(text.slice(Math.max(0, start - 16), start)))

/** Whether a whole hit that begins or ends with a number is a part of an amount: $3M, 1.3M, 6,000, 21%, 3M users. */
export const isAmount = (text: string, start: number, end: number): boolean => {
  const before = text.charAt(start - 1)
  const after = text.charAt(end)
  const begins =
    isDigit(text.charCodeAt(start)) &&
    (/\p{Sc}/u.test(before) || (before === "." && isDigit(text.charCodeAt(start - 2))))
  const ends =
    isDigit(text.charCodeAt(end - 1)) &&
    (after === "%" || ((after === "." || after === ",") && isDigit(text.charCodeAt(end + 1))))
  return (
    begins ||
    isSum(text, start, end) ||
    (ends && /(?<!\p{L}\d*)\d$/u.test(text.slice(Math.max(start, end - longestWord), end)))
  )
}

const upper = /^[A-Z]/
const lower = /^[a-z]/
const digit = /^\d/

/**
 * Whether a hit of two or three Latin letters has a seam at both ends: LG27, HPProBook, IBMers.
 * Choice: without this rule every run that is no dictionary word ("dwgear") would name GE.
 */
const showsSeams = (written: (at: number) => string, text: string, start: number, end: number): boolean => {
  const first = written(start)
  const last = written(end - 1)
  const next = written(end)
  const apart = (one: string, other: string): boolean => digit.test(one) !== digit.test(other)
  const left =
    isBoundary(text, start) || apart(written(start - 1), first) || (lower.test(written(start - 1)) && upper.test(first))
  const right =
    isBoundary(text, end) ||
    apart(last, next) ||
    (upper.test(last) ? lower.test(next) || lower.test(written(end + 1)) : upper.test(next))
  return left && right && upper.test(first)
}

/** Whether a capital after a small letter splits the run there: Uber in UberEats. */
const isCamelAt = (written: (at: number) => string, at: number): boolean =>
  /\p{Ll}/u.test(written(at - 1)) && /\p{Lu}/u.test(written(at))

/**
 * Whether a hit that is no whole word counts. `written` returns the original character at an offset of the folded text.
 * Choice: a known brand does not name another brand that it contains: Squarespace is not Square.
 * Source: decisions C4, substring.
 */
export const countsAsSubstring = (
  text: string,
  needle: Needle,
  start: number,
  end: number,
  written: (at: number) => string
): boolean => {
  if (needle.letters.length < 2 || cutsNumber(text, start, end)) return false
  if (/^[a-z]{2,3}$/.test(needle.letters) && !showsSeams(written, text, start, end)) return false
  // H2O2 and G2A show no seam, so a short name with a digit counts only as a whole word.
  if (/^(?=.*\d)[a-z\d]{2,3}$/.test(needle.letters)) return false
  const run = runAround(text, start, end, longestWord)
  if (isDictionaryWord(run)) return needle.letters.length >= longEnough
  return !/^[a-z\d]+$/.test(run) || !isKnownBrand(run) || isCamelAt(written, start) || isCamelAt(written, end)
}
