import { isAsciiWord, unitsOf } from "./Letters.ts"

// The word beside a name tells at one look that most patterns find nothing there.

const escaped = /\\(?:p\{[^}]*\}|.)/g
const eitherCase = /\[[A-Z]([a-z])\]/g

/** The words in small letters that a pattern spells, with and without a last letter that may be left out: "uses?". */
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
 * Tells where a pattern may match that looks back from a place.
 *
 * Shape: before up to three marks it ends in a space, behind a comma, an ampersand or a word that it spells letter by letter, but for its first
 * capital: `[Oo]n`.
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
 * Tells where a pattern may match that reads on from a place.
 *
 * Shape: it begins with an apostrophe, or with a hyphen or a space before a capital, a digit or a word that it spells letter by letter.
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
