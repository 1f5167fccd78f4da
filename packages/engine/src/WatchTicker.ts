import { type Duration, Effect, Layer, Metric } from "effect"
import { superviseRounds } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Watches } from "@sightline/store/Watches"
import { claimers, claimMax, runConcurrency } from "./Tuning.ts"

/** The work queue of watches' runs. */
export const runQueue = "runs"

const queued = Metric.counter("sightline_runs_queued_total", {
  description: "Runs of due watches that were queued",
  incremental: true
})

const skipped = Metric.counter("sightline_runs_skipped_total", {
  description: "Due watches that got no run, because their last run was still open or the slot already had its run",
  incremental: true
})

const missed = Metric.counter("sightline_slots_missed_total", {
  description: "Slots of watches that passed while no scheduler ran; each watch then ran once for the latest of them",
  incremental: true
})

/**
 * One pass of the scheduler: queues the run of every due watch. Returns how many it queued.
 *
 * Laws: any number of passes may run at once, in any processes: each due slot is queued once.
 */
export const tick = Effect.gen(function* () {
  const watches = yield* Watches
  const queue = yield* WorkQueue
  const claim: Effect.Effect<number> = Effect.gen(function* () {
    const { moved, missed: passed, runs } = yield* watches.claimDue(claimMax)
    yield* Metric.update(skipped, moved - runs.length)
    yield* Metric.update(missed, passed)
    const items = runs.map((id) => ({ id, turn: 0 }))
    const announced = queue
      .push(runQueue, items, runConcurrency)
      .pipe(Effect.andThen(Metric.update(queued, runs.length)), Effect.as(runs.length))
    if (moved < claimMax) return yield* announced
    // The next claim runs in the database while the queue takes the runs of this one.
    const [here, further] = yield* Effect.all([announced, claim], { concurrency: 2 })
    return here + further
  })
  const claimed = yield* Effect.replicateEffect(claim, claimers, { concurrency: "unbounded" })
  return claimed.reduce((sum, runs) => sum + runs, 0)
})

/** Runs the scheduler at once and then every `interval`. */
export const layer = (interval: Duration.Input) => Layer.effectDiscard(superviseRounds("The scheduler", tick, interval))
