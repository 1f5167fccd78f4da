import { composed, foldCharacter, foldRare, full, joinsBefore } from "./FoldCharacter.ts"
import { endOfStretch, isAccent } from "./Letters.ts"
import { escapeAt, hasEscapes } from "./Escapes.ts"

/**
 * A text without what spelling leaves open: case, accents, width, ligatures, invisible characters, kinds of spaces and hyphens, and the
 * escapes of Markdown and HTML.
 *
 * Laws: `fold(a).text = fold(b).text` for texts that differ only in those; `origin` never decreases.
 */
export interface Folded {
  readonly text: string
  /** The offset in the original text that an offset in `text` stands for. */
  readonly origin: (at: number) => number
}

// ASCII, and the dashes, quotes, bullets and dots of typographic English. They are read as one stretch, because a search for its end takes
// half as long as a test of each sign.
const plainStretch = /[\0-\x7f\u2012-\u2027]*/y

// Typographic punctuation, symbols, emoji and superscripts stay unchanged, but not the 2 of O₂. Most answers have no others beyond ASCII.
const staysItself = (unit: number): boolean =>
  unit < 0x80
    ? true
    : unit < 0x2000
      ? unit < 0xbf && unit !== 0xaa && unit !== 0xad && unit !== 0xb5 && unit !== 0xba
      : unit < 0x2c00
        ? (unit >= 0x2070 && unit < 0x2100 && !(unit >= 0x2080 && unit <= 0x2089)) ||
          unit === 0x2120 ||
          unit === 0x2122 ||
          (unit >= 0x2190 && unit !== 0x2212) ||
          isTypographic(unit)
        : (unit >= 0x3000 && unit <= 0x3040) ||
          (unit >= 0xd83c && unit <= 0xd83e) ||
          (unit >= 0xdc00 && unit <= 0xdfff) ||
          unit === 0xfe0f

// General punctuation, without what is invisible, thin spaces and the hyphen.
const isTypographic = (unit: number): boolean => unit < 0x2060 && !isInvisible(unit) && unit > 0x200a && unit !== 0x2010

// With more no-break spaces and hyphens than this, the thorough way is the faster one.
const mostJoints = 2000

// No-break spaces and hyphens.
const isJoint = (unit: number): boolean => unit === 0xa0 || unit === 0x202f || unit === 0x2011

const endOfPlain = (text: string, at: number): number => endOfStretch(plainStretch, text, at)

/** How a text is folded: like ASCII, also with plain spaces and hyphens for the no-break ones, or unit by unit. */
const wayOf = (text: string): "short" | "plain" | "thorough" => {
  if (hasEscapes(text)) return "thorough"
  let joints = 0
  for (let at = endOfPlain(text, 0); at < text.length; at = endOfPlain(text, at)) {
    for (let unit = text.charCodeAt(at); unit >= 0x80; unit = text.charCodeAt(++at)) {
      if (isJoint(unit)) joints++
      else if (!staysItself(unit)) return "thorough"
    }
  }
  return joints === 0 ? "short" : joints <= mostJoints ? "plain" : "thorough"
}

const isInvisible = (unit: number): boolean =>
  unit === 0xad ||
  unit === 0x0640 ||
  unit === 0xfeff ||
  (unit >= 0x200b && unit <= 0x200f) ||
  (unit >= 0x202a && unit <= 0x202e) ||
  (unit >= 0x2060 && unit <= 0x206f)

const unseen = 0
const single = 1
const dropped = 2
const joining = 3
const several = 4
const marking = 5
const kinds = new Uint8Array(0x10000)
kinds[0x26] = kinds[0x5c] = marking
const singles = new Uint16Array(0x10000)
const expansions = new Map<number, string>()

const learn = (unit: number): number => {
  let kind = single
  if (isAccent(unit) || isInvisible(unit)) kind = dropped
  else if (joinsBefore(unit)) kind = joining
  else if (unit >= 0xd800 && unit <= 0xdfff) singles[unit] = unit
  // "™" and "²" would otherwise become letters of the name before them, "①" of the name after it.
  else if (unit >= 0x80 && unit < 0x3000 && staysItself(unit) && !isJoint(unit))
    singles[unit] = String.fromCharCode(unit).toLowerCase().charCodeAt(0)
  else {
    const folded = foldCharacter(String.fromCharCode(unit))
    if (folded.length === 1) singles[unit] = folded.charCodeAt(0)
    else {
      kind = several
      expansions.set(unit, folded)
    }
  }
  kinds[unit] = kind
  return kind
}

