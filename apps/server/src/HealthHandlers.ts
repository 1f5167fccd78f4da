import { Duration, Effect, Exit } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "@sightline/contract/Api"
import type { HealthResponse, PlatformHealth } from "@sightline/contract/HealthApi"
import { type CaptureCount, healthOf } from "@sightline/domain/Health"
import type { Platform } from "@sightline/domain/Platform"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { RequestId } from "./RequestId.ts"
import { withoutSurplus } from "./Surplus.ts"

/** How long an answer is given again: the endpoint needs no key and must cost next to nothing. */
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
  return {
    chatgpt: of("chatgpt_api"),
    claude: of("claude_api"),
    gemini: of("gemini_api"),
    perplexity: of("perplexity_api"),
    perplexity_live: of("perplexity_live"),
    chatgpt_live: of("chatgpt_live"),
    gemini_live: of("gemini_live"),
    ai_overview: of("ai_overview"),
    ai_mode: of("ai_mode"),
    bing_copilot: of("bing_copilot")
  }
}

/** `GET /v1/health`. Translates; what a status means is the domain's. */
export const layer = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const stats = yield* CaptureStats
    const since = (from: Duration.Input) => stats.counts({ environment: "live", from, until: Duration.zero })
    const report = yield* Effect.cachedWithTTL(Effect.zipWith(since("7 days"), since("2 hours"), reportOf), (exit) =>
      Exit.isSuccess(exit) ? remembered : Duration.zero
    )
    const read = Effect.gen(function* () {
      return { request_id: yield* RequestId, platforms: yield* report }
    })
    return handlers.handle("read", (called) => withoutSurplus(called, read))
  })
)
