/**
 * The cost of a watch that is shown before it is created.
 *
 * Planted fault, seen red: a month of a weekly watch is four runs.
 */
import { assert, it } from "vitest"
import { toCents } from "@sightline/domain/Credits"
import { Mode } from "@sightline/domain/Mode"
import { checkOffers } from "@sightline/domain/PriceList"
import { Interval } from "@sightline/domain/Watch"
import { watchCost } from "@sightline/dashboard/watches/WatchCost"

it("a daily quick watch is 30 runs of 150 credits, an hourly one 720, a weekly one a seventh of the daily", () => {
  assert.deepEqual(watchCost("quick", "daily"), { run: 150, runs: 30, month: 4500 })
  assert.deepEqual(watchCost("all_live", "hourly"), { run: 165, runs: 720, month: 118_800 })
  assert.closeTo(watchCost("quick", "weekly").month, 4500 / 7, 1e-9)
})

it("a run costs the price of its mode, and a month that price for each of its runs", () => {
  for (const mode of Mode.literals)
    for (const interval of Interval.literals) {
      const { run, runs, month } = watchCost(mode, interval)
      assert.strictEqual(run, toCents(checkOffers[mode].price))
      assert.strictEqual(month, run * runs)
    }
})
