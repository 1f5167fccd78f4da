import { isLetter, isUnspaced } from "./Letters.ts"

type Interval = readonly [from: number, to: number]

const stopsAddress = new Set(" \t\n\r\u00a0\u3000<>\"'`[]{}|\\^“”‘’«»（）「」『』【】，。、；：")

const isAsciiWord = (unit: number): boolean => unit < 128 && isLetter(unit)

/** Where the address that begins at `from` ends. A bracket belongs to it only when it opened inside. */
const endOfAddress = (text: string, from: number, limit: number): number => {
  let depth = 0
  for (let at = from; at < limit; at++) {
    const character = text.charAt(at)
    if (stopsAddress.has(character)) return at
    if (character === "(") depth++
    if (character === ")" && depth-- === 0) return at
    // Prose without spaces goes straight on after an address: https://acme.comを見る.
    if (isUnspaced(text.charCodeAt(at)) && isAsciiWord(text.charCodeAt(at - 1))) return at
  }
  return limit
}

/** The end of the bracketed stretch opened at `open`, on one line and within reach, or -1. */
const closingBracket = (text: string, open: number, limit: number): number => {
  let depth = 0
  for (let at = open; at < Math.min(limit, open + 2000); at++) {
    const character = text.charAt(at)
    if (character === "(") depth++
    if (character === ")" && --depth === 0) return at + 1
  }
  return -1
}

const eachOf = (text: string, mark: string, from: number, to: number, visit: (at: number) => number): void => {
  let at = text.indexOf(mark, from)
  while (at >= 0 && at < to) at = text.indexOf(mark, Math.max(visit(at), at + mark.length))
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

/** Addresses, link targets and bracketed citations of one line, by where they begin. */
const addressesOf = (text: string, from: number, to: number): ReadonlyArray<Interval> => {
  const found: Array<Interval> = []
  const note = (start: number, end: number): number => {
    found.push([start, end])
    return end
  }
  eachOf(text, "://", from, to, (at) => {
    let start = at
    while (start > from && isAsciiWord(text.charCodeAt(start - 1))) start--
    return note(start, endOfAddress(text, at + 3, to))
  })
  eachOf(text, "www.", from, to, (at) => note(at, endOfAddress(text, at, to)))
  eachOf(text, "](", from, to, (at) => {
    const end = closingBracket(text, at + 1, to)
    return end < 0 ? at : note(at + 1, end)
  })
  eachOf(text, "([", from, to, (at) => {
    const end = closingBracket(text, at, to)
    const inside = end < 0 ? "" : text.slice(at, end)
    return inside.includes("](") || inside.includes("][") || inside.endsWith("])") ? note(at, end) : at
  })
  eachOf(text, "【", from, to, (at) => {
    const end = text.indexOf("】", at)
    return end >= 0 && end < to && text.slice(at, Math.min(end, at + 12)).includes("†") ? note(at, end) : at
  })
  if (/^\s{0,3}\[[^\]\n]{1,20}\]:\s/.test(text.slice(from, Math.min(to, from + 30)))) note(from, to)
  return merged(found.sort((a, b) => a[0] - b[0]))
}

const lead = "^[^\\p{L}\\p{N}\\n]{0,12}"
const advertLabel =
  "(?:ads?|advert|advertisement|sponsored(?: (?:results?|links?|listings?|posts?|content|products?))?|promoted|paid (?:promotion|partnership|placement)|anzeige|werbung|gesponsert|annonce|publicite|sponsorise|patrocinado|anuncio|publicidad|sponsorizzato|реклама|広告|广告)"
const advert = new RegExp(
  `${lead}${advertLabel}(?:[*_]{0,3}\\s?[:·•|\\]）)]|\\s[-–—]\\s| by )|[([]${advertLabel}[)\\]]|[·•|]\\s?${advertLabel}[*_]{0,3}\\s*$`,
  "u"
)
const advertHeading = new RegExp(`${lead}${advertLabel}[^\\p{L}\\p{N}\\n]{0,12}$`, "u")
const sourceLine = new RegExp(`${lead}(?:sources?|references?|citations?)[*_]{0,3}\\s?:`, "u")
const sourceHeading = new RegExp(`${lead}(?:sources|references|citations|works cited)[^\\p{L}\\p{N}\\n]{0,12}$`, "u")

const longestLabelledLine = 400
const longestAdvert = 8

/** The parts of a folded text that are not the answer speaking: addresses, citations, source lists and adverts. */
export class Asides {
  private readonly text: string
  private lineFrom = -1
  private lineTo = -1
  private lineHidden = false
  private addresses: ReadonlyArray<Interval> = []
  private sources: ReadonlyArray<Interval> | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The end of the aside that `[start, end)` lies in or touches; 0 where the answer itself speaks. */
  hiddenUntil(start: number, end: number): number {
    this.sources ??= this.sourceLists()
    const list = this.sources.find(([from, to]) => start >= from && start < to)
    if (list !== undefined) return list[1]
    if (start < this.lineFrom || start >= this.lineTo) this.enterLine(start)
    if (this.lineHidden) return this.lineTo
    let low = 0
    let high = this.addresses.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.addresses[middle]?.[0] ?? 0) < end) low = middle + 1
      else high = middle
    }
    const to = this.addresses[low - 1]?.[1] ?? 0
    return to > start ? to : 0
  }

  private enterLine(at: number): void {
    const { text } = this
    this.lineFrom = text.lastIndexOf("\n", at - 1) + 1
    const next = text.indexOf("\n", at)
    this.lineTo = next < 0 ? text.length : next
    this.addresses = addressesOf(text, this.lineFrom, this.lineTo)
    const line = text.slice(this.lineFrom, Math.min(this.lineTo, this.lineFrom + longestLabelledLine))
    this.lineHidden = advert.test(line) || sourceLine.test(line) || this.underAdvert()
  }

  /** Whether a line above, up to the first empty one, labels this one as an advert. */
  private underAdvert(): boolean {
    let to = this.lineFrom - 1
    for (let lines = 0; lines < longestAdvert && to > 0; lines++) {
      const from = this.text.lastIndexOf("\n", to - 1) + 1
      if (to - from > longestLabelledLine) return false
      const line = this.text.slice(from, to)
      if (line.trim() === "") return false
      if (advertHeading.test(line)) return true
      to = from - 1
    }
    return false
  }

  private sourceLists(): ReadonlyArray<Interval> {
    const { text } = this
    const found: Array<Interval> = []
    for (const word of ["sources", "references", "citations", "works cited"]) {
      eachOf(text, word, 0, text.length, (at) => {
        const from = text.lastIndexOf("\n", at) + 1
        if (at - from > 12) return at
        const next = text.indexOf("\n", at)
        const line = text.slice(from, Math.min(next < 0 ? text.length : next, from + 60))
        if (next < 0 || !sourceHeading.test(line)) return at
        const heading = text.indexOf("\n#", next)
        const to = heading < 0 ? text.length : heading
        found.push([from, to])
        return to
      })
    }
    return found
  }
}
