import type { Visibility } from "./Brand.ts"
import type { CompareMode } from "./Mode.ts"
import type { Region } from "./Region.ts"
import { safeQuote } from "./SafeQuote.ts"

/** One side of a comparison: a brand looked for in the answers to a query. */
interface Side {
  readonly query: string
  readonly brand: string
}

/** Two sides to compare on the same platforms. */
export interface Comparison {
  readonly a: Side
  readonly b: Side
  readonly mode: CompareMode
  readonly region: Region
}

/** How often a side was named: `mentions` of the `answers` that came. */
export interface Tally {
  readonly mentions: number
  readonly answers: number
}

/** Which side leads, and by how much. */
export interface Verdict {
  readonly deltaPct: number
  readonly winner: "a" | "b" | "tie"
}

/** Counts the answers of a side and those that name its brand. */
export const tally = (seen: ReadonlyArray<Pick<Visibility, "mentioned">>): Tally => ({
  mentions: seen.filter(({ mentioned }) => mentioned).length,
  answers: seen.length
})

/**
 * Which side is named at the higher rate.
 *
 *     compare({ mentions: 3, answers: 4 }, { mentions: 1, answers: 4 })   // => { deltaPct: 66.7, winner: "a" }
 *
 * Units: `deltaPct` in percent of the higher rate, signed, to one decimal place.
 * Laws: swapping the sides negates `deltaPct` and swaps the winner; equal rates tie at 0; |deltaPct| ≤ 100. A side
 * without an answer has the rate 0.
 * Source: contract, "POST /v1/compare"; decisions P1.
 */
export const compare = (a: Tally, b: Tally): Verdict => {
  // Both rates over one denominator, so that equal rates are equal integers.
  const left = a.mentions * Math.max(b.answers, 1)
  const right = b.mentions * Math.max(a.answers, 1)
  if (left === right) return { deltaPct: 0, winner: "tie" }
  const size = Math.round((Math.abs(left - right) / Math.max(left, right)) * 1000) / 10
  return left > right ? { deltaPct: size, winner: "a" } : { deltaPct: -size, winner: "b" }
}

const counted = ({ mentions, answers }: Tally): string =>
  answers === 0 ? "got no answer" : `was named in ${mentions} of ${answers} ${answers === 1 ? "answer" : "answers"}`

/** The labels of the sides. Where both are the same, as for long questions that differ only at their end, a letter is added to each. */
const labels = ({ a, b }: Comparison): readonly [string, string] => {
  const label = ({ brand, query }: Side) =>
    a.query === b.query ? safeQuote(brand) : `${safeQuote(brand)} for ${safeQuote(query)}`
  const [left, right] = [label(a), label(b)]
  return left === right ? [`${left} (a)`, `${right} (b)`] : [left, right]
}

/**
 * The verdict as two sentences: the counts, and the conclusion where there is an answer.
 *
 * Laws: made from a template, the counts and the caller's own words, of which no markup, quote or control is left.
 * Source: contract, `interpretation`; decisions P2.
 */
export const interpret = (comparison: Comparison, a: Tally, b: Tally): string => {
  const [left, right] = labels(comparison)
  const { deltaPct, winner } = compare(a, b)
  const counts = `${left} ${counted(a)}, ${right} ${counted(b)}.`
  if (a.answers === 0 && b.answers === 0) return counts
  if (winner === "tie") {
    return `${counts} ${a.mentions === 0 ? "Neither was named." : "They are named equally often."}`
  }
  const [leader, other] = winner === "a" ? [left, right] : [right, left]
  return Math.abs(deltaPct) === 100
    ? `${counts} Only ${leader} was named.`
    : `${counts} ${other} is named ${Math.abs(deltaPct)} % less often than ${leader}.`
}
