import { type CheerioAPI, load } from "cheerio/slim"

/** A node of a parsed page. */
export type MarkupNode = ReturnType<CheerioAPI["root"]>[number]["children"][number]

/** An element of a parsed page. */
export type MarkupElement = Extract<MarkupNode, { readonly attribs: unknown }>

/** The depth to which browsers nest elements. */
export const depthMax = 512

const htmlMaxLength = 8 * 1024 * 1024
const openMax = 2 * depthMax

// Elements without an end tag, or whose end tag may be left out.
const unpaired = new Set(
  (
    "area base br col embed hr img input link meta param source track wbr " +
    "p li dt dd tr td th tbody thead tfoot option optgroup html head body"
  ).split(" ")
)
const tag = /<(\/?)([a-z][^\s/>]{0,64})/gi

/** The markup, cut where it nests deeper than in a browser: the parser takes quadratic time for deep nesting. */
export const limitDepth = (html: string): string => {
  let open = 0
  for (const found of html.matchAll(tag)) {
    if (unpaired.has((found[2] ?? "").toLowerCase())) continue
    open = found[1] === "/" ? Math.max(0, open - 1) : open + 1
    if (open > openMax) return html.slice(0, found.index)
  }
  return html
}

/**
 * A page, parsed. Comments are nodes of its tree.
 *
 * One element is put around the whole page, because a search through many elements at the root takes quadratic time.
 * Laws: linear in the markup, of which at most 8 MiB are read.
 */
export const parseMarkup = (html: string): CheerioAPI =>
  load(`<html>${limitDepth(html.slice(0, htmlMaxLength))}</html>`)

/** Whether a node is an element, whatever its tag. */
export const isElement = (node: MarkupNode): node is MarkupElement => "attribs" in node

/** The elements around a node, innermost first. */
export const ancestorsOf = (node: MarkupNode): ReadonlyArray<MarkupElement> => {
  const outer: Array<MarkupElement> = []
  for (let next = node.parent; next !== null && isElement(next); next = next.parent) outer.push(next)
  return outer
}

/** The elements that a selector matches, in the page or inside one element, in their order. Laws: linear, even on a very wide page. */
export const select = ($: CheerioAPI, selector: string, inside?: MarkupElement): ReadonlyArray<MarkupElement> => {
  const named = $(selector).toArray().filter(isElement)
  return inside === undefined ? named : named.filter((element) => ancestorsOf(element).includes(inside))
}

/** The elements inside an element that pass a test, in their order. */
export const descendants = (
  element: MarkupElement,
  test: (inner: MarkupElement) => boolean
): ReadonlyArray<MarkupElement> => {
  const found: Array<MarkupElement> = []
  const open = element.children.toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isElement(next)) continue
    if (test(next)) found.push(next)
    for (let at = next.children.length - 1; at >= 0; at--) open.push(...next.children.slice(at, at + 1))
  }
  return found
}

/** Removes elements from their page. Laws: linear. The links between the remaining neighbours are not updated. */
export const drop = (elements: ReadonlyArray<MarkupElement>): void => {
  const dropped = new Set<MarkupNode>(elements)
  for (const parent of new Set(elements.map((element) => element.parent))) {
    if (parent !== null) parent.children = parent.children.filter((child) => !dropped.has(child))
  }
}

/** The level of a heading, 1 to 6; 0 for any other element. */
export const headingLevel = ({ attribs, name }: MarkupElement): number => {
  if (/^h[1-6]$/.test(name)) return Number(name[1])
  return attribs["role"] === "heading" ? Math.min(6, Math.max(1, Number(attribs["aria-level"] ?? 2) || 2)) : 0
}

const hidingStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Whether an element's own attributes hide it. */
export const isHidden = ({ attribs }: MarkupElement): boolean =>
  attribs["hidden"] !== undefined || attribs["aria-hidden"] === "true" || hidingStyle.test(attribs["style"] ?? "")

/** The text of a text node; undefined for any other node. */
export const dataOf = (node: MarkupNode): string | undefined =>
  node.nodeType === 3 && "data" in node ? node.data : undefined

/** All text inside a node, unchanged. */
export const textContentOf = (node: MarkupNode, depth = 0): string => {
  if (depth > depthMax) return ""
  return isElement(node) ? node.children.map((child) => textContentOf(child, depth + 1)).join("") : (dataOf(node) ?? "")
}
