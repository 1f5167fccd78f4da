// A sentence is short; what lies further off than this says nothing of the mention.
const reach = 200
const endsSentence = new Set("。！？\n")
const mayEndSentence = new Set(".!?")
const followsSentence = /[\s"”'’*)]/
const sentenceEnd = /[.!?](?=\s|$)|[。！？\n]/

/** What a sentence says around a mention, in folded text and within reach. § stands for the mention and nowhere else. */
export interface Clause {
  readonly before: string
  readonly after: string
  /** The sentence after it. */
  readonly next: () => string
}

/** Where the clause that leads up to `to` begins; a mark right before it ends none. */
const clauseStart = (text: string, to: number): number => {
  const furthest = Math.max(0, to - reach)
  for (let at = to - 2; at >= furthest; at--) {
    const unit = text.charCodeAt(at)
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

const plain = (text: string): string => text.replaceAll("§", " ")

/** The sentence around `[start, end)` of a folded text. */
export const clauseAround = (text: string, start: number, end: number): Clause => {
  const rest = text.slice(end, end + reach)
  const after = firstSentence(rest)
  const to = end + after.length
  return {
    before: plain(text.slice(clauseStart(text, start), start)),
    after: plain(after),
    next: () => (after.length === rest.length ? "" : plain(firstSentence(text.slice(to, to + reach).trimStart())))
  }
}

/** The part of a sentence around a mention that no contrast sets apart, with § where the mention is. */
export const partAround = (contrast: RegExp, { before, after }: Clause): string => {
  let from = 0
  for (const match of before.matchAll(contrast)) from = match.index + match[0].length
  const to = after.search(contrast)
  return `${before.slice(from)}§${to < 0 ? after : after.slice(0, to)}`
}
