import { plain, type Span } from "@sightline/sandbox/article/Span"

const listOrTable = /^(?:[-*] |\d+\. |\|)/
const citing = /\uE000(\d+)\uE001/

/** Lines of one list or table stand close, everything else an empty line apart; no line ends in blanks. */
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
 * An article as a page lays it out, so that a page read back as markdown and a vendor's markdown are the same text.
 *
 * Laws: the words, their order and what each sentence cites stay as they are.
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
