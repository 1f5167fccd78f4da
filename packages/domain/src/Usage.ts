import { add, type Credits, zero } from "./Credits.ts"

/** Calls of one endpoint and mode in one time bucket; `bucket` is its start, null where usage is not divided by time. */
export interface UsageRow {
  readonly bucket: string | null
  readonly endpoint: string
  readonly mode: string
  readonly calls: number
  readonly cost: Credits
}

/** Calls and what they cost. */
export interface Sum {
  readonly calls: number
  readonly cost: Credits
}

/** Usage over a window, added up in every way it is shown. */
export interface UsageReport {
  readonly total: Sum
  readonly byEndpoint: Readonly<Record<string, Credits>>
  readonly byMode: Readonly<Record<string, Credits>>
  readonly series: ReadonlyArray<Sum & { readonly bucket: string }>
}

const sumBy = (
  rows: ReadonlyArray<UsageRow>,
  key: (row: UsageRow) => string
): ReadonlyArray<readonly [string, Sum]> => {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const before = sums.get(key(row)) ?? { calls: 0, cost: zero }
    sums.set(key(row), { calls: before.calls + row.calls, cost: add(before.cost, row.cost) })
  }
  return [...sums]
}

const costs = (sums: ReadonlyArray<readonly [string, Sum]>): Readonly<Record<string, Credits>> =>
  Object.fromEntries(sums.map(([key, { cost }]) => [key, cost]))

/**
 * Adds usage up.
 *
 * Shape: `series` is in order of time; calls without a bucket are in one that begins at `start`.
 * Laws: total = Σ series = Σ byEndpoint = Σ byMode.
 * Source: decisions U1.
 */
export const summarize = (rows: ReadonlyArray<UsageRow>, start: string): UsageReport => ({
  total: sumBy(rows, () => "")[0]?.[1] ?? { calls: 0, cost: zero },
  byEndpoint: costs(sumBy(rows, ({ endpoint }) => endpoint)),
  byMode: costs(sumBy(rows, ({ mode }) => mode)),
  series: sumBy(rows, ({ bucket }) => bucket ?? start)
    .map(([bucket, { calls, cost }]) => ({ bucket, calls, cost }))
    .sort((a, b) => (a.bucket < b.bucket ? -1 : 1))
})
