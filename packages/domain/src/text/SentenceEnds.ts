import { endOfStretch } from "./Letters.ts"

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })

// The class of a unit in the rules of Unicode Standard Annex #29, section 5. Units that are not listed need the segmenter.
const unlisted = 0
const other = 1
const lower = 2
const upper = 3
const numeral = 4
const space = 5
const close = 6
const carriesOn = 7
// Whether a semicolon carries a sentence on differs between versions of Unicode.
const mayCarryOn = 8
const stop = 9
const mark = 10
const line = 11

const lastListed = 0x2026
const kinds = new Uint8Array(lastListed + 1)
kinds.fill(other, 0x20, 0x7f)
kinds.fill(lower, 0x61, 0x7b)
kinds.fill(upper, 0x41, 0x5b)
kinds.fill(numeral, 0x30, 0x3a)
kinds.fill(upper, 0xc0, 0xdf)
kinds.fill(lower, 0xdf, 0x100)
for (const [kind, units] of [
  [other, "£§°·×÷•…"],
  [space, " \t\u00a0"],
  [close, "\"'()[]{}«»‘’‚“”„"],
  [carriesOn, ",-:–—"],
  [stop, "."],
  [mark, "!?"],
  [line, "\r\n"],
  [mayCarryOn, ";"]
] as const) {
  for (const unit of units) kinds[unit.charCodeAt(0)] = kind
}

const kindAt = (text: string, at: number): number => kinds[text.charCodeAt(at)] ?? unlisted

/** The offset after the line break that begins at `at`. */
const afterLine = (text: string, at: number): number =>
  text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1

/** Whether the next letter is a small one, with only signs and numerals before it, so that the full stop ends no sentence. */
const goesOnSmall = (text: string, from: number): boolean => {
  for (let at = from; at < text.length; at++) {
    const kind = kindAt(text, at)
    if (kind === lower) return true
    if (kind === upper || kind >= stop) return false
  }
  return false
}

// ASCII that ends no sentence, which is skipped at once.
const plainStretch = /[\t\x20\x22-\x2d/-\x3e@-~]*/y

const endOfPlain = (text: string, at: number): number => endOfStretch(plainStretch, text, at)

const none = 0
const unsure = -1

/**
 * The end of the sentence that the full stop, question or exclamation mark at `at` closes; `none` where it closes none, `unsure` where only
 * the segmenter can tell.
 */
const endAt = (text: string, at: number, kind: number): number => {
  const next = kindAt(text, at + 1)
  if (kind === stop) {
    const before = at > 0 ? kindAt(text, at - 1) : other
    if (next === numeral || (next === upper && (before === upper || before === lower))) return none
  }
  let end = at + 1
  while (end < text.length && kindAt(text, end) === close) end++
  while (end < text.length && kindAt(text, end) === space) end++
  if (end === text.length) return end
  const following = kindAt(text, end)
  // Before a line break it is the break that ends the sentence.
  if (following === carriesOn || following >= stop) return none
  if (following === mayCarryOn) return unsure
  return kind === stop && goesOnSmall(text, end) ? none : end
}

/** The ends of the sentences of a text in ordinary letters and signs; undefined where the segmenter is needed. */
const plainEnds = (text: string): ReadonlyArray<number> | undefined => {
  const ends: Array<number> = []
  for (let at = endOfPlain(text, 0); at < text.length; at = endOfPlain(text, at)) {
    const kind = kindAt(text, at)
    if (kind === unlisted) return undefined
    const end = kind < stop ? none : kind === line ? afterLine(text, at) : endAt(text, at, kind)
    if (end === unsure) return undefined
    if (end > none) ends.push(end)
    at = Math.max(end, at + 1)
  }
  if (text.length > (ends.at(-1) ?? 0)) ends.push(text.length)
  return ends
}

/**
 * Where the sentences of a text end, the last at its length.
 *
 * Laws: the ends are those of `Intl.Segmenter`, which is asked only about texts beyond European prose.
 * Source: Unicode Standard Annex #29, section 5.1.
 */
export const sentenceEnds = (text: string): ReadonlyArray<number> =>
  plainEnds(text) ?? Array.from(sentences.segment(text), ({ index, segment }) => index + segment.length)
