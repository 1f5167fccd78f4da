import { type CheerioAPI, load } from "cheerio/slim"

/** A node of a parsed page. */
export type MarkupNode = ReturnType<CheerioAPI["root"]>[number]["children"][number]

/** An element of a parsed page. */
export type MarkupElement = Extract<MarkupNode, { readonly attribs: unknown }>

/** As deep as browsers nest. */
export const depthMax = 512

const htmlMaxLength = 8 * 1024 * 1024
const openMax = 2 * depthMax

// Elements that end by themselves, or whose end may be left out.
const unpaired = new Set(
  (
    "area base br col embed hr img input link meta param source track wbr " +
    "p li dt dd tr td th tbody thead tfoot option optgroup html head body"
  ).split(" ")
)
const tag = /<(\/?)([a-z][^\s/>]{0,64})/gi

/** The markup up to where it nests deeper than a browser would, which the parser takes quadratic time for. */
export const shallow = (html: string): string => {
  let open = 0
  for (const found of html.matchAll(tag)) {
    if (unpaired.has((found[2] ?? "").toLowerCase())) continue
    open = found[1] === "/" ? Math.max(0, open - 1) : open + 1
    if (open > openMax) return html.slice(0, found.index)
  }
  return html
}

/**
 * A page, parsed. Comments are nodes of its tree. Laws: linear in the markup, of which at most 8 MiB are read.
 *
 * One element is around all of it, since a search below many takes quadratic time.
 */
export const parseMarkup = (html: string): CheerioAPI => load(`<html>${shallow(html.slice(0, htmlMaxLength))}</html>`)

/** Whether a node is an element, whatever its tag. */
export const isElement = (node: MarkupNode): node is MarkupElement => "attribs" in node

/** The elements that stand around a node, from the inside out. */
export const around = (node: MarkupNode): ReadonlyArray<MarkupElement> => {
  const outer: Array<MarkupElement> = []
  for (let next = node.parent; next !== null && isElement(next); next = next.parent) outer.push(next)
  return outer
}

/** The elements of a page, or those inside one, that a selector names, in their order. Laws: linear, however wide a page. */
export const select = ($: CheerioAPI, selector: string, inside?: MarkupElement): ReadonlyArray<MarkupElement> => {
  const named = $(selector).toArray().filter(isElement)
  return inside === undefined ? named : named.filter((element) => around(element).includes(inside))
}

/** The elements inside one that pass a test, in their order. */
export const within = (
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

/** Takes elements out of their page. Laws: linear; what stood beside them no longer knows its neighbours. */
export const drop = (elements: ReadonlyArray<MarkupElement>): void => {
  const dropped = new Set<MarkupNode>(elements)
  for (const parent of new Set(elements.map((element) => element.parent))) {
    if (parent !== null) parent.children = parent.children.filter((child) => !dropped.has(child))
  }
}

/** How deep a heading is, 1 to 6; 0 for what is none. */
export const headingLevel = ({ attribs, name }: MarkupElement): number => {
  if (/^h[1-6]$/.test(name)) return Number(name[1])
  return attribs["role"] === "heading" ? Math.min(6, Math.max(1, Number(attribs["aria-level"] ?? 2) || 2)) : 0
}

const hidingStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Whether an element says of itself that it is not shown. */
export const isHidden = ({ attribs }: MarkupElement): boolean =>
  attribs["hidden"] !== undefined || attribs["aria-hidden"] === "true" || hidingStyle.test(attribs["style"] ?? "")

/** The characters of a text node. */
export const dataOf = (node: MarkupNode): string | undefined =>
  node.nodeType === 3 && "data" in node ? node.data : undefined

/** All characters inside a node, as they stand in the markup. */
export const charactersIn = (node: MarkupNode, depth = 0): string => {
  if (depth > depthMax) return ""
  return isElement(node) ? node.children.map((child) => charactersIn(child, depth + 1)).join("") : (dataOf(node) ?? "")
}
