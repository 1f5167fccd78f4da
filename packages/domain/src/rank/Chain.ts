import { isTitle } from "@sightline/domain/mention/Naming"
import { type Head, headAt, named } from "./Head.ts"
import type { Span, Stretch } from "./Span.ts"

// Chains such as "Acme > Bolt > Corex", which rank by the order of their links.

const rankingCue =
  /\b(?:rank(?:ing|ed|s|ings)?|(?:in|the|this|that|my|our|following|personal|overall) order|order(?:ed)? (?:of|by)|best to worst|worst to best|top picks?|tiers?|preference|verdict|leaderboard)\b/iu
const breadcrumb =
  /\b(?:settings|preferences|file|menu|home|account|edit|view|tools|options|dashboard|click|tap|select|navigate|go to)\b/iu
const worstFirst = /\b(?:worst to best|least to most|lowest to highest|last to first|bottom to top)\b/iu

// Quotation signs, HTML tags, and remarks in brackets.
const notLinks = /^\s*>+|<\/?[a-z][^<>]*>|\([^()]*\)/gi

// A chain ends with its sentence.
const endsSentence = /[.!?][*_"”’)]{0,3}\s/u

/** A line that ranks by the order of its links. Units: offsets in the text as written. */
interface Chain {
  readonly parts: ReadonlyArray<Stretch>
  readonly isWorstFirst: boolean
  /** Where the chain ends, at the latest with its sentence. */
  readonly to: number
}

/**
 * Reads a line as a chain: "My ranking: Acme > Bolt > Corex". After a word for ranking, commas separate links as well. Tags and remarks in
 * brackets are ignored, except the one that contains `span`. The chain begins after the colon, or at the start of the line where there is
 * no colon or `span` stands before it.
 */
const chainIn = (line: Stretch, above: string, span: Span | undefined): Chain | undefined => {
  const colon = line.text.search(/:\s/)
  const cued = rankingCue.test(colon >= 0 ? line.text.slice(0, colon) : line.text) || rankingCue.test(above)
  const body = span === undefined || line.from + colon < span.from ? colon + 1 : 0
  if (body === 0 && colon >= 0 && rankingCue.test(line.text.slice(0, colon))) return undefined
  const mentioned = span === undefined ? -1 : span.from - line.from - body
  const rest = line.text
    .slice(body)
    .replace(notLinks, (sign: string, at: number) =>
      at < mentioned && mentioned < at + sign.length ? sign : " ".repeat(sign.length)
    )
  const isChain = /[^\s>-]\s*(?:>{1,3}|›|≻)\s*[^\s>]/u.test(rest)
  const lastArrow = isChain ? Math.max(rest.lastIndexOf(">"), rest.lastIndexOf("›"), rest.lastIndexOf("≻")) : 0
  const end = rest.slice(lastArrow).search(endsSentence)
  const chain = end < 0 ? rest : rest.slice(0, lastArrow + end)
  const links = chain.split(isChain ? /((?<!-)>{1,3}|›|≻)/u : /(,\s*(?:and\s|then\s)?|;|\s(?:and|then)\s)/u)
  const words = links.filter((_, index) => index % 2 === 0)
  if (words.length < (cued ? 2 : 3) || breadcrumb.test(line.text)) return undefined
  if (!cued && !(isChain && words.every((part) => part.trim().split(/\s+/).length <= 8))) return undefined
  if (!isChain && (body === 0 || words.some((part) => part.trim().split(/\s+/).length > 5))) return undefined
  const parts: Array<Stretch> = []
  let from = line.from + body
  for (const [index, link] of links.entries()) {
    if (index % 2 === 0) parts.push({ text: link, from })
    from += link.length
  }
  return { parts, isWorstFirst: worstFirst.test(line.text) || worstFirst.test(above), to: from }
}

/** The place of the `index`th link. */
const placeAt = ({ isWorstFirst, parts }: Chain, index: number): number =>
  isWorstFirst ? parts.length - index : index + 1

const placeInChain = (line: Stretch, above: string, span: Span): number | undefined => {
  const chain = chainIn(line, above, span)
  if (chain === undefined || span.from > chain.to) return undefined
  const behind = chain.parts.findIndex(({ from }) => from > span.from)
  return placeAt(chain, (behind < 0 ? chain.parts.length : Math.max(1, behind)) - 1)
}

const rankingWord = /rank|order|worst|tier/iu

const previousLine = (text: string, lineFrom: number): string => {
  const end = text.slice(Math.max(0, lineFrom - 200), lineFrom).trimEnd()
  return end.slice(end.lastIndexOf("\n") + 1)
}

/** Whether a text may hold a chain's arrows. */
export const hasArrow = (text: string): boolean => text.includes(">") || text.includes("›") || text.includes("≻")

const hasColonBefore = ({ text, from }: Stretch, span: Span): boolean => {
  const colon = text.indexOf(":")
  return colon >= 0 && colon < span.from - from
}

/** The place of the first mention that is in a chain: in a line with arrows, or with a word for ranking and a colon. */
export const placeInChains = (
  text: string,
  mentions: ReadonlyArray<Span>,
  lines: ReadonlyArray<Stretch>
): number | undefined => {
  const to = lines.reduce((end, line) => Math.max(end, line.from + line.text.length), 0)
  // Most answers contain neither, so all lines are tested together first.
  const all = text.slice(lines[0]?.from, to)
  const anyArrow = hasArrow(all)
  let anyWord: boolean | undefined
  for (const [index, span] of mentions.entries()) {
    const line = lines[index]
    if (line === undefined) continue
    if (!(anyArrow && hasArrow(line.text))) {
      if (!hasColonBefore(line, span)) continue
      anyWord ??= rankingWord.test(all)
      if (!anyWord || !rankingWord.test(line.text)) continue
    }
    const place = placeInChain(line, previousLine(text, line.from), span)
    if (place !== undefined) return place
  }
  return undefined
}

const mostLinks = 50
// Longer lines are prose.
const longestChain = 600
const fewestNamed = 2

/**
 * The names of the first chain of names in a text, numbered by their places. Empty where there is no chain, or where two of its links name
 * nothing. Where a list already numbers names, commas make no chain ("Stocked in the order: Acme, Bolt").
 */
export const chainHeads = (text: string, isNumbered: boolean): ReadonlyArray<Head> => {
  const mayHold = (stretch: string): boolean =>
    hasArrow(stretch) || (!isNumbered && stretch.includes(": ") && rankingWord.test(stretch))
  if (!mayHold(text)) return []
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    const next = text.indexOf("\n", from)
    to = next < 0 ? text.length : next
    if (to - from > longestChain) continue
    const line = { text: text.slice(from, to), from }
    if (!mayHold(line.text)) continue
    const chain = chainIn(line, previousLine(text, from), undefined)
    if (chain === undefined || chain.parts.length > mostLinks) continue
    const heads = chain.parts.map((part, index) =>
      headAt(text, part.from, part.from + part.text.length, placeAt(chain, index))
    )
    const links = heads.filter(({ isName }) => isName)
    // A link in ordinary words is a name as the others are: "Acme, then Farrow & Ball".
    if (links.length >= Math.max(fewestNamed, heads.length - 1))
      return heads.filter(({ isName, name }) => isName || isTitle(name)).map(named)
  }
  return []
}
