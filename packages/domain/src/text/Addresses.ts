import { isAsciiWord, isUnspaced } from "./Letters.ts"

/** A stretch of a text, in UTF-16 units. */
export type Interval = readonly [from: number, to: number]

const stopsAddress = new Set(" \t\n\r\u00a0\u3000<>\"'`[]{}|\\^“”‘’«»（）「」『』【】，。、；：")

/** Where the address that begins at `from` ends. A bracket belongs to it only when it opened inside. */
const endOfAddress = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (isAsciiWord(text.charCodeAt(at))) continue
    const character = text.charAt(at)
    if (stopsAddress.has(character)) return at
    if (character === "(") depth++
    if (character === ")" && depth-- === 0) return at
    // Text in a script without spaces may directly follow an address: https://acme.comを見る.
    if (isUnspaced(text.charCodeAt(at)) && isAsciiWord(text.charCodeAt(at - 1))) return at
  }
  return text.length
}

const longestBracket = 2000
const deepestBracket = 8

/** The end of the bracketed stretch opened at `open`; -1 where it is longer or nested more deeply than people write. */
const closingBracket = (text: string, open: number): number => {
  const limit = Math.min(text.length, open + longestBracket)
  let depth = 0
  for (let at = open; at < limit && depth <= deepestBracket; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 40) depth++
    if (unit === 41 && --depth === 0) return at + 1
  }
  return -1
}

const eachOf = (text: string, mark: string, visit: (at: number) => number): void => {
  let at = text.indexOf(mark)
  while (at >= 0) at = text.indexOf(mark, Math.max(visit(at), at + mark.length))
}

/** Sorted stretches without overlap: an address may lie inside a citation. */
const merged = (sorted: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const apart: Array<Interval> = []
  for (const [from, to] of sorted) {
    const last = apart.at(-1)
    if (last !== undefined && from <= last[1]) apart[apart.length - 1] = [last[0], Math.max(last[1], to)]
    else apart.push([from, to])
  }
  return apart
}

const longestCitationNumber = 12

/** Addresses, link targets and bracketed citations of a part of a line, in the order in which they begin. */
export const addressesOf = (line: string): ReadonlyArray<Interval> => {
  const found: Array<Interval> = []
  const note = (start: number, end: number): number => {
    found.push([start, end])
    return end
  }
  eachOf(line, "://", (at) => {
    let start = at
    while (start > 0 && isAsciiWord(line.charCodeAt(start - 1))) start--
    return note(start, endOfAddress(line, at + 3))
  })
  eachOf(line, "www.", (at) => note(at, endOfAddress(line, at)))
  eachOf(line, "](", (at) => {
    const end = closingBracket(line, at + 1)
    return end < 0 ? at : note(at + 1, end)
  })
  eachOf(line, "([", (at) => {
    const end = closingBracket(line, at)
    const inside = end < 0 ? "" : line.slice(at, end)
    return inside.includes("](") || inside.includes("][") || inside.endsWith("])") ? note(at, end) : at
  })
  eachOf(line, "【", (at) => {
    const dagger = line.slice(at, at + longestCitationNumber).indexOf("†")
    if (dagger < 0) return at
    const end = line.indexOf("】", at)
    // Without a closing bracket no later citation ends either.
    return end < 0 ? line.length : end > at + dagger ? note(at, end) : at
  })
  return found.length < 2 ? found : merged(found.sort((a, b) => a[0] - b[0]))
}
