import type { Answer } from "@sightline/domain/Answer"
import { findBrand, type Visibility } from "@sightline/domain/Brand"

/** Brands whose findings an answer is remembered with; the oldest go first. `AnswerMemory` weighs an answer with them. */
const brandsRemembered = 8

const findings = new WeakMap<Answer, Map<string, Visibility>>()

/**
 * What an answer says of a brand. Looking costs more than all else of a check that is served from memory, so it is done once for as
 * long as the answer is at hand.
 *
 * Laws: the same as `findBrand`; of an answer, the findings of at most 8 brands are remembered.
 */
export const findingOf = (answer: Answer, brand: string): Visibility => {
  const known = findings.get(answer) ?? new Map<string, Visibility>()
  const found = known.get(brand)
  if (found !== undefined) return found
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= brandsRemembered) known.delete(oldest)
  const fresh = findBrand(answer, brand)
  findings.set(answer, known.set(brand, fresh))
  return fresh
}
