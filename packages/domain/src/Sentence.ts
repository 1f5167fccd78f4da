import { sentenceEnds } from "./SentenceEnds.ts"

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

// The full stop of a list item's number ends a sentence to the segmenter.
const itemNumber = /^[^\p{L}\p{N}]*(?:\d{1,3}|[a-z])[^\p{L}\p{N}\n]*$/iu

// Also the line between the header of a table and its rows, and a rule between paragraphs.
const saysNothing = /^[\s|:-]*$/

/**
 * Where the sentences of a text end to a reader, for whom an empty line or the rule of a table belongs to what stands before it
 * and the number of a list item to what it numbers.
 */
const spokenEnds = (text: string): ReadonlyArray<number> => {
  const ends = sentenceEnds(text)
  return ends.filter(
    (end, place) =>
      place === ends.length - 1 ||
      (!saysNothing.test(text.slice(end, ends[place + 1])) && !itemNumber.test(text.slice(ends[place - 1] ?? 0, end)))
  )
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The first of some parts that have at most so many characters together. */
const within = (parts: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  let room = most
  const over = parts.findIndex((part) => (room -= characters(part)) < 0)
  return over < 0 ? parts : parts.slice(0, over)
}

/** What a reader sees as single characters. */
const graphemesOf = (text: string): ReadonlyArray<string> =>
  Array.from(graphemes.segment(text), ({ segment }) => segment)

/** The first place from `at` to `end` where a character begins to a reader. */
const onGrapheme = (text: string, at: number, end: number): number => {
  const whole = offSurrogate(text, at)
  return at === 0 ? 0 : whole + (graphemesOf(text.slice(whole, end))[0]?.length ?? 0)
}

/** The stretch of at most 300 characters around `[start, end)`, with as much before it as after. */
const cutAround = (text: string, start: number, end: number): string => {
  const room = Math.max(0, longestExcerpt - characters(text.slice(start, end)))
  const left = graphemesOf(text.slice(Math.max(0, start - 2 * room), start))
  const right = text.slice(end, end + 2 * room)
  const before = Math.max(Math.floor(room / 2), room - characters(right))
  const kept = within(left.toReversed(), before).toReversed().join("")
  const mention =
    room > 0
      ? text.slice(start, end)
      : Array.from(text.slice(start, start + 2 * longestExcerpt))
          .slice(0, longestExcerpt)
          .join("")
  return [kept, mention, ...within(graphemesOf(right), room - characters(kept))].join("").trim()
}

/**
 * The words in which `[start, end)` is said: its sentence, and one neighbour either side while they fit.
 *
 * Units: offsets count UTF-16 units, the limit counts code points.
 * Laws: contains the stretch; at most 300 characters unless the stretch itself is longer.
 */
export const excerpt = (text: string, start: number, end: number): string => {
  const from = onGrapheme(text, Math.max(0, start - reach), start)
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
  if (isWithin(near.slice(before, right), longestExcerpt - 1)) left = before
  const after = ends[last + 1] ?? right
  if (isWithin(near.slice(left, after), longestExcerpt - 1)) right = after
  return near.slice(left, right).trim()
}
