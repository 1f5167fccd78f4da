import { isAsciiWord, unitsOf } from "./Letters.ts"

// The word beside a name shows cheaply that most patterns cannot match there.

const escaped = /\\(?:p\{[^}]*\}|.)/g
const eitherCase = /\[[A-Z]([a-z])\]/g

/** The lower-case words that a pattern spells, with and without an optional last letter: "uses?". */
const wordsSpelt = (pattern: RegExp): ReadonlySet<string> =>
  new Set(
    Array.from(
      pattern.source
        .replace(escaped, " ")
        .replace(eitherCase, "$1")
        .matchAll(/([a-z]+)(\?)?/g)
    ).flatMap(([, word = "", isOptional]) => (isOptional === undefined ? [word] : [word, word.slice(0, -1)]))
  )

const space = 32
const blanks = unitsOf("\t\n\v\f\r")
const marks = unitsOf('*_"“')
const mostMarks = 3
const joints = unitsOf(",&")

const isSmall = (unit: number): boolean => unit > 96 && unit < 123

/**
 * Returns a test of whether a lookbehind pattern may match at a place.
 *
 * Shape: what the pattern matches ends in a space and up to three marks. Before the space there is a comma, an ampersand or a word that the
 * pattern spells letter by letter, except for an initial in either case: `[Oo]n`.
 */
export const mayEndBefore = (pattern: RegExp): ((text: string, at: number) => boolean) => {
  const words = wordsSpelt(pattern)
  return (text, at) => {
    let to = at
    while (to > 0 && at - to < mostMarks && marks.has(text.charCodeAt(to - 1))) to--
    const blank = text.charCodeAt(--to)
    if (blank !== space) return blank >= 0x80 || blanks.has(blank)
    let from = to
    while (from > 0 && isSmall(text.charCodeAt(from - 1))) from--
    const before = text.charCodeAt(from - 1)
    if (before >= 0x80 || isAsciiWord(before)) return true
    return from === to ? joints.has(before) : words.has(text.slice(from, to))
  }
}

/**
 * Returns a test of whether a pattern may match from a place on.
 *
 * Shape: what the pattern matches begins with an apostrophe, or with a hyphen or a space before a capital, a digit or a word that the
 * pattern spells letter by letter.
 */
export const mayBeginAt = (pattern: RegExp): ((text: string, at: number) => boolean) => {
  const words = wordsSpelt(pattern)
  const signs = unitsOf("'-\t\n\v\f\r")
  return (text, at) => {
    const sign = text.charCodeAt(at)
    if (sign !== space) return sign >= 0x80 || signs.has(sign)
    let to = at + 1
    while (isSmall(text.charCodeAt(to))) to++
    if (to > at + 1) return words.has(text.slice(at + 1, to))
    const next = text.charCodeAt(to)
    return next >= 0x80 || isAsciiWord(next)
  }
}
