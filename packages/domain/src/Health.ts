import { Schema } from "effect"
import type { CaptureEnding } from "./CaptureEnding.ts"
import type { Platform } from "./Platform.ts"

/**
 * How many captures of a platform had the same ending.
 *
 * Units: `latency` is one of `latencyBounds`, in milliseconds. `adverts` says whether any were shown, null where the capture does not look
 * for them.
 */
export interface CaptureCount {
  readonly platform: Platform
  readonly ending: CaptureEnding
  readonly adverts: boolean | null
  readonly latency: number
  readonly count: number
}

/** How a platform is doing. `unknown` where too little is known to say. */
export const HealthStatus = Schema.Literals(["ok", "degraded", "down", "unknown"])
type HealthStatus = typeof HealthStatus.Type

/** What is published about a platform; rate and latency are null while the status is unknown. */
export interface Health {
  readonly status: HealthStatus
  readonly successRate: number | null
  readonly p95Millis: number | null
  readonly sampleSize: number
}

/** The fewest captures for a status. Source: decisions U3. */
const sampleMin = 20

/** Choice: from this share of answers on, a platform is `ok`; each of its calls still pays only for what answered. */
const okFrom = 0.95

/** Choice: below this share a call is more likely to fail than not. */
const downBelow = 0.5

const step = 1.25

/** Upper bounds of the classes in which the time of a capture is counted: each a quarter above the one before, 25 ms to 2 min. */
export const latencyBounds: ReadonlyArray<number> = Array.from({ length: 39 }, (_, place) =>
  Math.round(25 * step ** place)
)

const [slowest = 0] = latencyBounds.slice(-1)

/** The class of a duration: the smallest bound it does not exceed; what is slower than all counts as the slowest. */
export const latencyClass = (millis: number): number => latencyBounds.find((bound) => millis <= bound) ?? slowest

/** Whether a capture succeeded: that a surface shows no answer is a result as well. */
export const succeeded = (ending: CaptureEnding): boolean => ending === "ok" || ending === "no_answer"

const total = (counts: ReadonlyArray<CaptureCount>): number => counts.reduce((sum, { count }) => sum + count, 0)

const percentile = (counts: ReadonlyArray<CaptureCount>, share: number): number | null => {
  const wanted = total(counts) * share
  let seen = 0
  for (const { latency, count } of counts.toSorted((a, b) => a.latency - b.latency)) {
    seen += count
    if (seen >= wanted) return latency
  }
  return null
}

const rateOf = (counts: ReadonlyArray<CaptureCount>): number =>
  total(counts.filter(({ ending }) => succeeded(ending))) / total(counts)

const statusOf = (rate: number): HealthStatus => (rate >= okFrom ? "ok" : rate < downBelow ? "down" : "degraded")

/**
 * How one platform is doing, from the captures of a week and of its last hour or two.
 *
 * Shape: the status is that of the last hours where they have enough captures, else that of the week, so that an outage shows before it
 * affects the rate of a week. The latency is that of successful captures, at most a quarter above the true one.
 * Laws: `unknown` exactly below 20 captures of the week; more failures never improve the status.
 */
export const healthOf = (week: ReadonlyArray<CaptureCount>, recent: ReadonlyArray<CaptureCount>): Health => {
  const sampleSize = total(week)
  if (sampleSize < sampleMin) return { status: "unknown", successRate: null, p95Millis: null, sampleSize }
  const successRate = rateOf(week)
  return {
    status: statusOf(total(recent) < sampleMin ? successRate : rateOf(recent)),
    successRate,
    p95Millis: percentile(
      week.filter(({ ending }) => succeeded(ending)),
      0.95
    ),
    sampleSize
  }
}
