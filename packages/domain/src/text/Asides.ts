import { isAsciiWord, isLetter, isUnspaced } from "./Letters.ts"

type Interval = readonly [from: number, to: number]

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
const addressesOf = (line: string): ReadonlyArray<Interval> => {
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

// "[1]: https://acme.com".
const referenceLine = /^\s{0,3}\[[^\]]{1,20}\]:\s/
const lead = "^[^\\p{L}\\p{N}\\n]{0,12}"
const advertLabel =
  "(?:ads?|advert|advertisement|sponsored(?: (?:results?|links?|listings?|posts?|content|products?))?|promoted|paid (?:promotion|partnership|placement)|anzeige|werbung|gesponsert|annonce|publicite|sponsorise|patrocinado|anuncio|publicidad|sponsorizzato|реклама|広告|广告)"
const advert = new RegExp(`${lead}${advertLabel}(?:[*_]{0,3}\\s?[:·•|\\]）)]|\\s[-–—]\\s| by )`, "u")
const advertWithin = new RegExp(`[([]${advertLabel}[)\\]]|[·•|]\\s?${advertLabel}[*_]{0,3}\\s*$`, "u")
const advertHeading = new RegExp(`${lead}${advertLabel}[^\\p{L}\\p{N}\\n]{0,12}$`, "u")
// Lines that name sources before a colon, folded, in English and other languages.
const sourceLine = new RegExp(
  `${lead}(?:sources?|references?|citations?|quellen?|fuentes?|fontes?|fonti|bron(?:nen)?|zrodl[ao]|kall(?:a|or)|kaynak(?:lar)?|` +
    `источники?|πηγ(?:η|εσ)|المصادر|المصدر|מקור(?:ות)?|参考(?:文献|資料|资料)?|出典|情報源|来源|资料来源|출처)[*_]{0,3}\\s?[:：]`,
  "u"
)
// Headings of lists of sources, folded, in English and other languages.
const sourceHeading = new RegExp(
  `${lead}(?:sources|references|citations|works cited|learn more|quellen|fuentes|referencias|fontes|fonti|bronnen|zrodla|kallor|` +
    `kaynaklar|источники|πηγες|nguon|المصادر|מקורות|参考(?:文献|資料|资料|来源|リンク)|出典|情報源|来源|资料来源|출처|참고 ?(?:자료|문헌))` +
    `[^\\p{L}\\p{N}\\n]{0,12}$`,
  "u"
)

const longestLabelledLine = 400
// Longer than the addresses and citations of answers: of a long line, only this much around a hit is read.
const longestAddress = 4096
const longestAdvert = 8
const longestLabel = 48
const furthestLabel = longestAdvert * (longestLabelledLine + 1)

const mayLabel = new Set("srcwlqfbzknSRCWLQFBZKNиИπΠام参出情来资출참מ")
const furthestLetter = 12
const longestSourceWord = 11
// A list of sources that begins this far above is another document's.
const furthestHeading = 64 * 1024

