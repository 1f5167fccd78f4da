/**
 * What the usage page requests, and the gaps that it fills in the answer.
 *
 * Planted and seen red: buckets are matched by their text, or in reverse order; the last bucket is cut off; a year is shown by hour;
 * the last day is not requested.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { bucketsOf } from "@sightline/dashboard/money/Buckets"
import { choiceOf, lastDays, usageQueryOf } from "@sightline/dashboard/money/UsageChoice"

const now = new Date("2026-11-21T17:05:00Z")
const choice = (address: string) => choiceOf(new URLSearchParams(address), now)

describe("the usage shown", () => {
  it("covers the last 30 days by day, today included, by default", () => {
    assert.deepEqual(usageQueryOf(choice("")), { start: "2026-10-23", granularity: "day" })
    assert.strictEqual(choice("").days, 30)
  })

  it("covers as many days as its range is called", () => {
    const { start } = lastDays(7, now)
    assert.strictEqual(choice(`start=${start}`).days, 7)
    assert.strictEqual(choice(`start=${start}&end=2026-11-21`).days, 7)
    assert.isUndefined(choice(`start=${start}&end=2026-11-20`).days)
  })

  it("ends with the chosen day, or without one with now, which only the server knows", () => {
    const ends = ["", "end=2026-11-20", "start=2026-11-01", "end=soon"].map(
      (address) => usageQueryOf(choice(address)).end
    )
    assert.deepEqual(ends, [undefined, "2026-11-21", undefined, undefined])
  })

  it("is by hour only for a readable number of hours", () => {
    assert.strictEqual(choice("granularity=hour").granularity, "hour")
    assert.strictEqual(choice("granularity=hour&start=2026-01-01").granularity, "day")
    assert.isFalse(choice("start=2026-01-01").canBeHourly)
  })

  it("is filtered by existing choices and by nothing else", () => {
    assert.deepEqual(choice("endpoint=ask&mode=live").narrowed, { endpoint: "ask", mode: "live" })
    assert.deepEqual(choice("endpoint=admin&mode=&start=soon").narrowed, {})
  })
})

const length = 86_400_000
const spent = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 })
  .chain((days) =>
    fc.tuple(fc.constant(days), fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 40, maxLength: 40 }))
  )

describe("buckets", () => {
  it("have no gaps, and each has the figures of its day", () =>
    fc.assert(
      fc.property(spent, ([days, cents]) => {
        const start = Date.parse("2026-09-01T00:00:00Z")
        const series = days.map((day, n) => ({
          bucket: new Date(start + day * length).toISOString().replace(".000Z", "Z"),
          calls: 1,
          cost_cents: cents[n] ?? 0
        }))
        const window = { start: "2026-09-01T05:00:00Z", end: "2026-11-02T00:00:00Z", granularity: "day" as const }
        const total = { calls: 0, cost_cents: 0, cost_by_endpoint: {}, cost_by_mode: {} }
        const filled = bucketsOf({ request_id: "", window, total, series }, now)
        const spentOn = new Map(days.map((day, n) => [day, cents[n] ?? 0]))
        assert.deepEqual(
          filled,
          Array.from({ length: 62 }, (_, day) => ({
            at: new Date(start + day * length),
            calls: spentOn.has(day) ? 1 : 0,
            cents: spentOn.get(day) ?? 0
          }))
        )
      })
    ))

  it("end with the current one, not with the end of the window", () => {
    const window = { start: "2026-11-20T00:00:00Z", end: "2026-11-22T00:00:00Z", granularity: "hour" as const }
    const total = { calls: 0, cost_cents: 0, cost_by_endpoint: {}, cost_by_mode: {} }
    const filled = bucketsOf({ request_id: "", window, total, series: [] }, now)
    assert.strictEqual(filled.at(-1)?.at.toISOString(), "2026-11-21T17:00:00.000Z")
  })
})