// Emoji and rare ideographs fold to themselves; mathematical letters and the like may not.
const mayFoldAsPair = (unit: number): boolean =>
  unit >= 0xd800 && unit <= 0xdbff && (unit < 0xd83c || (unit > 0xd83e && unit < 0xd840) || unit > 0xd87d)

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true })
// A text can have thousands of names, for each of which the decoder would cost more than all else.
const longestName = 96
/** How many units a folded text may have beyond its original before it is moved to a larger array. */
const room = 32
// Several times the length of an answer.
const longestShared = 16 * 1024
// Used by one writer at a time. An array of its own would cost a name as much as all else, and an answer a sixth of it.
const scratch = new Uint16Array(longestShared + room)
const noShifts = new Int32Array(0)
const leastShifts = 64

/** Collects folded units, with the places where their offsets depart from those of the original. */
class Writer {
  private units: Uint16Array
  private length = 0
  // Alternately a place, and the shift from there on.
  private shifts = noShifts
  private shifted = 0

  constructor(size: number) {
    this.units = size <= longestShared ? scratch : new Uint16Array(size + room)
  }

  put(unit: number): void {
    if (this.length === this.units.length) this.grow()
    this.units[this.length++] = unit
  }

  private grow(): void {
    const larger = new Uint16Array(this.units.length * 2)
    larger.set(this.units)
    this.units = larger
  }

  putAll(units: string): void {
    for (let at = 0; at < units.length; at++) this.put(units.charCodeAt(at))
  }

  /** Copies units that fold to one unit each, from `at` on. Returns the offset of the first unit of another kind. */
  copy(text: string, at: number): number {
    while (this.units.length < this.length + text.length - at) this.grow()
    let here = at
    let to = this.length
    for (; here < text.length; here++) {
      const unit = text.charCodeAt(here)
      if (kinds[unit] !== single || mayFoldAsPair(unit)) break
      this.units[to++] = singles[unit] ?? unit
    }
    this.length = to
    return here
  }

  /** Joins a mark to the last unit where Unicode has one character for both. */
  join(unit: number): void {
    const joined = this.length > 0 ? composed(this.units[this.length - 1] ?? 0, full(unit)) : 0
    if (joined > 0) this.units[this.length - 1] = joined
    else this.put(full(unit))
  }

  /** Writes what a unit folds to. */
  write(unit: number): void {
    const known = kinds[unit] ?? unseen
    const kind = known === unseen ? learn(unit) : known
    if (kind === single) this.put(singles[unit] ?? unit)
    else if (kind === marking) this.put(unit)
    else if (kind === joining) this.join(unit)
    else if (kind === several) this.putAll(expansions.get(unit) ?? "")
  }

  /** Notes that the folded text so far stands for the first `consumed` original units. */
  align(consumed: number): void {
    const shift = consumed - this.length
    const last = this.shifted - 2
    if (shift === (last < 0 ? 0 : this.shifts[last + 1])) return
    if (last >= 0 && this.shifts[last] === this.length) this.shifts[last + 1] = shift
    else {
      if (this.shifted === this.shifts.length) {
        const larger = new Int32Array(Math.max(leastShifts, this.shifted * 2))
        larger.set(this.shifts)
        this.shifts = larger
      }
      this.shifts[this.shifted++] = this.length
      this.shifts[this.shifted++] = shift
    }
  }

  readonly origin = (at: number): number => {
    let low = 0
    let high = this.shifted >> 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.shifts[middle * 2] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return at + (low === 0 ? 0 : (this.shifts[low * 2 - 1] ?? 0))
  }

  text(): string {
    if (this.length > longestName) return decoder.decode(this.units.subarray(0, this.length))
    let text = ""
    for (let at = 0; at < this.length; at++) text += String.fromCharCode(this.units[at] ?? 0)
    return text
  }
}

const foldThoroughly = (text: string): Folded => {
  const writer = new Writer(text.length)
  for (let at = writer.copy(text, 0); at < text.length; at = writer.copy(text, at)) {
    const unit = text.charCodeAt(at)
    if (mayFoldAsPair(unit)) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? unit)
      writer.putAll(character.length === 1 ? character : foldRare(character))
      at += character.length - 1
    } else if (kinds[unit] === marking) {
      // A character written by reference folds like the character itself.
      const mark = escapeAt(text, at)
      const sign = mark?.sign ?? text.charAt(at)
      if (sign.length === 1) writer.write(sign.charCodeAt(0))
      else writer.putAll(foldRare(sign))
      at += (mark?.length ?? 1) - 1
    } else writer.write(unit)
    writer.align(++at)
  }
  return { text: writer.text(), origin: writer.origin }
}

const same = (at: number): number => at

/** Folds a text in one pass; typographic English takes the short way, where offsets are the original's. */
export const fold = (text: string): Folded => {
  const way = wayOf(text)
  if (way === "thorough") return foldThoroughly(text)
  const lower = text.toLowerCase()
  if (way === "short") return { text: lower, origin: same }
  // Unlike a string, a pattern of one character yields a text that is fast to search.
  return {
    text: lower
      .replace(/\u00a0/g, " ")
      .replace(/\u202f/g, " ")
      .replace(/\u2011/g, "-"),
    origin: same
  }
}
