import { isLetter } from "@sightline/domain/text/Letters"
import { isReplacement } from "@sightline/domain/mention/Naming"
import { type Head, headAt } from "./Head.ts"

// Names after a colon in a line of prose: the winner of an award, a series of alternatives, or a numbered list.

const longestAward = 40
const longestSeries = 300
const joints = /,\s(?:(?:and|or)\s)?|\s(?:and|or)\s/g

/** The heads of a stretch that is a series of names and nothing else ("Acme, Bolt and Corex."); none for any other. */
const seriesHeads = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  if (to - from > longestSeries) return []
  const heads: Array<Head> = []
  let at = from
  for (const joint of [...text.slice(from, to).matchAll(joints), undefined]) {
    const end = joint === undefined ? to : from + joint.index
    heads.push(headAt(text, at, end, undefined))
    at = end + (joint?.[0].length ?? 0)
  }
  return heads.every(({ isName }) => isName) ? heads : []
}

/**
 * The winner of the award that opens a line of prose ("Best overall: Acme"), or all names of a series of alternatives; none for any other
 * line.
 */
const awarded = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  const colon = text.slice(from, Math.min(to, from + longestAward)).indexOf(": ")
  if (colon < 0 || !isLetter(text.charCodeAt(from))) return []
  const label = text.slice(from, from + colon).replace(/[*_]/g, "")
  const series = isReplacement(label) ? seriesHeads(text, from + colon + 2, to) : []
  if (series.length > 1) return series
  const head = headAt(text, from, to, undefined)
  return head.isName && head.from > from + colon ? [head] : []
}

const numbers = /(?:\s(?:and|or|und|oder|y|et|e|en))?\s[*_]{0,3}\(?(\d{1,2})[.)] (?=[*_["“]{0,4}\p{L})/gu
const behindColon = /:[*_]{0,3}$/

/** The items of a numbered list that begins after a colon in a line of prose: "Try these: 1. Acme 2. Bolt". */
const numbered = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  const line = text.slice(from, to)
  if (!line.includes("1. ") && !line.includes("1) ")) return []
  const items: Array<RegExpExecArray> = []
  for (const item of line.matchAll(numbers)) {
    const isNext = Number(item[1]) === items.length + 1
    if (isNext && (items.length > 0 || behindColon.test(line.slice(Math.max(0, item.index - 4), item.index))))
      items.push(item)
  }
  const heads = items.map((item, at) =>
    headAt(text, from + item.index + item[0].length, from + (items[at + 1]?.index ?? line.length), at + 1)
  )
  return heads.filter(({ isName }) => isName).length > 1 ? heads : []
}

/** The heads after a colon in the line of prose in `[from, to)`. */
export const headsWithin = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  const items = numbered(text, from, to)
  return items.length > 0 ? items : awarded(text, from, to)
}