const listed = /^[ \t]*(?:[-*+•–·[(]|\d|https?:|www\.)/

/** Whether the line `[from, to)` heads a list of sources. */
export const headsSources = (text: string, from: number, to: number): boolean => {
  if (to - from > longestSourceWord + 2 * furthestLetter) return false
  const limit = Math.min(to, from + furthestLetter)
  let first = from
  while (first < limit && !isLetter(text.charCodeAt(first))) first++
  if (first === limit || to - first > longestSourceWord + furthestLetter) return false
  return mayLabel.has(text.charAt(first)) && sourceHeading.test(text.slice(from, to).toLowerCase())
}

/** Where the list of sources that begins at `from` ends: at a heading, or at prose after an empty line. */
export const endOfSources = (text: string, from: number): number => {
  let at = from
  let begun = false
  let apart = false
  while (at < text.length) {
    const next = text.indexOf("\n", at)
    const to = next < 0 ? text.length : next
    const line = text.slice(at, Math.min(to, at + 40))
    const empty = line.trim() === ""
    if (line.startsWith("#") || (begun && apart && !empty && !listed.test(line))) return at
    begun ||= !empty
    apart = empty
    at = to + 1
  }
  return text.length
}

/** A text without its lists of sources, at the same offsets. */
export const withoutSources = (text: string): string => {
  const spoken: Array<string> = []
  let kept = 0
  for (let from = 0; from < text.length;) {
    const next = text.indexOf("\n", from)
    const to = next < 0 ? text.length : next
    if (headsSources(text, from, to)) {
      const end = endOfSources(text, to + 1)
      spoken.push(text.slice(kept, from), "\n".padEnd(end - from))
      kept = end
      from = end
    } else from = to + 1
  }
  return kept === 0 ? text : spoken.join("") + text.slice(kept)
}

/** The parts of a folded text in which the answer itself does not speak: addresses, citations, source lists and adverts. */
export class Asides {
  private readonly text: string
  private lineFrom = -1
  private lineTo = -1
  private lineHidden = false
  /** The addresses around the last hit, with offsets from `partFrom` on: all that touch a hit from `since` to `partTo`. */
  private addresses: ReadonlyArray<Interval> = []
  private since = 0
  private partFrom = 0
  private partTo = 0
  private readFrom = 0
  private sourcesTo = 0
  /** The start of the last line above that is short enough for a label. */
  private shortFrom = -1

  constructor(text: string) {
    this.text = text
  }

  /** The end of the aside that `[start, end)` lies in or touches; 0 where the answer itself speaks. */
  hiddenUntil(start: number, end: number): number {
    if (start < this.lineFrom || start >= this.lineTo) this.enterLine(start)
    if (start < this.sourcesTo) return this.sourcesTo
    if (this.lineHidden) return this.lineTo
    if (start < this.since || Math.min(end, this.lineTo) > this.partTo) this.readAddresses(start)
    let low = 0
    let high = this.addresses.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.addresses[middle]?.[0] ?? 0) < end - this.partFrom) low = middle + 1
      else high = middle
    }
    const to = this.partFrom + (this.addresses[low - 1]?.[1] ?? 0)
    return to > start ? to : 0
  }

  private enterLine(at: number): void {
    const { text } = this
    if (at < this.lineFrom) this.readFrom = this.sourcesTo = 0
    this.lineFrom = text.lastIndexOf("\n", at - 1) + 1
    const next = text.indexOf("\n", at)
    this.lineTo = next < 0 ? text.length : next
    this.readSources()
    this.partTo = this.lineFrom
    const opening = text.slice(this.lineFrom, Math.min(this.lineTo, this.lineFrom + longestLabelledLine))
    this.lineHidden =
      referenceLine.test(opening) ||
      advert.test(opening) ||
      advertWithin.test(opening) ||
      sourceLine.test(opening) ||
      this.underAdvert()
  }

  private readAddresses(start: number): void {
    this.since = start
    this.partFrom = Math.max(this.lineFrom, start - longestAddress)
    this.partTo = Math.min(this.lineTo, start + longestAddress)
    this.addresses = addressesOf(this.text.slice(this.partFrom, this.partTo))
  }

  /** Reads the lines above for the heading of a source list that has not ended yet. */
  private readSources(): void {
    const { text } = this
    const furthest = this.lineFrom - furthestHeading
    if (furthest > this.readFrom) this.readFrom = text.indexOf("\n", furthest) + 1
    while (this.readFrom < this.lineFrom) {
      const from = this.readFrom
      const next = text.indexOf("\n", from)
      this.readFrom = next + 1
      if (next > from && next - from <= longestLabel) this.shortFrom = from
      if (from >= this.sourcesTo && headsSources(text, from, next)) this.sourcesTo = endOfSources(text, next + 1)
    }
  }

  /** Whether a line above, up to the first empty one, labels this one as an advert. */
  private underAdvert(): boolean {
    if (this.shortFrom < Math.max(0, this.lineFrom - furthestLabel)) return false
    let to = this.lineFrom - 1
    for (let lines = 0; lines < longestAdvert && to > 0; lines++) {
      const from = this.text.lastIndexOf("\n", to - 1) + 1
      if (from === to || to - from > longestLabelledLine) return false
      const line = this.text.slice(from, to)
      if (!/\S/.test(line)) return false
      if (line.length <= longestLabel && advertHeading.test(line)) return true
      to = from - 1
    }
    return false
  }
}
