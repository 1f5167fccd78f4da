import type { Span } from "@sightline/sandbox/article/Span"
import type { LiveAnswer, LiveSource } from "./LiveAnswer.ts"

/** The answer's markdown with a mark after each sentence or cell for every source that supports it. */
export const cited = (
  { spans, sources }: LiveAnswer,
  mark: (source: LiveSource, position: number) => string,
  place: (text: string, marks: string) => string = (text, marks) => text + marks
): string =>
  spans
    .map(({ text, cites }: Span) => {
      const marks = cites.flatMap((index) => sources.slice(index, index + 1).map((source) => mark(source, index + 1)))
      return marks.length === 0 ? text : place(text, marks.join(""))
    })
    .join("")

/** The text of markdown without its signs, which vendors deliver beside the markdown. */
export const withoutMarkdown = (markdown: string): string =>
  markdown
    .replace(/^\|[-| ]+\|\n/gm, "")
    .replace(/^(?:#{1,6}|[-*]|\d+\.) /gm, "")
    .replace(/\*\*/g, "")
