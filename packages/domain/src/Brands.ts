import type { Answer } from "./Answer.ts"
import { fold } from "./Fold.ts"
import { headsOf, structured } from "./Heads.ts"
import { recurringNames } from "./Names.ts"
import { brandKey, brandNameIn } from "./Naming.ts"
import { surfaceEntities } from "./Rank.ts"

// More than any answer recommends; the bound keeps a hostile one small.
const brandsMax = 50
const longestBrand = 100

interface Named {
  readonly key: string
  readonly name: string
  readonly from: number
}

const inText = (text: string): ReadonlyArray<Named> => {
  const heads = headsOf(text, 0, text.length, text.length).filter(({ isName }) => isName)
  const named = heads.map(({ name, from }) => ({ key: brandKey(name), name: brandNameIn(name), from }))
  if (named.length >= structured) return named
  const running = recurringNames(text, 0, text.length).map(({ key, from, to }) => ({
    key,
    name: brandNameIn(text.slice(from, to).trim()),
    from
  }))
  return [...named, ...running].sort((a, b) => a.from - b.from)
}

/**
 * The brands that an answer names, in order of appearance, each once and as it is written where it comes first.
 *
 * Shape: the surface's own entities that its text names; without any, what stands where a structured answer puts names,
 * and in running text the names that recur or that the world knows. At most 50.
 * Source: decisions C5, the rule by which a rank is counted.
 */
export const brandsIn = ({ text, brandEntities }: Pick<Answer, "text" | "brandEntities">): ReadonlyArray<string> => {
  const found =
    brandEntities.length > 0
      ? surfaceEntities(
          fold(text),
          brandEntities.map(({ name }) => name)
        ).toSorted((a, b) => a.from - b.from)
      : inText(text)
  const brands = new Map<string, string>()
  for (const { key, name } of found) {
    if (brands.size === brandsMax) break
    if (key !== "" && name !== "" && name.length <= longestBrand && !brands.has(key)) brands.set(key, name)
  }
  return [...brands.values()]
}
