import { isBoundary, isLetter, unitsOf } from "@sightline/domain/text/Letters"
import type { Needle } from "./Needle.ts"
import type { Piece } from "@sightline/domain/text/Pieces"

/** A run of whole words in a folded text whose letters are at most two edits from the brand's. */
export interface Window {
  readonly start: number
  readonly end: number
  readonly edits: number
}

// C4 of the decisions.
const maxEdits = 2
const tooMany = maxEdits + 1

// Letters left of a hit are written backwards from the middle, so that one stretch holds the whole window.
const middle = 256
const letters = new Uint16Array(2 * middle)

/** Edits that turn `letters[from, to)` into `brand` from `at` on, or more than `left` when `left` do not suffice. */
const editsWithin = (from: number, to: number, brand: string, at: number, left: number): number => {
  while (from < to && at < brand.length && letters[from] === brand.charCodeAt(at)) {
    from++
    at++
  }
  if (from === to || at === brand.length) return to - from + brand.length - at
  if (Math.abs(to - from - (brand.length - at)) > left || left === 0) return tooMany
  return (
    1 +
    Math.min(
      editsWithin(from + 1, to, brand, at + 1, left - 1),
      editsWithin(from + 1, to, brand, at, left - 1),
      editsWithin(from, to, brand, at + 1, left - 1)
    )
  )
}

const softGap = unitsOf(" \t'’`´\"“”*_~!&+/\u00b7\u30fb®™-\u2012\u2013")
const longestGap = 4

const newline = 10
const carriageReturn = 13
const abbreviated = /(?:^|[^a-z])(?:mrs|bros)$/

const isSoft = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  // A line may be broken within a name, but what begins a list item or a paragraph is not its second half.
  if (unit === newline) {
    const next = text.charCodeAt(at + 1)
    return (next === 38 || isLetter(next)) && text.charCodeAt(at - 1) !== newline
  }
  if (unit === carriageReturn) return text.charCodeAt(at + 1) === newline
  if (unit !== 46) return softGap.has(unit)
  // A full stop joins only initials and abbreviations: "J. Crew", not the end of a sentence.
  const isShort = at < 4 || isBoundary(text, at - 1) || isBoundary(text, at - 2)
  return isShort || text.charCodeAt(at + 1) !== 32 || abbreviated.test(text.slice(Math.max(0, at - 5), at))
}

/** The offset on the other side of the soft gap at `at`; -1 where the gap is too long or not soft. */
const acrossGap = (text: string, at: number, step: 1 | -1): number => {
  let here = at
  for (let crossed = 0; crossed < longestGap; crossed++) {
    const index = step === 1 ? here : here - 1
    if (index < 0 || index >= text.length) return -1
    if (isLetter(text.charCodeAt(index))) return here
    if (!isSoft(text, index)) return -1
    here += step
  }
  return -1
}

/** Word starts or word ends near where the brand's own would be: offsets and the letters walked to reach them. */
interface Edges {
  count: number
  readonly at: Int32Array
  readonly walked: Int32Array
}
const edges = (): Edges => ({ count: 0, at: new Int32Array(8), walked: new Int32Array(8) })
const starts = edges()
const ends = edges()

/** Walks `wanted ± 2` letters from `from` and notes each word edge on the way. Returns how many letters it read. */
const walk = (text: string, from: number, step: 1 | -1, wanted: number, offset: number, found: Edges): number => {
  found.count = 0
  let here = from
  let walked = 0
  for (;;) {
    if (walked >= wanted - maxEdits && isBoundary(text, here)) {
      found.at[found.count] = here
      found.walked[found.count++] = walked
    }
    if (walked === wanted + maxEdits) return walked
    const index = step === 1 ? here : here - 1
    if (index < 0 || index >= text.length) return walked
    if (!isLetter(text.charCodeAt(index))) {
      here = acrossGap(text, here, step)
      if (here < 0) return walked
    }
    const unit = text.charCodeAt(step === 1 ? here : here - 1)
    letters[step === 1 ? middle + offset + walked : middle - 1 - walked] = unit
    here += step
    walked++
  }
}

/**
 * Walks to both sides of a piece found at `hit`, first on the side where the brand ends sooner: there most chance hits have no word edge.
 * Returns how many letters it read.
 */
const walkAround = (text: string, hit: number, piece: Piece, rest: number): number => {
  const { before, text: found } = piece
  const left = (): number => walk(text, hit, -1, before, 0, starts)
  const right = (): number => walk(text, hit + found.length, 1, rest, found.length, ends)
  if (rest < before) {
    const read = right()
    return ends.count === 0 ? read : read + left()
  }
  const read = left()
  return starts.count === 0 ? read : read + right()
}

/** The closest window around one surviving piece, or undefined. */
const closest = (brand: string, piece: Piece, hit: number, limit: number): Window | undefined => {
  let best: Window | undefined
  let least = limit + 1
  for (let one = 0; one < starts.count; one++) {
    const before = starts.walked[one] ?? 0
    for (let two = 0; two < ends.count; two++) {
      const after = ends.walked[two] ?? 0
      const apart =
        Math.abs(before - piece.before) + Math.abs(after - (brand.length - piece.before - piece.text.length))
      if (apart >= least) continue
      const edits = editsWithin(middle - before, middle + piece.text.length + after, brand, 0, least - 1)
      if (edits < least) {
        best = { start: starts.at[one] ?? hit, end: ends.at[two] ?? hit, edits }
        least = edits
      }
    }
  }
  return best
}

/** The first window with exactly the brand's letters, and the first with edits. */
export interface Nearest {
  readonly respelt: Window | undefined
  readonly edited: Window | undefined
}

/**
 * Finds the brand with up to two edits over whole words. Two edits leave at least one of its three pieces intact, so the search starts from
 * those.
 *
 * Laws: work is linear in the length of the text. Beyond the budget, which only a hostile text reaches, nothing more is found.
 */
export const nearest = (text: string, needle: Needle, accept: (window: Window) => boolean): Nearest => {
  let respelt: Window | undefined
  let edited: Window | undefined
  let budget = 300_000 + 2 * text.length
  for (const piece of needle.pieces) {
    const rest = needle.letters.length - piece.before - piece.text.length
    for (let hit = text.indexOf(piece.text); hit >= 0 && budget > 0; hit = text.indexOf(piece.text, hit + 1)) {
      if (respelt !== undefined && hit > respelt.end) break
      budget -= 4 + walkAround(text, hit, piece, rest)
      if (starts.count === 0 || ends.count === 0) continue
      for (let at = 0; at < piece.text.length; at++) letters[middle + at] = piece.text.charCodeAt(at)
      budget -= 8 * needle.letters.length
      const late = edited !== undefined && hit > edited.end
      const window = closest(needle.letters, piece, hit, late ? 0 : maxEdits)
      if (window === undefined) continue
      budget -= 100
      const earlier = window.edits === 0 ? respelt : edited
      if ((earlier !== undefined && earlier.start <= window.start) || !accept(window)) continue
      if (window.edits === 0) respelt = window
      else edited = window
    }
  }
  return { respelt, edited }
}
