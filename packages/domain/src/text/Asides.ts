import { addressesOf, type Interval } from "./Addresses.ts"
import { isLetter } from "./Letters.ts"

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
