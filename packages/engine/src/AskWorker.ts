import { Effect, Layer, Option, Schedule } from "effect"
import { supervise } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Asks } from "@sightline/store/Asks"
import { askQueue, AskRunner } from "./AskRunner.ts"
import { askConcurrency } from "./Tuning.ts"

/**
 * The takers of queued asks in this process.
 *
 * Laws: a message is acknowledged once the job is taken in the database; whatever happens to its taker from there on, the
 * sweeper finds the job again when its lease is over.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const asks = yield* Asks
    const queue = yield* WorkQueue
    const runner = yield* AskRunner
    const once = Effect.gen(function* () {
      const job = yield* queue.next(askQueue, asks.claim)
      if (Option.isSome(job)) yield* runner.work(job.value)
    })
    const taker = supervise("A taker of asks", Effect.forever(once), { schedule: Schedule.spaced("1 second") })
    yield* Effect.forEach(Array.from({ length: askConcurrency }), () => taker, { discard: true })
  })
)
