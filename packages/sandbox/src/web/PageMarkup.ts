import type { Span } from "@sightline/sandbox/article/Span"
import { escaped } from "./Page.ts"

/** A piece of a page: a text, or an element with its children. */
export type Markup =
  | string
  | {
      readonly tag: string
      readonly attributes?: Readonly<Record<string, string>>
      readonly children: ReadonlyArray<Markup>
    }

/** What a page shows at a citation of the given sources, which are indices. */
export type Cite = (sources: ReadonlyArray<number>) => ReadonlyArray<Markup>

const element = (tag: string, children: ReadonlyArray<Markup>): Markup => ({ tag, children })

const citing = /(\uE000\d+\uE001)/
const bold = /\*\*([^*\n]+)\*\*/

/** The bold runs and citations of a line. `split` returns the matches of the groups at the odd indices. */
const inline = (line: string, cited: (span: number) => ReadonlyArray<Markup>): ReadonlyArray<Markup> =>
  line.split(citing).flatMap((part, at) => {
    if (at % 2 === 1) return cited(Number(part.slice(1, -1)))
    const runs = part.split(bold).map((run, place) => (place % 2 === 1 ? element("strong", [run]) : run))
    return runs.filter((run) => run !== "")
  })

const cellsOf = (row: string): ReadonlyArray<string> =>
  row
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim())

const tableOf = (rows: ReadonlyArray<string>, write: (text: string) => ReadonlyArray<Markup>): Markup => {
  const [head = "", , ...body] = rows
  const rowOf = (row: string, tag: string) =>
    element(
      "tr",
      cellsOf(row).map((cell) => element(tag, write(cell)))
    )
  return element("table", [
    element("thead", [rowOf(head, "th")]),
    element(
      "tbody",
      body.map((row) => rowOf(row, "td"))
    )
  ])
}

const blockOf = (block: string, write: (text: string) => ReadonlyArray<Markup>): Markup => {
  const lines = block.split("\n")
  const items = (sign: RegExp) => lines.map((line) => element("li", write(line.replace(sign, ""))))
  if (block.startsWith("### ")) return element("h3", write(block.slice(4)))
  if (block.startsWith("- ")) return element("ul", items(/^- /))
  if (block.startsWith("1. ")) return element("ol", items(/^\d+\. /))
  return block.startsWith("|") ? tableOf(lines, write) : element("p", write(block))
}

/**
 * An answer as the blocks of a page.
 *
 * Laws: read back as markdown, without what `cite` adds, it gives the answer's markdown.
 */
export const markupOf = (spans: ReadonlyArray<Span>, cite: Cite): ReadonlyArray<Markup> => {
  const marked = spans.map(({ text, cites }, index) => (cites.length === 0 ? text : `${text}\uE000${index}\uE001`))
  const write = (text: string) => inline(text, (span) => cite(spans[span]?.cites ?? []))
  return marked
    .join("")
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => blockOf(block, write))
}

/** The same as HTML, for pages that are delivered whole. */
export const htmlOf = (markup: ReadonlyArray<Markup>): string =>
  markup
    .map((piece) => {
      if (typeof piece === "string") return escaped(piece)
      const attributes = Object.entries(piece.attributes ?? {}).map(([name, value]) => ` ${name}="${escaped(value)}"`)
      return `<${piece.tag}${attributes.join("")}>${htmlOf(piece.children)}</${piece.tag}>`
    })
    .join("")

/** `add(parent, tag, attributes, text)` for the scripts of pages: appends a new element. */
export const addScript = `
const add = (parent, tag, attributes, text) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (text !== undefined) element.textContent = text
  parent.append(element)
  return element
}`

/** `typed(composer)` for the scripts of pages with a composer: its text. An editable element keeps each line in a node of its own. */
export const typedScript = `
const typed = (composer) => Array.from(composer.childNodes, (line) => line.textContent).join("\\n")`

/** `build(parent, markup)` for pages whose script inserts the pieces, with texts as text nodes only. Needs `add`. */
export const buildScript = `
const build = (parent, markup) => {
  for (const piece of markup) {
    if (typeof piece === "string") {
      parent.append(document.createTextNode(piece))
      continue
    }
    build(add(parent, piece.tag, piece.attributes ?? {}), piece.children)
  }
}`
