/**
 * When a fallback vendor is asked.
 *
 * Planted faults that turned this red: it is asked after a timeout too; its failure is reported; it gets the whole time again; it is
 * asked with no time left; the remaining time is measured by the wall clock, or without the question's wait in the queue.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import type { Answer } from "@sightline/domain/Answer"
import { FailureCode, PlatformFailed } from "@sightline/domain/Platform"
import { type Capture, Waited } from "@sightline/platforms/Capture"
import { withFallback } from "@sightline/platforms/vendor/Fallback"
import { absent } from "@sightline/platforms/SurfaceAnswer"
import { withClockSet } from "../../services/withClockSet.ts"
import { asked } from "./LocalSurfaces.ts"

const found: Answer = { ...absent("ai_mode"), text: "Taskfield.", raw: "Taskfield." }

const failing =
  (code: FailureCode, after = 0): Capture =>
  () =>
    Effect.delay(Effect.fail(new PlatformFailed({ platform: "ai_mode", code, message: code })), after)

const counted = (capture: Capture) => {
  const counter = { asked: 0 }
  const counting: Capture = (question) => {
    counter.asked++
    return capture(question)
  }
  return { counter, counting }
}

/** The outcome of a question, with virtual time passed until it has ended. */
const outcome = (capture: Capture) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(capture(asked("best crm"))))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

const codeOf = (result: Result.Result<Answer, PlatformFailed>) =>
  Result.isFailure(result) ? result.failure.code : "ok"

describe("the fallback", () => {
  it.effect.each(FailureCode.literals)("is asked or not after %s", (code) =>
    Effect.gen(function* () {
      const { counter, counting } = counted(() => Effect.succeed(found))
      const taken = code === "upstream_unavailable" || code === "upstream_rate_limited"
      assert.strictEqual(
        codeOf(yield* outcome(withFallback(failing(code), counting, "90 seconds"))),
        taken ? "ok" : code
      )
      assert.strictEqual(counter.asked, taken ? 1 : 0)
    })
  )

  it.effect.each([found, absent("ai_mode")])("is not asked after an answer or an absence", (answer) =>
    Effect.gen(function* () {
      const { counter, counting } = counted(failing("upstream_timeout"))
      const first: Capture = () => Effect.succeed(answer)
      assert.deepStrictEqual(yield* outcome(withFallback(first, counting, "90 seconds")), Result.succeed(answer))
      assert.strictEqual(counter.asked, 0)
    })
  )

  it.effect("gets only the remaining time, and the first failure is reported", () =>
    Effect.gen(function* () {
      const { counter, counting } = counted(() => Effect.as(Effect.sleep("31 seconds"), found))
      const slow = withFallback(failing("upstream_rate_limited", 60_000), counting, "90 seconds")
      assert.strictEqual(codeOf(yield* outcome(slow)), "upstream_rate_limited")
      assert.strictEqual(counter.asked, 1)
      const inTime = withFallback(failing("upstream_rate_limited", 58_000), counting, "90 seconds")
      assert.strictEqual(codeOf(yield* outcome(inTime)), "ok")
    })
  )

  it.effect("gets less time where the question has waited in the queue", () =>
    Effect.gen(function* () {
      const { counter, counting } = counted(() => Effect.as(Effect.sleep("31 seconds"), found))
      const waiting = (first: Capture) =>
        Effect.provideService(outcome(withFallback(first, counting, "90 seconds")), Waited, 30_000)
      assert.strictEqual(codeOf(yield* waiting(failing("upstream_rate_limited", 28_000))), "ok")
      assert.strictEqual(codeOf(yield* waiting(failing("upstream_rate_limited", 30_000))), "upstream_rate_limited")
      assert.strictEqual(counter.asked, 2)
      assert.strictEqual(codeOf(yield* waiting(failing("upstream_unavailable", 56_000))), "upstream_unavailable")
      assert.strictEqual(counter.asked, 2)
    })
  )

  it.effect("gets that time even when the wall clock is changed meanwhile", () =>
    Effect.gen(function* () {
      let hours = 0
      const capture = withFallback(failing("upstream_unavailable"), () => Effect.succeed(found), "90 seconds")
      const result = yield* withClockSet(outcome(capture), (millis) => millis + 3_600_000 * hours++)
      assert.strictEqual(codeOf(result), "ok")
    })
  )

  it.effect("is not asked with less than five seconds left", () =>
    Effect.gen(function* () {
      const { counter, counting } = counted(() => Effect.succeed(found))
      assert.strictEqual(
        codeOf(yield* outcome(withFallback(failing("upstream_unavailable", 85_001), counting, "90 seconds"))),
        "upstream_unavailable"
      )
      assert.strictEqual(counter.asked, 0)
      assert.strictEqual(
        codeOf(yield* outcome(withFallback(failing("upstream_unavailable", 85_000), counting, "90 seconds"))),
        "ok"
      )
    })
  )

  it.effect.each(["upstream_timeout", "surface_unavailable_in_region"] as const)(
    "that fails too (%s) leaves the first failure as the one reported",
    (code) =>
      Effect.gen(function* () {
        const both = withFallback(failing("upstream_unavailable"), failing(code), "90 seconds")
        assert.strictEqual(codeOf(yield* outcome(both)), "upstream_unavailable")
      })
  )
})
