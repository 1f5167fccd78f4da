/**
 * The model of a watch's slots with which the database and the scheduler are compared.
 *
 * Planted faults, each seen red: the slot above instead of below; boundaries without the phase; two periods to the next run.
 */
import { DateTime } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { periodMillis, phaseOf, slotsIn } from "@sightline/domain/Slot"
import { Interval } from "@sightline/domain/Watch"
import { latestSlotAt, nextRunAt } from "./slots.ts"

const slotMillis = 300_000
const anyInterval = fc.constantFrom(...Interval.literals)
const anyTime = fc.integer({ min: 0, max: 4e12 }).map((millis) => DateTime.makeUnsafe(millis))
const millis = DateTime.toEpochMillis

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

  it("come once a period: n consecutive runs span n periods", () =>
    fc.assert(
      fc.property(fc.uuid(), anyInterval, anyTime, fc.integer({ min: 1, max: 50 }), (id, interval, at, runs) => {
        const first = nextRunAt(id, interval, at)
        let last = first
        for (let run = 0; run < runs; run++) last = nextRunAt(id, interval, last)
        assert.strictEqual(millis(last) - millis(first), runs * periodMillis(interval))
      })
    ))

  it("after 26 hours of downtime an hourly or daily watch has one missed run, and a weekly one at most one", () => {
    const down = DateTime.makeUnsafe("2026-03-01T08:00:00Z")
    const up = DateTime.add(down, { hours: 26 })
    for (const id of fc.sample(fc.uuid({ version: 4 }), { numRuns: 2000, seed: 6 })) {
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
