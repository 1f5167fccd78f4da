/**
 * Planted faults, each seen red: the slot above instead of below; boundaries without the phase; two periods to the next run; a hash
 * without its finisher; a hash of the first two characters alone.
 */
import { DateTime } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { latestSlotAt, nextRunAt, periodMillis, phaseOf, slotsIn } from "@sightline/domain/Slot"
import { Interval } from "@sightline/domain/Watch"

const slotMillis = 300_000
const anyInterval = fc.constantFrom(...Interval.literals)
const anyTime = fc.integer({ min: 0, max: 4e12 }).map((millis) => DateTime.makeUnsafe(millis))
const millis = DateTime.toEpochMillis

/** Random ids, the same on every run. */
const ids = fc.sample(fc.uuid({ version: 4 }), { numRuns: 100_000, seed: 6 })

/** How many of the watches run in each slot of an interval. */
const loads = (watches: ReadonlyArray<string>, interval: Interval): ReadonlyArray<number> => {
  const counts = Array.from({ length: slotsIn[interval] }, () => 0)
  for (const id of watches) {
    const phase = phaseOf(id, interval)
    counts[phase] = (counts[phase] ?? 0) + 1
  }
  return counts
}

const farthest = (counts: ReadonlyArray<number>): number => {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return Math.max(...counts.map((count) => Math.abs(count - mean) / mean))
}

describe("a watch's slots", () => {
  it("enclose any time: latestSlotAt(t) <= t < nextRunAt(t), one period apart", () =>
    fc.assert(
      fc.property(fc.uuid(), anyInterval, anyTime, (id, interval, at) => {
        const latest = millis(latestSlotAt(id, interval, at))
        const next = millis(nextRunAt(id, interval, at))
        assert.isAtMost(latest, millis(at))
        assert.isAbove(next, millis(at))
        assert.strictEqual(next - latest, periodMillis(interval))
      })
    ))

  it("are whole slots of its phase: (slot / 5 min) mod slots = phase", () =>
    fc.assert(
      fc.property(fc.uuid(), anyInterval, anyTime, (id, interval, at) => {
        const slot = millis(nextRunAt(id, interval, at)) / slotMillis
        assert.strictEqual(slot % slotsIn[interval], phaseOf(id, interval))
      })
    ))

  it("do not drift: a run that is late by less than a period leads to the same next run", () =>
    fc.assert(
      fc.property(
        fc.uuid(),
        anyInterval,
        anyTime,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (id, interval, at, late) => {
          const nominal = nextRunAt(id, interval, at)
          const claimed = DateTime.add(nominal, { milliseconds: Math.floor(late * periodMillis(interval)) })
          assert.strictEqual(millis(nextRunAt(id, interval, claimed)), millis(nominal) + periodMillis(interval))
          assert.strictEqual(millis(latestSlotAt(id, interval, claimed)), millis(nominal))
        }
      )
    ))

  it("come once a period: n runs from a time on span n periods", () =>
    fc.assert(
      fc.property(fc.uuid(), anyInterval, anyTime, fc.integer({ min: 1, max: 50 }), (id, interval, at, runs) => {
        const first = nextRunAt(id, interval, at)
        let last = first
        for (let run = 0; run < runs; run++) last = nextRunAt(id, interval, last)
        assert.strictEqual(millis(last) - millis(first), runs * periodMillis(interval))
      })
    ))

  it("after 26 hours of downtime an hourly or daily watch has one run to catch up, and a weekly one at most one", () => {
    const down = DateTime.makeUnsafe("2026-03-01T08:00:00Z")
    const up = DateTime.add(down, { hours: 26 })
    for (const id of ids.slice(0, 2000)) {
      for (const interval of Interval.literals) {
        const due = nextRunAt(id, interval, down)
        const nominal = latestSlotAt(id, interval, up)
        const missed = millis(due) <= millis(up)
        assert.strictEqual(missed, millis(nominal) > millis(down))
        if (interval !== "weekly") assert.isTrue(missed)
        assert.isAbove(millis(nextRunAt(id, interval, nominal)), millis(up))
      }
    }
  })
})

describe("phaseOf", () => {
  it("is the same for ever", () => {
    const id = "6f1c2c1e-8a5e-4b0e-9d5e-0a1b2c3d4e5f"
    assert.deepEqual(
      Interval.literals.map((interval) => phaseOf(id, interval)),
      [9, 105, 969]
    )
  })

  it("spreads 100,000 hourly watches within ±10 % of the mean load", () => {
    assert.isAtMost(farthest(loads(ids, "hourly")), 0.1)
  })

  it.each(Interval.literals)(
    "spreads %s watches as evenly as chance does: chi-square within 4 deviations",
    (interval) => {
      const counts = loads(ids, interval)
      const mean = ids.length / counts.length
      const square = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
      const free = counts.length - 1
      assert.isAtMost(Math.abs(square - free) / Math.sqrt(2 * free), 4)
    }
  )

  it("keeps all watches together within ±10 % at any time of the week: 70 % daily, 20 % hourly, 10 % weekly", () => {
    const daily = loads(ids.slice(0, 70_000), "daily")
    const hourly = loads(ids.slice(70_000, 90_000), "hourly")
    const weekly = loads(ids.slice(90_000), "weekly")
    const all = weekly.map((count, slot) => count + (daily[slot % 288] ?? 0) + (hourly[slot % 12] ?? 0))
    assert.isAtMost(farthest(all), 0.1)
  })

  it("spreads ids that count up, too", () => {
    const counting = Array.from(
      { length: 100_000 },
      (_, n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
    )
    assert.isAtMost(farthest(loads(counting, "hourly")), 0.1)
  })
})
