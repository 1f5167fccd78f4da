import type { Answer } from "@sightline/domain/Answer"
import { findBrand } from "@sightline/domain/Brand"
import type { Sighting } from "@sightline/domain/Check"
import type { Platform } from "@sightline/domain/Platform"

/** Brands whose findings an answer is remembered with; the oldest go first. `AnswerMemory` weighs an answer with them. */
const brandsRemembered = 8

const findings = new WeakMap<Answer, Map<string, Sighting>>()

/**
 * What a platform's answer says of a brand. Looking costs more than all else of a check that is served from memory, so it is done
 * once for as long as the answer is at hand; whoever makes something of a finding may hang it on that object.
 *
 * Laws: the same as `findBrand`; of an answer, the findings of at most 8 brands are remembered.
 */
export const findingOf = (platform: Platform, answer: Answer, brand: string): Sighting => {
  const known = findings.get(answer) ?? new Map<string, Sighting>()
  const found = known.get(brand)
  if (found !== undefined) return found
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= brandsRemembered) known.delete(oldest)
  const fresh = { platform, answer, visibility: findBrand(answer, brand) }
  findings.set(answer, known.set(brand, fresh))
  return fresh
}
