import { add, type Credits, zero } from "./Credits.ts"

/** Calls and what they cost. */
export interface Sum {
  readonly calls: number
  readonly cost: Credits
}

/** Calls of one endpoint and mode. */
export interface UsageOfKind extends Sum {
  readonly endpoint: string
  readonly mode: string
}

/** The same calls counted in two ways. Shape: `series` is in order of time; `bucket` is null where usage is not divided by time. */
export interface Counted {
  readonly kinds: ReadonlyArray<UsageOfKind>
  readonly series: ReadonlyArray<Sum & { readonly bucket: string | null }>
}

/** Usage over a window, added up in every way it is shown. */
export interface UsageReport {
  readonly total: Sum
  readonly byEndpoint: Readonly<Record<string, Credits>>
  readonly byMode: Readonly<Record<string, Credits>>
  readonly series: ReadonlyArray<Sum & { readonly bucket: string }>
}

const plus = (one: Sum, other: Sum): Sum => ({ calls: one.calls + other.calls, cost: add(one.cost, other.cost) })

const costsBy = (
  kinds: ReadonlyArray<UsageOfKind>,
  key: (kind: UsageOfKind) => string
): Readonly<Record<string, Credits>> => {
  const costs = new Map<string, Credits>()
  for (const kind of kinds) costs.set(key(kind), add(costs.get(key(kind)) ?? zero, kind.cost))
  return Object.fromEntries(costs)
}

/**
 * Adds usage up.
 *
 * Shape: calls without a bucket are in one that begins at `start`.
 * Laws: total = Σ series = Σ byEndpoint = Σ byMode.
 * Source: decisions U1.
 */
export const summarize = ({ kinds, series }: Counted, start: string): UsageReport => ({
  total: kinds.reduce(plus, { calls: 0, cost: zero }),
  byEndpoint: costsBy(kinds, ({ endpoint }) => endpoint),
  byMode: costsBy(kinds, ({ mode }) => mode),
  series: series.map(({ bucket, calls, cost }) => ({ bucket: bucket ?? start, calls, cost }))
})
