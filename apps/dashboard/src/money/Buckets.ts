import type { UsageResponse } from "@sightline/contract/AccountApi"

/** The spending of an hour or a day. */
export interface Bucket {
  readonly at: Date
  readonly calls: number
  readonly cents: number
}

const lengths = { hour: 3_600_000, day: 86_400_000 } as const

/** A bound above the number of buckets that any page requests. */
const most = 1000

/**
 * Every bucket of the window from its start up to now, including those without calls.
 *
 * Laws: the sums are those of the series.
 */
export const bucketsOf = ({ window, series }: UsageResponse, now: Date): ReadonlyArray<Bucket> => {
  const known = new Map(
    series.map(({ bucket, calls, cost_cents }) => [Date.parse(bucket), { calls, cents: cost_cents }])
  )
  const length = lengths[window.granularity === "hour" ? "hour" : "day"]
  const start = Math.floor(Date.parse(window.start) / length) * length
  const end = Math.max(Math.min(Date.parse(window.end), now.getTime() + 1), ...[...known.keys()].map((at) => at + 1))
  const count = Math.min(Math.max(Math.ceil((end - start) / length), 0), most)
  return Array.from({ length: count }, (_, n) => {
    const at = start + n * length
    return { at: new Date(at), ...(known.get(at) ?? { calls: 0, cents: 0 }) }
  })
}
