import type { Head } from "./Head.ts"
import { isStep } from "@sightline/domain/mention/Naming"
import { placeInChains } from "./Chain.ts"
import { numberOf } from "./PlaceWords.ts"
import type { Span, Stretch } from "./Span.ts"

const longestLine = 600

/** The line around each span, in the order of the spans. Spans in one line share the search for its ends. */
export const linesAround = (text: string, spans: ReadonlyArray<Span>): ReadonlyArray<Stretch> => {
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

/** Whether a head contains one of the spans, or begins where it begins: a name may continue after the punctuation that ends the head. */
export const holds = (head: Head, spans: ReadonlyArray<Span>): boolean =>
  spans.some(({ from, to }) => from === head.from || (from >= head.from && to <= head.to))

/** Whether most items of a list are instructions. */
const areSteps = (list: ReadonlyArray<Head>): boolean =>
  list.length > 1 && 2 * list.filter(({ name }) => isStep(name)).length > list.length

/** Whether numbers count down without reaching 1, as scores do: "9 - Acme, 8 - Bolt". */
const areScores = (list: ReadonlyArray<Head>): boolean => {
  const [first, last] = [list[0]?.number ?? 0, list.at(-1)?.number ?? 0]
  return last > 1 && last < first && list[0]?.table === undefined
}

/**
 * The numbered heads as lists that count up or down. A number out of step begins another list, except in a table's column of places and
 * around shared places ("1, 2, 2, 4"). Lists of instructions and of scores are left out.
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

/** The numbered list that ranks: the first one with names, because lists without names only group. Empty where there is none. */
export const rankingList = <A extends Head>(heads: ReadonlyArray<A>): ReadonlyArray<A> => {
  const list = listsOf(heads).find((heads) => heads.some(({ isName }) => isName)) ?? []
  return list.length > 1 ? list : []
}

const numberIn = (list: ReadonlyArray<Head> | undefined, spans: ReadonlyArray<Span>): number | undefined => {
  const number = list !== undefined && list.length > 1 ? list.find((head) => holds(head, spans))?.number : undefined
  return number !== undefined && number >= 1 ? number : undefined
}

/** The number printed before the head that contains one of the spans, in the first list that has names or contains a span. */
export const numberOfHead = (heads: ReadonlyArray<Head>, spans: ReadonlyArray<Span>): number | undefined =>
  numberIn(
    listsOf(heads).find((heads) => heads.some((head) => head.isName || holds(head, spans))),
    spans
  )

/**
 * The place that the answer explicitly gives one of these mentions; undefined where it gives none.
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
