import type { Answer } from "@sightline/domain/Answer"
import { findBrand } from "@sightline/domain/Brand"
import type { Sighting } from "@sightline/domain/Check"
import type { Platform } from "@sightline/domain/Platform"

/** Brands whose sightings are cached for an answer; the oldest goes first. The weight of an answer in `AnswerMemory` includes them. */
const brandsPerAnswerMax = 8

const sightings = new WeakMap<Answer, Map<string, Sighting>>()

/**
 * What a platform's answer says of a brand. The search is the most expensive step of a check that is served from memory, so its result
 * is cached for as long as the answer is in memory. The same object is returned each time, so that a caller can recognise it.
 *
 * Laws: the same as `findBrand`; for each answer, the sightings of at most 8 brands are cached.
 */
export const sightingOf = (platform: Platform, answer: Answer, brand: string): Sighting => {
  const known = sightings.get(answer) ?? new Map<string, Sighting>()
  const found = known.get(brand)
  if (found !== undefined) return found
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= brandsPerAnswerMax) known.delete(oldest)
  const fresh = { platform, answer, visibility: findBrand(answer, brand) }
  sightings.set(answer, known.set(brand, fresh))
  return fresh
}
