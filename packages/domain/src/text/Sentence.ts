import { isDigit, isLetter } from "./Letters.ts"
import { sentenceEnds } from "./SentenceEnds.ts"
import { isHeader, isRule } from "./TableRule.ts"

// C6 of the decisions: neighbours are added while the excerpt stays under this many characters.
const longestExcerpt = 300
// Far enough that every excerpt of the greatest length lies inside, so the rest of the answer is never segmented.
const reach = 310

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

const offSurrogate = (text: string, at: number): number => (isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at)

const characters = (text: string): number => {
  let count = text.length
  for (let at = 0; at < text.length; at++) if (isLowSurrogate(text.charCodeAt(at))) count--
  return count
}

const isWithin = (words: string, most: number): boolean => {
  const text = words.trim()
  return text.length <= most || characters(text) <= most
}

// To the segmenter, the full stop after a list item's number ends a sentence.
const itemNumber = /^[^\p{L}\p{N}]*(?:\d{1,3}|[a-z])[^\p{L}\p{N}\n]*$/iu

// Also the line between the header of a table and its rows, and a rule between paragraphs.
const saysNothing = /^[\s|:-]*$/

const asterisk = 42

/** Whether a sentence begins with a word, bold or not, as most do: then it is neither an item's number nor silent. */
const opensInWord = (text: string, from: number): boolean => {
  let at = from
  while (text.charCodeAt(at) === asterisk) at++
  const unit = text.charCodeAt(at)
  return isLetter(unit) && !isDigit(unit) && isLetter(text.charCodeAt(at + 1))
}

const isItemNumber = (text: string, from: number, to: number): boolean =>
  !opensInWord(text, from) && itemNumber.test(text.slice(from, to))

const isSilent = (text: string, from: number, to: number | undefined): boolean =>
  !opensInWord(text, from) && !isDigit(text.charCodeAt(from)) && saysNothing.test(text.slice(from, to))

/**
 * The ends of the sentences of a text as a reader sees them: an empty line or the rule of a table belongs to the text before it, and the
 * number of a list item to the item.
 */
const spokenEnds = (text: string): ReadonlyArray<number> => {
  const ends = sentenceEnds(text)
  return ends.filter(
    (end, place) =>
      place === ends.length - 1 ||
      (!isSilent(text, end, ends[place + 1]) && !isItemNumber(text, ends[place - 1] ?? 0, end))
  )
}

/** Whether a table begins at `at`: with a line above a rule, and no row right above that. */
const beginsTable = (text: string, at: number): boolean => {
  const to = text.indexOf("\n", at)
  if (text[at - 1] !== "\n" || to < 0 || !text.slice(at, to).includes("|") || !isHeader(text, to)) return false
  return !text.slice(text.lastIndexOf("\n", at - 2) + 1, at).includes("|")
}

/** Whether words end in the rule of a table without rows: text after an empty line is outside of the table. */
const endsEmptyTable = (words: string): boolean => {
  if (!words.includes("|")) return false
  const said = words.trimEnd()
  return words.slice(said.length).split("\n").length > 2 && isRule(said.slice(said.lastIndexOf("\n") + 1))
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
// Longer than any character, except for runs of flags.
const longestGrapheme = 64

const isPlain = (unit: number): boolean => unit >= 0x20 && unit < 0x300

/** The start and end of the character, as a reader sees it, to which the unit at `at` belongs. */
const graphemeAt = (text: string, at: number): readonly [from: number, to: number] => {
  if (isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at))) return [at, at + 1]
  const from = offSurrogate(text, Math.max(0, at - longestGrapheme))
  const found = graphemes.segment(text.slice(from, at + longestGrapheme)).containing(at - from)
  return found === undefined ? [at, at] : [from + found.index, from + found.index + found.segment.length]
}

/** The first place from `at` on where a character begins, as a reader sees it. */
const onGrapheme = (text: string, at: number): number => {
  // Most brands are named so early that the excerpt is searched from the start of the text, which needs no segmenter.
  if (at === 0) return at
  const [from, to] = graphemeAt(text, at)
  return from === at ? at : to
}

/** The stretch of at most 300 characters around `[start, end)`, with as much before it as after. */
const cutAround = (text: string, start: number, end: number): string => {
  const room = longestExcerpt - characters(text.slice(start, end))
  if (room <= 0) {
    const begun = Array.from(text.slice(start, start + 2 * longestExcerpt))
    return begun.slice(0, longestExcerpt).join("").trim()
  }
  const left = Array.from(text.slice(Math.max(0, start - 2 * room), start))
  const right = Array.from(text.slice(end, end + 2 * room))
  const kept = left.slice(Math.max(0, left.length - Math.max(Math.floor(room / 2), room - right.length)))
  const from = onGrapheme(text, start - kept.join("").length)
  const [to] = graphemeAt(text, end + right.slice(0, room - kept.length).join("").length)
  return text.slice(Math.min(from, start), Math.max(to, end)).trim()
}

/**
 * The excerpt around `[start, end)`: its sentence, and one neighbour on either side where they fit. The head of a table is a neighbour only
 * inside that table.
 *
 * Units: offsets count UTF-16 units, the limit counts code points.
 * Laws: contains the stretch; at most 300 characters unless the stretch itself is longer.
 */
export const excerpt = (text: string, start: number, end: number): string => {
  const from = Math.min(onGrapheme(text, Math.max(0, start - reach)), start)
  const to = offSurrogate(text, Math.min(text.length, end + reach))
  const near = text.slice(from, to)
  const ends = spokenEnds(near)
  const first = ends.findIndex((sentence) => sentence > start - from)
  if (first < 0) return cutAround(text, start, end)
  const last = ends.findIndex((sentence) => sentence >= end - from)
  let left = ends[first - 1] ?? 0
  let right = ends[last] ?? near.length
  if (!isWithin(near.slice(left, right), longestExcerpt)) {
    return cutAround(near.slice(left, right), start - from - left, end - from - left)
  }
  const before = ends[first - 2] ?? 0
  if (isWithin(near.slice(before, right), longestExcerpt - 1) && !endsEmptyTable(near.slice(before, left)))
    left = before
  const after = ends[last + 1] ?? right
  if (isWithin(near.slice(left, after), longestExcerpt - 1) && !beginsTable(text, from + right)) right = after
  return near.slice(left, right).trim()
}
