import { plain, type Span } from "@sightline/sandbox/article/Span"

const listOrTable = /^(?:[-*] |\d+\. |\|)/
const citing = /\uE000(\d+)\uE001/

/** Lines of one list or table follow each other directly; an empty line separates all others. No line ends in blanks. */
const withLinesApart = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .reduce((said, line) => {
      const last = said.slice(said.lastIndexOf("\n") + 1)
      return said + (listOrTable.test(last) && listOrTable.test(line) ? "\n" : "\n\n") + line
    }, "")
    .trimStart()

/**
 * An article in the layout of a page, so that a page read back as markdown gives the same text as a vendor's markdown.
 *
 * Laws: the words, their order and the sources of each sentence are unchanged.
 */
export const laidOut = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const marked = spans.map(({ text, cites }, index) => (cites.length === 0 ? text : `${text}\uE000${index}\uE001`))
  const pieces = withLinesApart(marked.join("")).split(citing)
  return pieces.flatMap((text, at) => {
    if (at % 2 === 1) return []
    const span = spans[Number(pieces[at + 1])]
    if (span !== undefined) return [{ text, cites: span.cites }]
    return text === "" ? [] : [plain(text)]
  })
}
