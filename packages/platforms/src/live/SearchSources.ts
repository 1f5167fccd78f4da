import type { CheerioAPI } from "cheerio/slim"
import type { Source } from "@sightline/platforms/Citations"
import { isCitation } from "@sightline/platforms/MatchText"
import { markdownOfNodes } from "./Markdown.ts"
import {
  ancestorsOf,
  dataOf,
  descendants,
  headingLevel,
  isElement,
  type MarkupElement,
  type MarkupNode,
  select
} from "./Markup.ts"
import { searchLink } from "./SearchLinks.ts"

/** A source as one part of a page names it. The more a part is about its sources, the more its titles are trusted. */
export interface NamedSource extends Source {
  readonly trust: 0 | 1 | 2
}

const linksMax = 500
const lineMaxLength = 2000

/** The text of an element in one line. */
export const lineOf = (nodes: Iterable<MarkupNode>): string =>
  markdownOfNodes(nodes)
    .slice(0, lineMaxLength)
    .replace(/\[([^\][\n]*)\]\(\S*?\)/g, "$1")
    .replace(/(?:^#+|^-|\*\*|\s)+/gm, " ")
    .trim()

interface Card {
  readonly title: string
  readonly snippet: string
}

const isAside = (element: MarkupElement): boolean =>
  element.name === "a" || element.name === "cite" || headingLevel(element) > 0

/** The nodes of an element that are outside links, headings and addresses. */
const beside = ({ children }: MarkupElement): ReadonlyArray<MarkupNode> =>
  children.flatMap((child) => {
    if (!isElement(child)) return [child]
    if (isAside(child)) return []
    return descendants(child, isAside).length === 0 ? [child] : beside(child)
  })

/** The title of a card, and the longest of its other lines. */
const cardOf = (card: MarkupElement): Card => {
  const [heading] = descendants(card, (element) => headingLevel(element) > 0)
  const lines = markdownOfNodes(beside(card)).split("\n")
  return {
    title: heading === undefined ? "" : lineOf(heading.children),
    snippet: lines.reduce((longest, line) => (line.length > longest.length ? line : longest), "").trim()
  }
}

/** Whether an element is a link. */
export const isLink = ({ attribs, name }: MarkupElement): boolean => name === "a" && attribs["href"] !== undefined

/** The sources that the links inside elements name, in their order. In a list of sources, each link has a card around it. */
export const sourcesIn = (
  $: CheerioAPI,
  elements: ReadonlyArray<MarkupElement>,
  pageUrl: string,
  cards: string
): ReadonlyArray<NamedSource> => {
  const isCard = new Set(select($, cards))
  const read = new Map<MarkupElement, Card>()
  return elements
    .flatMap((element) => descendants(element, isLink))
    .slice(0, linksMax)
    .flatMap((anchor): ReadonlyArray<NamedSource> => {
      const link = searchLink(anchor.attribs["href"] ?? "", pageUrl)
      if (link === undefined || !link.outside) return []
      const { passage, url } = link
      const label = lineOf(anchor.children)
      const place = ancestorsOf(anchor).find((outer) => isCard.has(outer))
      if (place === undefined) {
        return [{ url, snippet: passage, title: label, trust: isCitation({ label, url }) ? 0 : 1 }]
      }
      const card = read.get(place) ?? cardOf(place)
      read.set(place, card)
      const title = card.title || (anchor.attribs["aria-label"] ?? "").trim() || label
      return [{ url, title, snippet: card.snippet || passage, trust: 2 }]
    })
}

/** One source for each address, in order of first use, with the most trusted title and the first excerpt from any part. */
export const merged = (sources: ReadonlyArray<NamedSource>): ReadonlyArray<Source> => {
  const best = new Map<string, NamedSource>()
  for (const source of sources) {
    const known = best.get(source.url)
    const { title, trust } = known === undefined || source.trust > known.trust ? source : known
    best.set(source.url, { url: source.url, title, trust, snippet: known?.snippet || source.snippet })
  }
  return Array.from(best.values(), ({ snippet, title, trust, url }) => ({
    url,
    snippet,
    title: trust === 0 ? "" : title
  }))
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const commentLead = /^\s*[A-Za-z0-9]{4,12}\|?(?=\[)/
const commentMaxLength = 256 * 1024

const isPicture = (url: string): boolean => /^https?:\/\/[^/]*\.gstatic\.com\//i.test(url)

/** `[title, excerpt, picture, site, [name], address, …]`: positions change, so texts and addresses are recognised by their kind. */
const sourceOf = (fields: ReadonlyArray<unknown>): NamedSource | undefined => {
  const texts = fields.filter((field) => typeof field === "string")
  const url = texts.findLast((text) => /^https?:\/\//i.test(text) && !isPicture(text))
  const [title, snippet] = texts.filter((text) => text !== "" && !/^https?:\/\//i.test(text))
  return url === undefined ? undefined : { url, title, snippet, trust: 2 }
}

const recordsIn = (value: unknown, found: Map<string, Array<NamedSource>>, depth: number): void => {
  if (!Array.isArray(value) || depth > 8) return
  const [id, ...rest]: ReadonlyArray<unknown> = value
  if (typeof id === "string" && uuid.test(id)) {
    const sources = rest.flatMap((fields) => (Array.isArray(fields) ? (sourceOf(fields) ?? []) : []))
    found.set(id, [...(found.get(id) ?? []), ...sources])
  } else for (const inner of value) recordsIn(inner, found, depth + 1)
}

const commentsIn = (node: MarkupNode, visit: (text: string) => void): void => {
  const open: Array<MarkupNode> = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.nodeType === 8 && "data" in next) visit(next.data)
    else if ("children" in next && dataOf(next) === undefined) {
      for (const child of next.children.toReversed()) open.push(child)
    }
  }
}

/** The sources that a page keeps in its comments, by the id of the button that shows them. */
export const sourcesInComments = (nodes: Iterable<MarkupNode>): ReadonlyMap<string, ReadonlyArray<NamedSource>> => {
  const found = new Map<string, Array<NamedSource>>()
  const read = (text: string) => {
    const lead = text.length <= commentMaxLength ? commentLead.exec(text) : null
    if (lead === null) return
    try {
      recordsIn(JSON.parse(text.slice(lead[0].length)), found, 0)
    } catch {
      // A comment that only looks like data: its sources are lost, but not the answer.
    }
  }
  for (const node of nodes) commentsIn(node, read)
  return found
}

/** The ids of the buttons inside an element that show sources, in their order. */
export const sourceButtons = (element: MarkupElement): ReadonlyArray<string> =>
  descendants(element, ({ attribs }) => attribs["data-icl-uuid"] !== undefined).map(
    ({ attribs }) => attribs["data-icl-uuid"] ?? ""
  )
