/**
 * A piece of an answer and the sources that support it, by index.
 *
 * Laws: the joined texts of an article's spans are the article; a span with sources ends where a sentence or cell ends.
 */
export interface Span {
  readonly text: string
  readonly cites: ReadonlyArray<number>
}

/** Text that needs no source. */
export const plain = (text: string): Span => ({ text, cites: [] })

/** The text of the article. */
export const textOf = (spans: ReadonlyArray<Span>): string => spans.map(({ text }) => text).join("")

/** The spans of the first `characters` of an article. A span that is cut loses its sources. */
export const cutTo = (spans: ReadonlyArray<Span>, characters: number): ReadonlyArray<Span> => {
  const kept: Array<Span> = []
  let left = characters
  for (const span of spans) {
    if (left <= 0) break
    kept.push(span.text.length <= left ? span : plain(wholeCharacters(span.text, left)))
    left -= span.text.length
  }
  return kept
}

/** The beginning of a text, without half of a surrogate pair at its end. */
const wholeCharacters = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")
