/**
 * The scheduler over eight virtual days: the real passes over a model of the tables, on the test clock.
 *
 * Planted faults, each seen red: slots that drift with the time of the claim; only one page per pass; rows of an interrupted claim never
 * released; no sweeper after the last kill.
 */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { describe } from "vitest"
import { periodMillis, phaseMillis, slotsIn } from "@sightline/domain/Slot"
import type { Interval } from "@sightline/domain/Watch"
import { tick } from "@sightline/engine/WatchTicker"
import { latestSlotAt, nextRunAt } from "../store/slots.ts"
import { makeDice } from "./dice.ts"
import { type Faults, makeSchedule, noFaults, slotMillis } from "./schedule.ts"

const start = Date.parse("2026-03-01T00:02:30Z")
const days = 8
const end = start + days * 86_400_000
const schedulers = 4

/** 100,000 watches: 70 % daily, 20 % hourly, 10 % weekly. */
const watches = fc
  .sample(fc.uuid({ version: 4 }), { numRuns: 100_000, seed: 11 })
  .map((id, n): { readonly id: string; readonly interval: Interval } => ({
    id,
    interval: n % 10 < 7 ? "daily" : n % 10 < 9 ? "hourly" : "weekly"
  }))

type Schedule = ReturnType<typeof makeSchedule>

/** Concurrent passes of several schedulers, then a round of the sweeper. Returns how many schedulers were killed. */
const pass = ({ layer, sweep }: Schedule, alive = schedulers) =>
  Effect.gen(function* () {
    const passes = yield* Effect.replicateEffect(Effect.exit(tick), alive, { concurrency: "unbounded" })
    yield* sweep
    return passes.filter(Exit.isFailure).length
  }).pipe(Effect.provide(layer))

/** The number of slots of a watch during the simulation. */
const expected = (id: string, interval: Interval): number => {
  const first = DateTime.toEpochMillis(nextRunAt(id, interval, DateTime.makeUnsafe(start)))
  return first > end ? 0 : Math.floor((end - first) / periodMillis(interval)) + 1
}

/** The largest relative deviation of a count from the mean. */
const farthest = (counts: ReadonlyArray<number>): number => {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return Math.max(...counts.map((count) => Math.abs(count - mean) / mean))
}

/** The number of runs in each slot from `start` to `end`. */
const loads = (rows: Schedule["rows"]): ReadonlyArray<number> => {
  const first = Math.ceil(start / slotMillis)
  const counts = Array.from({ length: days * slotsIn.daily }, () => 0)
  for (const { slots } of rows)
    for (const slot of slots) counts[slot / slotMillis - first] = (counts[slot / slotMillis - first] ?? 0) + 1
  return counts
}

describe("four schedulers and 100,000 watches over eight days", () => {
  it.effect(
    "that are killed twice an hour, in a claim or before its announcement, and are all down for up to 50 minutes",
    () =>
      Effect.gen(function* () {
        const dice = makeDice("crashes")
        const faults: Faults = { claimLost: () => dice() < 0.05, announcementLost: () => dice() < 0.05 }
        const schedule = makeSchedule(watches, start, faults)
        yield* TestClock.setTime(start)
        let kills = 0
        let away = 0
        let outages = 0
        for (let minute = 1; minute <= days * 1440; minute++) {
          yield* TestClock.adjust("1 minute")
          if (away > 0) {
            away -= 1
            continue
          }
          if (minute % 397 === 0) {
            away = Math.ceil(dice() * 50)
            outages += 1
          }
          kills += yield* pass(schedule)
        }
        // Later passes do what the last kills left open.
        let last = 0
        do {
          yield* TestClock.adjust("10 seconds")
          last = yield* pass(schedule)
          kills += last
        } while (last > 0)

        let [missed, doubled, undone, strays, runs] = [0, 0, 0, 0, 0]
        for (const { id, interval, slots, done } of schedule.rows) {
          missed += Math.max(0, expected(id, interval) - slots.length)
          doubled += slots.length - new Set(slots).size
          undone += slots.length - done
          const phase = phaseMillis(id, interval)
          const isSlot = (slot: number) => slot > start && slot <= end && (slot - phase) % periodMillis(interval) === 0
          strays += slots.filter((slot) => !isSlot(slot)).length
          runs += slots.length
        }
        assert.deepStrictEqual({ missed, doubled, undone, strays }, { missed: 0, doubled: 0, undone: 0, strays: 0 })
        assert.isAbove(runs, 4_000_000)
        assert.isAbove(kills, 2 * 24 * days)
        assert.isAbove(outages, 10)
        // For all watches together, and for the hourly ones alone. 70,000 watches in 288 slots, or 10,000 in 2,016, are too few for
        // every slot to stay within ±10 % by chance. `Slot.property.test.ts` tests how evenly those are spread.
        assert.isAtMost(farthest(loads(schedule.rows)), 0.1)
        assert.isAtMost(farthest(loads(schedule.rows.filter(({ interval }) => interval === "hourly"))), 0.1)
      }),
    { timeout: 180_000 }
  )

  it.effect(
    "that are down for 26 hours: then each watch that missed a slot gets one run, for its latest slot, and continues",
    () =>
      Effect.gen(function* () {
        const schedule = makeSchedule(watches, start, noFaults)
        yield* TestClock.setTime(start + 26 * 3_600_000)
        const back = DateTime.makeUnsafe(start + 26 * 3_600_000)
        yield* pass(schedule)
        yield* pass(schedule)
        const counts: Record<Interval, Set<number>> = { hourly: new Set(), daily: new Set(), weekly: new Set() }
        for (const { id, interval, slots, nextRunAt: next } of schedule.rows) {
          const latest = DateTime.toEpochMillis(latestSlotAt(id, interval, back))
          assert.deepStrictEqual(slots, latest > start ? [latest] : [])
          assert.strictEqual(next, DateTime.toEpochMillis(nextRunAt(id, interval, back)))
          counts[interval].add(slots.length)
        }
        assert.deepStrictEqual(counts, { hourly: new Set([1]), daily: new Set([1]), weekly: new Set([0, 1]) })
        for (let minute = 0; minute < 60; minute++) {
          yield* TestClock.adjust("1 minute")
          yield* pass(schedule)
        }
        for (const { interval, slots, done } of schedule.rows) {
          if (interval === "hourly") assert.strictEqual((slots[1] ?? 0) - (slots[0] ?? 0), periodMillis("hourly"))
          assert.strictEqual(done, slots.length)
        }
      })
  )
})
