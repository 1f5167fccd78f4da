import type { Head } from "./Head.ts"
import { isStep } from "@sightline/domain/mention/Naming"
import { numberOf } from "./PlaceWords.ts"
import type { Span, Stretch } from "./Span.ts"

const longestLine = 600

/** The lines of spans in their order; several spans of one line look for its ends once. */
const linesAround = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<Stretch> => {
  let lineFrom = 0
  let lineTo = -1
  return spans.map(({ from, to }) => {
    if (to > lineTo) {
      lineFrom = text.lastIndexOf("\n", from - 1) + 1
      const next = text.indexOf("\n", to)
      lineTo = next < 0 ? text.length : next
    }
    const start = Math.max(lineFrom, from - longestLine)
    return { text: text.slice(start, Math.min(lineTo, to + longestLine)), from: start }
  })
}

const rankingCue =
  /\b(?:rank(?:ing|ed|s|ings)?|order(?:ed)?|best to worst|worst to best|top picks?|tiers?|preference|verdict|leaderboard)\b/iu
const breadcrumb =
  /\b(?:settings|preferences|file|menu|home|account|edit|view|tools|options|dashboard|click|tap|select|navigate|go to)\b/iu
const worstFirst = /\b(?:worst to best|least to most|lowest to highest|last to first|bottom to top)\b/iu

// The sign of a quotation, tags of HTML, and what is said of a name in brackets.
const notLinks = /^\s*>+|<\/?[a-z][^<>]*>|\([^()]*\)/gi

const positionIn = (parts: ReadonlyArray<string>, separatorLength: (index: number) => number, at: number): number => {
  let reached = 0
  for (let index = 0; index < parts.length; index++) {
    reached += (parts[index]?.length ?? 0) + separatorLength(index)
    if (at < reached) return index
  }
  return parts.length - 1
}

/** "My ranking: Acme > Bolt > Corex", also with commas after a cue; from the last when it runs worst to best. */
const placeInChain = (line: Stretch, above: string, span: Span): number | undefined => {
  const colon = line.text.search(/:\s/)
  const cued = rankingCue.test(colon >= 0 ? line.text.slice(0, colon) : line.text) || rankingCue.test(above)
  const body = line.from + colon < span.from ? colon + 1 : 0
  if (body === 0 && colon >= 0 && rankingCue.test(line.text.slice(0, colon))) return undefined
  const mentioned = span.from - line.from - body
  const chain = line.text
    .slice(body)
    .replace(notLinks, (sign: string, at: number) =>
      at < mentioned && mentioned < at + sign.length ? sign : " ".repeat(sign.length)
    )
  const isChain = /[^\s>-]\s*(?:>{1,3}|›|≻)\s*[^\s>]/u.test(chain)
  const links = chain.split(isChain ? /((?<!-)>{1,3}|›|≻)/u : /(,\s*(?:and\s|then\s)?|;|\s(?:and|then)\s)/u)
  const parts = links.filter((_, index) => index % 2 === 0)
  if (parts.length < (cued ? 2 : 3) || breadcrumb.test(line.text)) return undefined
  if (!cued && !(isChain && parts.every((part) => part.trim().split(/\s+/).length <= 8))) return undefined
  if (!isChain && (body === 0 || parts.some((part) => part.trim().split(/\s+/).length > 5))) return undefined
  // A chain ends with its sentence.
  const last = chain.length - (parts.at(-1)?.length ?? 0)
  const end = chain.slice(last).search(/[.!?]\s/)
  if (isChain && end >= 0 && mentioned > last + end) return undefined
  const place = positionIn(parts, (index) => links[2 * index + 1]?.length ?? 0, mentioned)
  return worstFirst.test(line.text) || worstFirst.test(above) ? parts.length - place : place + 1
}

const rankingWord = /rank|order|worst|tier/iu

const previousLine = (text: string, lineFrom: number): string => {
  const end = text.slice(Math.max(0, lineFrom - 200), lineFrom).trimEnd()
  return end.slice(end.lastIndexOf("\n") + 1)
}

