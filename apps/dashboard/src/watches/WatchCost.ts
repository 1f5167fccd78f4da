import { toCents } from "@sightline/domain/Credits"
import type { Mode } from "@sightline/domain/Mode"
import { checkOffers } from "@sightline/domain/PriceList"
import { periodMillis } from "@sightline/domain/Slot"
import type { Interval } from "@sightline/domain/Watch"

/** The cost of a watch if every engine answers every time. */
interface WatchCost {
  /** Credits of one run. A run is never served from cache. */
  readonly run: number
  /** Runs in 30 days; not whole for a watch that runs once a week. */
  readonly runs: number
  /** Credits of 30 days. */
  readonly month: number
}

const monthMillis = 30 * 86_400_000

/** The highest cost of a watch of a mode, from the price list: `quick` every day is 30 runs of 150, 4,500 credits. */
export const watchCost = (mode: Mode, interval: Interval): WatchCost => {
  const run = toCents(checkOffers[mode].price)
  const runs = monthMillis / periodMillis(interval)
  return { run, runs, month: run * runs }
}
