/**
 * Planted and seen red: the age of the cached health told by the wall clock; the week taken for the last two hours; test captures counted; a
 * rate of two decimals; no latency.
 */
import { makeReport } from "@sightline/server/handlers/HealthHandlers"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { withClockSet } from "../services/withClockSet.ts"

it.effect("health is read again after five seconds, even if the wall clock was set back meanwhile", () => {
  let readings = 0
  const counts = () => Effect.sync(() => (readings++, []))
  return Effect.gen(function* () {
    const report = yield* makeReport(yield* CaptureStats)
    yield* report
    yield* TestClock.adjust("4 seconds")
    yield* report
    assert.strictEqual(readings, 2)
    yield* TestClock.adjust("1 second")
    yield* withClockSet(report, (millis) => millis - 3_600_000)
    assert.strictEqual(readings, 4)
  }).pipe(Effect.provide(Layer.mock(CaptureStats, { counts })))
})

it.effect(
  "health has the rate of a week, to four decimals, and the status of the last two hours, of live captures",
  () => {
    const ended = (ending: "ok" | "timeout", count: number) => {
      return { platform: "chatgpt_api", ending, adverts: null, latency: 1200, count } as const
    }
    const counts: CaptureStats["Service"]["counts"] = ({ environment, from }) => {
      const hours = Duration.toHours(from)
      if (environment !== "live") return Effect.succeed([ended("timeout", 1000)])
      return Effect.succeed(hours === 168 ? [ended("ok", 299), ended("timeout", 1)] : [ended("timeout", 10 * hours)])
    }
    return Effect.gen(function* () {
      const report = yield* makeReport(yield* CaptureStats)
      const { chatgpt } = yield* report
      const seen = { success_rate_7d: 0.9967, p95_latency_ms: 1200, sample_size_7d: 300 }
      assert.deepStrictEqual(chatgpt, { status: "down", ...seen })
    }).pipe(Effect.provide(Layer.mock(CaptureStats, { counts })))
  }
)
