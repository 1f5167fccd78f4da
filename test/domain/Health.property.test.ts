/**
 * A platform's health from its captures of the last week and the last hour.
 *
 * Planted and seen red: 19 captures are enough; `no_answer` counts as a failure; an outage is judged by the week alone; the p50 is
 * given as the p95; failures count in the latency.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { type CaptureCount, healthOf, latencyBounds, latencyClass, succeeded } from "@sightline/domain/Health"

const count = (ending: CaptureEnding, captures: number, millis = 1000): CaptureCount => ({
  platform: "ai_mode",
  ending,
  adverts: null,
  latency: latencyClass(millis),
  count: captures
})

const rank = { down: 0, degraded: 1, ok: 2, unknown: -1 }

const counts = fc.array(
  fc.record({
    ending: fc.constantFrom(...CaptureEnding.literals),
    captures: fc.integer({ min: 1, max: 500 }),
    millis: fc.integer({ min: 0, max: 200_000 })
  }),
  { maxLength: 12 }
)
const of = (drawn: ReadonlyArray<{ ending: CaptureEnding; captures: number; millis: number }>) =>
  drawn.map(({ ending, captures, millis }) => count(ending, captures, millis))

describe("healthOf", () => {
  it("is unknown, without figures, exactly below 20 captures in the week", () => {
    for (let captures = 0; captures <= 40; captures++) {
      const health = healthOf(captures === 0 ? [] : [count("ok", captures)], [])
      assert.strictEqual(health.status === "unknown", captures < 20)
      assert.strictEqual(health.successRate === null && health.p95Millis === null, captures < 20)
      assert.strictEqual(health.sampleSize, captures)
    }
  })

  it("more failures improve neither the status nor the rate", () =>
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 500 }), (drawn, failures) => {
        const week = [...of(drawn), count("ok", 20)]
        const before = healthOf(week, [])
        const after = healthOf([...week, count("captcha", failures)], [])
        assert.isAtMost(rank[after.status], rank[before.status])
        assert.isAtMost(after.successRate ?? 0, before.successRate ?? 0)
      })
    ))

  it("counts a page without an answer as a success: the rate is the share of captures that succeeded", () => {
    const { status, successRate } = healthOf([count("ok", 30), count("no_answer", 60), count("timeout", 10)], [])
    assert.strictEqual(successRate, 0.9)
    assert.strictEqual(status, "degraded")
  })

  it("is ok from 95 % on, and down below 50 %", () => {
    const at = (ok: number) => healthOf([count("ok", ok), count("unavailable", 100 - ok)], []).status
    assert.deepEqual([94, 95, 50, 49].map(at), ["degraded", "ok", "degraded", "down"])
  })

  it("an outage shows as down within the hour, however good the week was", () => {
    const week = [count("ok", 10_000), count("captcha", 30)]
    assert.strictEqual(healthOf(week, [count("captcha", 30)]).status, "down")
    // Too few captures to tell.
    assert.strictEqual(healthOf(week, [count("captcha", 19)]).status, "ok")
    assert.strictEqual(healthOf(week, [count("captcha", 20)]).status, "down")
  })

  it("the latency covers 95 % of the captures that succeeded, and is at most a quarter too high", () => {
    const { p95Millis } = healthOf(
      [count("ok", 94, 400), count("no_answer", 4, 3000), count("ok", 2, 20_000), count("timeout", 900, 90_000)],
      []
    )
    assert.isTrue(p95Millis !== null && p95Millis >= 3000 && p95Millis <= 3750)
  })

  it("the latency is that of the 95th of 100 captures by speed, whatever the order of the counts", () => {
    const latency = (fast: number) => healthOf([count("ok", 100 - fast, 20_000), count("ok", fast, 400)], []).p95Millis
    assert.deepEqual([94, 95].map(latency), [latencyClass(20_000), latencyClass(400)])
  })
})

describe("latencyClass", () => {
  it("millis <= class < 1.25 × millis + 1, up to the slowest", () =>
    fc.assert(
      fc.property(fc.integer({ min: 25, max: 120_000 }), (millis) => {
        const bound = latencyClass(millis)
        assert.include(latencyBounds, bound)
        assert.isTrue(millis <= bound && bound < millis * 1.25 + 1)
      })
    ))

  it("each bound is its own class, slower values are in the slowest class, and the classes go from 25 ms to 2 min", () => {
    assert.deepEqual(latencyBounds.map(latencyClass), [...latencyBounds])
    assert.deepEqual([latencyBounds[0], latencyBounds.at(-1)], [latencyClass(0), latencyClass(3_600_000)])
    assert.deepEqual(
      [latencyBounds[0], latencyBounds.findIndex((bound) => bound >= 120_000)],
      [25, latencyBounds.length - 1]
    )
  })
})

it("only an answer, or a page that shows none, is a success", () => {
  assert.deepEqual(CaptureEnding.literals.filter(succeeded), ["ok", "no_answer"])
})
