const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })

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

/** The stretch of at most 300 characters around `[start, end)`, with as much before it as after. */
const cutAround = (text: string, start: number, end: number): string => {
  const room = Math.max(0, longestExcerpt - characters(text.slice(start, end)))
  const left = Array.from(text.slice(Math.max(0, start - 2 * room), start))
  const right = Array.from(text.slice(end, end + 2 * room))
  const before = Math.max(Math.floor(room / 2), room - right.length)
  const kept = left.slice(Math.max(0, left.length - before))
  const mention =
    room > 0
      ? text.slice(start, end)
      : Array.from(text.slice(start, start + 2 * longestExcerpt))
          .slice(0, longestExcerpt)
          .join("")
  return [...kept, mention, ...right.slice(0, room - kept.length)].join("").trim()
}

/**
 * The words in which `[start, end)` is said: its sentence, and one neighbour either side while they fit.
 *
 * Units: offsets count UTF-16 units, the limit counts code points.
 * Laws: contains the stretch; at most 300 characters unless the stretch itself is longer.
 */
export const excerpt = (text: string, start: number, end: number): string => {
  const from = offSurrogate(text, Math.max(0, start - reach))
  const to = offSurrogate(text, Math.min(text.length, end + reach))
  const near = text.slice(from, to)
  const segments = sentences.segment(near)
  const first = segments.containing(start - from)
  if (first === undefined) return cutAround(text, start, end)
  let left = first.index
  let right = first.index + first.segment.length
  while (right < end - from) right += segments.containing(right)?.segment.length ?? near.length
  if (characters(near.slice(left, right).trim()) > longestExcerpt) {
    return cutAround(near.slice(left, right), start - from - left, end - from - left)
  }
  const before = left > 0 ? segments.containing(left - 1) : undefined
  if (before !== undefined && characters(near.slice(before.index, right).trim()) < longestExcerpt) left = before.index
  const after = right < near.length ? segments.containing(right) : undefined
  if (after !== undefined) {
    const further = right + after.segment.length
    if (characters(near.slice(left, further).trim()) < longestExcerpt) right = further
  }
  return near.slice(left, right).trim()
}