/** Whether a head is where one of these stands; a name that goes on behind the head's punctuation stands there too. */
export const holds = (head: Head, spans: ReadonlyArray<Span>): boolean =>
  spans.some(({ from, to }) => from === head.from || (from >= head.from && to <= head.to))

/** Whether most items of a list tell what to do. */
const areSteps = (list: ReadonlyArray<Head>): boolean =>
  list.length > 1 && 2 * list.filter(({ name }) => isStep(name)).length > list.length

/** Whether numbers count down to none that is first, as scores do: "9 - Acme, 8 - Bolt". */
const areScores = (list: ReadonlyArray<Head>): boolean => {
  const [first, last] = [list[0]?.number ?? 0, list.at(-1)?.number ?? 0]
  return last > 1 && last < first && list[0]?.table === undefined
}

/**
 * Numbered heads as lists that count up or down; a number out of step begins another, but in a table's column of places and
 * around those that share one ("1, 2, 2, 4").
 * Steps make none, nor do scores.
 */
const listsOf = <A extends Head>(heads: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const lists: Array<Array<A>> = []
  let [step, ties, before] = [0, 1, Number.NaN]
  for (const head of heads) {
    if (head.number === undefined) continue
    const list = lists.at(-1)
    const stride = head.number - before
    const isStepped = list !== undefined && list.length > 1
    const isTie = isStepped && stride === 0
    const isInStep = isStepped ? isTie || stride === step || stride === step * ties : Math.abs(stride) === 1
    const isNext = head.table === undefined ? isInStep : head.table === list?.at(-1)?.table
    if (list !== undefined && isNext) {
      list.push(head)
    } else lists.push([head])
    if (!isStepped || !isNext) step = stride
    ties = isTie ? ties + 1 : 1
    before = head.number
  }
  return lists.filter((list) => !areSteps(list) && !areScores(list))
}

/** The numbered list that ranks: the first one of names, as others group; empty where there is none. */
export const rankingList = <A extends Head>(heads: ReadonlyArray<A>): ReadonlyArray<A> => {
  const list = listsOf(heads).find((heads) => heads.some(({ isName }) => isName)) ?? []
  return list.length > 1 ? list : []
}

const numberIn = (list: ReadonlyArray<Head> | undefined, spans: ReadonlyArray<Span>): number | undefined => {
  const number = list !== undefined && list.length > 1 ? list.find((head) => holds(head, spans))?.number : undefined
  return number !== undefined && number >= 1 ? number : undefined
}

/** The number printed before the head that holds one of these, be it a list of names or of whatever holds them. */
export const numberOfHead = (heads: ReadonlyArray<Head>, spans: ReadonlyArray<Span>): number | undefined =>
  numberIn(
    listsOf(heads).find((heads) => heads.some((head) => head.isName || holds(head, spans))),
    spans
  )

const hasArrow = (text: string): boolean => text.includes(">") || text.includes("›") || text.includes("≻")

const hasColonBefore = ({ text, from }: Stretch, span: Span): boolean => {
  const colon = text.indexOf(":")
  return colon >= 0 && colon < span.from - from
}

/** The place in the first chain that names one of these: in a line with arrows, or a word for ranking and a colon. */
const placeInChains = (
  text: string,
  mentions: ReadonlyArray<Span>,
  lines: ReadonlyArray<Stretch>
): number | undefined => {
  const to = lines.reduce((end, line) => Math.max(end, line.from + line.text.length), 0)
  // Most answers hold neither, which one look at all these lines tells.
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

/**
 * The place that the answer itself gives one of these mentions in so many words; undefined where it gives none.
 * Source: decisions C5.
 */
export const statedOrdinal = (
  text: string,
  mentions: ReadonlyArray<Span>,
  heads: ReadonlyArray<Head>
): number | undefined => {
  const lines = linesAround(text, mentions)
  const place = placeInChains(text, mentions, lines)
  if (place !== undefined) return place
  for (const [index, span] of mentions.entries()) {
    const line = lines[index]
    const number = line === undefined ? undefined : numberOf(text, line, span)
    if (number !== undefined) return number
  }
  return numberIn(rankingList(heads), mentions)
}
