import { isCitation } from "@sightline/platforms/MatchText"
import {
  dataOf,
  depthMax,
  headingLevel,
  isElement,
  isHidden,
  type MarkupElement,
  type MarkupNode,
  parseMarkup,
  textContentOf
} from "./Markup.ts"
import { MarkdownWriter } from "./MarkdownWriter.ts"

const htmlMaxLength = 1024 * 1024
const urlMaxLength = 2000
const labelMaxLength = 200

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Elements without words, or whose words only name the page's controls. */
const mute = words(
  "script style noscript template head title img svg picture video audio iframe object canvas map " +
    "button input select textarea option dialog"
)
const blocks = words(
  "div p section article header footer main aside figure figcaption blockquote details summary form fieldset address " +
    "ul ol dl dt dd table tbody thead tfoot tr td th caption nav hgroup body html"
)
/** Blocks that are not paragraphs: an empty line around them would break lists and rows apart. */
const closeBlocks = words("dt dd tbody thead tfoot tr td th caption summary")
const signs: Partial<Record<string, string>> = { b: "**", strong: "**", i: "*", em: "*", code: "`", kbd: "`" }

/** Whether an element is a control without words of the answer. A control that opens a part of the answer contains its heading. */
const isControl = ({ attribs, children }: MarkupElement): boolean =>
  attribs["role"] === "button" && !children.some((child) => isElement(child) && headingLevel(child) > 0)

const isSilent = (element: MarkupElement): boolean => mute.has(element.name) || isHidden(element) || isControl(element)

/**
 * What closes a link's label. With "" only the label is kept. With undefined the label is removed too: a link that only
 * cites and leads nowhere would leave its number in the sentence.
 */
const linkEnd = (href: string, label: string): string | undefined => {
  const url = href
    .trim()
    .replace(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`)
  const usable = /^https?:\/\//i.test(url) && url.length <= urlMaxLength
  if (usable && label.length <= labelMaxLength && !/[[\]]/.test(label)) return `](${url})`
  return isCitation({ label, url: usable ? url : "" }) ? undefined : ""
}

const writeChildren = (writer: MarkdownWriter, { children }: MarkupElement, depth: number): void => {
  for (const child of children) write(writer, child, depth + 1)
}

/** The number that an attribute begins with. */
const numberIn = (text = ""): number | undefined => {
  const number = Number.parseInt(text, 10)
  return Number.isNaN(number) ? undefined : number
}

const isItem = (node: MarkupNode): node is MarkupElement => isElement(node) && node.name === "li" && !isSilent(node)

const writeList = (writer: MarkdownWriter, list: MarkupElement, depth: number): void => {
  const step = list.attribs["reversed"] === undefined ? 1 : -1
  const first = numberIn(list.attribs["start"]) ?? (step === 1 ? 1 : list.children.filter(isItem).length)
  let place = first - step
  writer.gap(2)
  for (const child of list.children) {
    if (!isItem(child)) {
      write(writer, child, depth + 1)
      continue
    }
    place = numberIn(child.attribs["value"]) ?? place + step
    const sign = list.name === "ol" ? `${place}. ` : "- "
    writer.led(sign, " ".repeat(sign.length), () => writeChildren(writer, child, depth + 1))
  }
  writer.gap(2)
}

const writeCode = (writer: MarkdownWriter, code: string): void => {
  if (code === "" || writer.inOneLine) return writer.words(` ${code} `)
  writer.verbatim(`\`\`\`\n${code}\n\`\`\``)
}

const rowsOf = (table: MarkupElement): ReadonlyArray<MarkupElement> =>
  table.children.filter(isElement).flatMap((part) => {
    if (part.name === "tr") return [part]
    return part.name === "tbody" || part.name === "thead" || part.name === "tfoot"
      ? part.children.filter(isElement).filter(({ name }) => name === "tr")
      : []
  })

const writeTable = (writer: MarkdownWriter, table: MarkupElement, depth: number): void => {
  const rows = rowsOf(table)
  const beside =
    rows.length === 0 ? table.children : table.children.filter((part) => isElement(part) && part.name === "caption")
  writer.gap(2)
  for (const part of beside) write(writer, part, depth + 1)
  writer.gap(2)
  rows.forEach((row, index) => {
    const cells = row.children.filter(isElement).filter(({ name }) => name === "td" || name === "th")
    writer.row(cells.map((cell) => () => writeChildren(writer, cell, depth + 3)))
    if (index === 0) writer.verbatimRow(`|${"---|".repeat(cells.length)}`)
  })
  writer.gap(2)
}

const writeElement = (writer: MarkdownWriter, element: MarkupElement, depth: number): void => {
  const { attribs, name } = element
  const inside = () => writeChildren(writer, element, depth)
  const sign = signs[name]
  const level = headingLevel(element)
  if (sign !== undefined) return writer.marked(sign, inside)
  if (name === "a") return writer.link(inside, (label) => linkEnd(attribs["href"] ?? "", label))
  if (name === "br" || name === "hr") return writer.lineEnd()
  if (name === "ul" || name === "ol") return writeList(writer, element, depth)
  if (name === "table" && !writer.inOneLine && attribs["role"] !== "presentation") {
    return writeTable(writer, element, depth)
  }
  if (name === "pre") return writeCode(writer, textContentOf(element, depth).trim())
  if (level > 0) {
    writer.gap(2)
    writer.led(`${"#".repeat(level)} `, "", () => writer.inLine(inside))
    return writer.gap(2)
  }
  if (name === "li") return writer.led("- ", "  ", inside)
  if (!blocks.has(name)) return inside()
  const lines = closeBlocks.has(name) ? 1 : 2
  writer.gap(lines)
  inside()
  writer.gap(lines)
}

const write = (writer: MarkdownWriter, node: MarkupNode, depth: number): void => {
  if (depth > depthMax) return
  if (!isElement(node)) return writer.words(dataOf(node) ?? "")
  if (!isSilent(node)) writeElement(writer, node, depth)
}

/**
 * A part of a page, as markdown.
 *
 * Shape: headings, lists, tables, bold and code are kept. Links stay links, so that `matchText` can find those that only
 * cite. Controls, pictures, scripts and hidden elements are left out.
 * Laws: linear in the markup; never throws; text that is nested deeper than in a browser is left out.
 */
export const markdownOfNodes = (nodes: Iterable<MarkupNode>): string => {
  const writer = new MarkdownWriter()
  for (const node of nodes) write(writer, node, 0)
  return writer.text()
}

/** The same for markup that is not parsed yet, of which the first 1 MiB is read. */
export const markdownOf = (html: string): string =>
  markdownOfNodes(parseMarkup(html.slice(0, htmlMaxLength)).root().contents())
