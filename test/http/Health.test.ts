/** Planted and seen red: the age of the cached health told by the wall clock. */
import { makeReport } from "@sightline/server/handlers/HealthHandlers"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
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
