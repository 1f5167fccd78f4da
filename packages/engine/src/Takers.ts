import { Effect, Option, Schedule } from "effect"
import { supervise } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"

/** Work that is rows in the database and ids on a queue. */
interface Trade<Job> {
  readonly name: string
  readonly queue: string
  readonly concurrency: number
  /** Takes the row, unless somebody has it. */
  readonly claim: (id: string) => Effect.Effect<Option.Option<Job>>
  readonly work: (job: Job) => Effect.Effect<void>
}

/**
 * Takes queued work in this process, so much of it at a time, until the scope closes.
 *
 * Laws: a message is acknowledged once the row is taken in the database; whatever happens to its taker from there on, the
 * sweeper finds the row again when its lease is over.
 */
export const takers = Effect.fnUntraced(function* <Job>({ name, queue, concurrency, claim, work }: Trade<Job>) {
  const ids = yield* WorkQueue
  const once = Effect.gen(function* () {
    const job = yield* ids.next(queue, claim)
    if (Option.isSome(job)) yield* work(job.value)
  })
  const taker = supervise(`A taker of ${name}`, Effect.forever(once), { schedule: Schedule.spaced("1 second") })
  yield* Effect.forEach(Array.from({ length: concurrency }), () => taker, { discard: true })
})
