/**
 * Filters of the check history, in the page's address and in the API's query.
 *
 * Planted and seen red: an end date is sent as its first moment; a filter that no check can match is passed on; every day is taken for
 * 24 hours; a day that its month does not have is accepted; a year before one of five digits is accepted.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Mode } from "@sightline/domain/Mode"
import { type CheckFilters, checksQueryOf, filtersOf, searchOf } from "@sightline/dashboard/checks/CheckFilters"
import { dayOf, daysAfter, midnight } from "@sightline/dashboard/text/Days"

// A zone with days of 23, 24 and 25 hours.
process.env["TZ"] = "America/New_York"

const anyDay = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))
const day = fc.oneof(anyDay, fc.constantFrom("2026-03-08", "2026-11-01"))
const words = (maxLength: number) =>
  fc.string({ unit: "grapheme", minLength: 1, maxLength }).filter((text) => text.trim() === text && text !== "")

const filters: fc.Arbitrary<CheckFilters> = fc.record(
  {
    brand: words(50),
    query: words(200),
    mode: fc.constantFrom(...Mode.literals),
    watch_id: fc.uuid(),
    start: day,
    end: day
  },
  { requiredKeys: [] }
)

describe("filters", () => {
  it("are tested in a zone whose clocks change", () => {
    assert.notStrictEqual(new Date("2026-01-01").getTimezoneOffset(), new Date("2026-07-01").getTimezoneOffset())
  })

  it("survive a round trip through the address: filtersOf(searchOf(f)) = f", () =>
    fc.assert(
      fc.property(filters, (chosen) => {
        const held: Readonly<Record<string, string>> = { ...chosen }
        assert.deepEqual(filtersOf(new URLSearchParams(searchOf((name) => held[name]).toString())), chosen)
      })
    ))

  it("that no check can match are left out, so that the API gets no pointless request", () => {
    const address = `brand=${"x".repeat(101)}&mode=deep&watch_id=1&start=yesterday&end=2026-02-30&page=7&query=+`
    assert.deepEqual(filtersOf(new URLSearchParams(address)), {})
    assert.deepEqual(filtersOf(new URLSearchParams("start=0000-01-01&end=9999-12-31")), {})
  })

  it("reach to the end of their last day, even where the clocks change on it", () =>
    fc.assert(
      fc.property(day, (last) => {
        const { start, end } = checksQueryOf({ start: last, end: last })
        const next = new Date(end ?? "")
        assert.strictEqual(start, midnight(last))
        assert.deepEqual([next.getHours(), next.getMinutes()], [0, 0])
        assert.notStrictEqual(next.getDate(), new Date(start ?? "").getDate())
        assert.isAtMost(next.getTime() - Date.parse(start ?? ""), 25 * 3_600_000)
      })
    ))
})

describe("days", () => {
  it("add up: daysAfter(daysAfter(d, a), b) = daysAfter(d, a + b)", () =>
    fc.assert(
      fc.property(day, fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }), (from, a, b) => {
        assert.strictEqual(daysAfter(daysAfter(from, a), b), daysAfter(from, a + b))
      })
    ))

  it("follow the calendar", () => {
    assert.strictEqual(daysAfter("2026-02-28", 1), "2026-03-01")
    assert.strictEqual(dayOf("2028-02-29"), "2028-02-29")
    for (const none of [null, "", "2026-02-29", "2026-13-01", "2026-1-1", "2026-01-01T00:00:00Z"])
      assert.isUndefined(dayOf(none))
  })
})
