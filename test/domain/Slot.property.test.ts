/** Planted faults, each seen red: a hash without its finisher; a hash of the first two characters alone. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { periodMillis, phaseMillis, phaseOf, slotsIn } from "@sightline/domain/Slot"
import { Interval } from "@sightline/domain/Watch"

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

describe("phaseOf", () => {
  it("never changes", () => {
    const id = "6f1c2c1e-8a5e-4b0e-9d5e-0a1b2c3d4e5f"
    assert.deepEqual(
      Interval.literals.map((interval) => phaseOf(id, interval)),
      [9, 105, 969]
    )
  })

  it("spreads 100,000 hourly watches within ±10 % of the mean load", () => {
    assert.isAtMost(farthest(loads(ids, "hourly")), 0.1)
  })

  it.each(Interval.literals)("spreads %s watches as evenly as chance: chi-square within 4 deviations", (interval) => {
    const counts = loads(ids, interval)
    const mean = ids.length / counts.length
    const square = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    const free = counts.length - 1
    assert.isAtMost(Math.abs(square - free) / Math.sqrt(2 * free), 4)
  })

  it("keeps all watches together within ±10 % at any time of the week: 70 % daily, 20 % hourly, 10 % weekly", () => {
    const daily = loads(ids.slice(0, 70_000), "daily")
    const hourly = loads(ids.slice(70_000, 90_000), "hourly")
    const weekly = loads(ids.slice(90_000), "weekly")
    const all = weekly.map((count, slot) => count + (daily[slot % 288] ?? 0) + (hourly[slot % 12] ?? 0))
    assert.isAtMost(farthest(all), 0.1)
  })

  it("spreads sequential ids too", () => {
    const counting = Array.from(
      { length: 100_000 },
      (_, n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
    )
    assert.isAtMost(farthest(loads(counting, "hourly")), 0.1)
  })
})

it("a watch runs every hour, day or week, at its own 5-minute slot", () => {
  const [hour, minute] = [3_600_000, 60_000]
  assert.deepEqual(Interval.literals.map(periodMillis), [hour, 24 * hour, 168 * hour])
  for (const interval of Interval.literals)
    for (const id of ids.slice(0, 100)) {
      assert.strictEqual(phaseMillis(id, interval), phaseOf(id, interval) * 5 * minute)
      assert.isBelow(phaseMillis(id, interval), periodMillis(interval))
    }
})
