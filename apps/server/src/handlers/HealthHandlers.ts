import { Api } from "@sightline/contract/Api"
import type { HealthResponse, PlatformHealth } from "@sightline/contract/HealthApi"
import { providers } from "@sightline/contract/PlatformName"
import { type CaptureCount, healthOf } from "@sightline/domain/Health"
import { perSurface, type Platform } from "@sightline/domain/Platform"
import { RequestId } from "@sightline/server/http/RequestId"
import { refuseUnexpectedInput } from "@sightline/server/http/UnexpectedInput"
import { withSteadyClock } from "@sightline/platforms/Stopwatch"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { Duration, Effect, Exit, Record } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/** How long a report is cached: the endpoint needs no key, so a request must cost almost nothing. */
const remembered: Duration.Input = "5 seconds"

type Counts = ReadonlyArray<CaptureCount>

const reportOf = (week: Counts, recent: Counts): HealthResponse["platforms"] => {
  const of = (platform: Platform): PlatformHealth => {
    const own = (count: CaptureCount) => count.platform === platform
    const { status, successRate, p95Millis, sampleSize } = healthOf(week.filter(own), recent.filter(own))
    return {
      status,
      success_rate_7d: successRate === null ? null : Math.round(successRate * 10_000) / 10_000,
      p95_latency_ms: p95Millis,
      sample_size_7d: sampleSize
    }
  }
  return { ...Record.map(providers, of), ...perSurface(of) }
}

/** The report, read again when the cached one has expired, even if the clock was set meanwhile. */
export const makeReport = (stats: CaptureStats["Service"]) => {
  const since = (from: Duration.Input) => stats.counts({ environment: "live", from, until: Duration.zero })
  const report = Effect.cachedWithTTL(Effect.zipWith(since("7 days"), since("2 hours"), reportOf), (exit) =>
    Exit.isSuccess(exit) ? remembered : Duration.zero
  )
  return Effect.map(report, withSteadyClock)
}

/** `GET /v1/health`. Renders the report; the domain decides on each status. */
export const layer = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const report = yield* makeReport(yield* CaptureStats)
    const read = Effect.gen(function* () {
      return { request_id: yield* RequestId, platforms: yield* report }
    })
    return handlers.handle("read", (called) => refuseUnexpectedInput(called, read))
  })
)
