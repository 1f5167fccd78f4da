import type { Head } from "./rank/Head.ts"

// More than any answer recommends; the bound limits the cost of a hostile one.
export const brandsMax = 50

/** A brand that an answer names, as it is written there, and where it appears first. */
export interface NamedBrand {
  readonly key: string
  readonly name: string
  readonly from: number
}

/** A brand with its place among the brands of an answer. */
export interface RankedBrand extends NamedBrand {
  /** Counts from 1. It skips or repeats places where the answer does. */
  readonly place: number
}

/** A head with the key of the brand in its name. */
export interface KeyedHead extends Head {
  readonly key: string
}

/** Each brand once, at its first mention. */
export const firstMentions = <A extends Pick<NamedBrand, "key" | "from">>(
  named: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const brands = new Map<string, A>()
  for (const one of named.toSorted((a, b) => a.from - b.from))
    if (one.key !== "" && !brands.has(one.key)) brands.set(one.key, one)
  return [...brands.values()]
}
