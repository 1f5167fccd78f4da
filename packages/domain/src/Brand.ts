import type { AnswerText } from "./Brands.ts"
import { fold } from "./text/Fold.ts"
import { mentionIn, occurrences, type Tier } from "./mention/Mention.ts"
import { needleOf } from "./mention/Needle.ts"
import { rankOf } from "./rank/Rank.ts"
import { excerpt } from "./text/Sentence.ts"
import { lettersOf } from "./text/Vocabulary.ts"

/**
 * Whether, where and in what words an answer names a brand.
 *
 * Units: `span` is the first counted mention in UTF-16 offsets of the answer's text; `rank` counts from 1.
 * Laws: not mentioned ⇔ `tier`, `rank` and `span` are null and `context` is empty.
 */
export interface Visibility {
  readonly mentioned: boolean
  readonly tier: Tier | null
  readonly rank: number | null
  readonly context: string
  readonly span: readonly [number, number] | null
}

const invisible: Visibility = { mentioned: false, tier: null, rank: null, context: "", span: null }

// A place among the brands is stated once or twice; the bound limits the cost of an answer that repeats a name without end.
const mentionsRead = 24

/**
 * Looks for a brand in an answer.
 *
 *     findBrand({ text: "1. Bolt\n2. Acme Inc. is cheaper.", brandEntities: [] }, "ACME")
 *     // => { mentioned: true, tier: "word", rank: 2, context: "…", span: [11, 15] }
 *
 * Laws: total and linear in the text; the case, accents and Unicode form of either side change nothing.
 * Source: decisions C4 (mention), C5 (rank), C6 (context).
 */
export const findBrand = (answer: AnswerText, brand: string): Visibility => {
  const { text, brandEntities } = answer
  const needle = needleOf(brand)
  const folded = fold(text)
  const others = new Set(brandEntities.map(({ name }) => lettersOf(fold(name).text)))
  const first = mentionIn(folded, text, needle, others)
  if (first === undefined) return invisible
  const spans = occurrences(folded.text, first, mentionsRead).map(({ start, end }) => ({
    from: folded.origin(start),
    to: folded.origin(end)
  }))
  const [span, ...later] = spans
  if (span === undefined) return invisible
  return {
    mentioned: true,
    tier: first.tier,
    rank: rankOf(answer, folded, [span, ...later], needle.called),
    context: excerpt(text, span.from, span.to),
    span: [span.from, span.to]
  }
}
