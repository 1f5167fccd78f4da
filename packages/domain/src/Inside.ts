import { cutsNumber } from "./Host.ts"
import { isBoundary, isLetter, runAround } from "./Letters.ts"
import type { Needle } from "./Needle.ts"
import { isDictionaryWord } from "./Vocabulary.ts"

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

const upper = /^[A-Z]/
const lower = /^[a-z]/
const digit = /^\d/

/**
 * Whether a hit of two or three Latin letters shows at both ends that it is a part of its own: LG27, HPProBook, IBMers.
 * Choice: without this every run that is no dictionary word ("dwgear") names GE.
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

/**
 * Whether a hit that is no whole word counts. `written` reads the text as written by offsets of the folded one.
 * Source: decisions C4, substring.
 */
export const countsInside = (
  text: string,
  needle: Needle,
  start: number,
  end: number,
  written: (at: number) => string
): boolean => {
  if (needle.letters.length < 2 || cutsNumber(text, start, end)) return false
  if (needle.letters.length >= longEnough) return true
  if (/^[a-z]{2,3}$/.test(needle.letters) && !showsSeams(written, text, start, end)) return false
  return !isDictionaryWord(runAround(text, start, end, longestWord))
}
