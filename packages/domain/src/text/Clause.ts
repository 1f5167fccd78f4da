// A sentence is short; text further away than this says nothing of the mention.
const reach = 200
const endsSentence = new Set("。！？\n")
const mayEndSentence = new Set(".!?")
const followsSentence = /[\s"”'’*)]/
const sentenceEnd = /[.!?](?=\s|$)|[。！？\n]/

/**
 * The parts of a sentence of folded text before and after a mention, within reach.
 *
 * Laws: neither part contains a §, so that § can stand for the mention where they are joined.
 */
export interface Clause {
  readonly before: string
  readonly after: string
  /** The sentence after it; empty where the reach ends before. */
  readonly next: () => string
}

/** The start of the sentence that leads up to `to`. A mark right before `to` ends no sentence. */
const sentenceStart = (text: string, to: number): number => {
  const furthest = Math.max(0, to - reach)
  for (let at = to - 2; at >= furthest; at--) {
    const unit = text.charCodeAt(at)
    // Skips nearly every character: no mark lies between "?" and "。".
    if (unit > 63 && unit < 0x3000) continue
    const character = text.charAt(at)
    if (endsSentence.has(character)) return at + 1
    if (mayEndSentence.has(character) && followsSentence.test(text.charAt(at + 1))) return at + 1
  }
  return furthest
}

const firstSentence = (text: string): string => {
  const end = text.search(sentenceEnd)
  return end < 0 ? text : text.slice(0, end + 1)
}

const withoutSign = (text: string): string => (text.includes("§") ? text.replaceAll("§", " ") : text)

/** The sentence around `[start, end)` of a folded text. */
export const clauseAround = (text: string, start: number, end: number): Clause => {
  const rest = text.slice(end, end + reach)
  const after = firstSentence(rest)
  const to = end + after.length
  let following: string | undefined
  return {
    before: withoutSign(text.slice(sentenceStart(text, start), start)),
    after: withoutSign(after),
    next: () =>
      (following ??=
        after.length === rest.length ? "" : withoutSign(firstSentence(text.slice(to, to + reach).trimStart())))
  }
}

/** The part of a sentence with its mention, written §, between the nearest contrasts such as "but". */
export const partAround = (contrast: RegExp, { before, after }: Clause): string => {
  let from = 0
  for (const match of before.matchAll(contrast)) from = match.index + match[0].length
  const to = after.search(contrast)
  return `${before.slice(from)}§${to < 0 ? after : after.slice(0, to)}`
}

/**
 * A clause in a table, split into its own cell and each cell after it; undefined outside of tables.
 * Shape: cells of nothing but spaces and dashes are left out.
 */
export const cellsOf = ({
  before,
  after
}: Clause): { readonly own: Clause; readonly others: ReadonlyArray<Clause> } | undefined => {
  const bar = after.indexOf("|")
  if (bar < 0) return undefined
  const next = (): string => ""
  const cells = after
    .slice(bar + 1)
    .split("|")
    .filter((cell) => /[^\s–—-]/.test(cell))
  return {
    own: { before: before.slice(before.lastIndexOf("|") + 1), after: after.slice(0, bar), next },
    others: cells.map((cell) => ({ before: "", after: `: ${cell.trim()}`, next }))
  }
}
