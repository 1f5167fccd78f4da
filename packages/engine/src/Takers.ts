import { type Duration, Effect, Fiber, Option, Schedule, Scope } from "effect"
import { makeOutage, supervise } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import type { JobAttempt, Tried } from "@sightline/store/Jobs"
import { JobLock } from "./JobLock.ts"
import { jobTriesMax } from "./Tuning.ts"

/** Jobs that are rows in the database, with their ids on a work queue. */
interface QueuedWork<Job> {
  readonly queue: string
  readonly concurrency: number
  /** Claims a row that has waited, or else this one, unless it has an owner or `tried` does not match the number of its tries. */
  readonly claim: (id: string, tried: Tried) => Effect.Effect<Option.Option<Job>>
  readonly work: (job: Job) => Effect.Effect<void>
  /** Returns a row to the queue; false if this taker no longer owns it. */
  readonly giveBack: (job: JobAttempt) => Effect.Effect<boolean>
}

/** Time limit for giving a job back, including a claim that is still under way. After it, the job waits for its lease to expire. */
const farewell: Duration.Input = "2 seconds"

/** The queue of jobs that have one try left before they are abandoned. */
const lastTries = (queue: string): string => `${queue}-last`

/** The number of tries after which a job has one try left. */
const triesBeforeLast = jobTriesMax - 1

/** The queue for a job without an owner, by the number of its tries. */
export const queueOf = (queue: string, tries: number): string => (tries === triesBeforeLast ? lastTries(queue) : queue)

/**
 * Works on queued jobs in this process, up to a number at a time, until the scope closes.
 *
 * Laws: a message is acknowledged once its row is claimed in the database. From then on, whatever happens to the taker, the
 * sweeper finds the row again when its lease expires. A taker whose scope closes gives its job back at once; that attempt
 * does not count as a try. When takers stop, this is logged once, until a taker has reached the database again. The last try
 * of a job runs with no other job in the process: a job that kills its worker takes the jobs beside it along, and those must
 * not be abandoned with it.
 */
export const takers = Effect.fnUntraced(function* <Job extends JobAttempt & { readonly tries: number }>({
  queue,
  concurrency,
  claim,
  work,
  giveBack
}: QueuedWork<Job>) {
  const ids = yield* WorkQueue
  const { exclusive, shared } = yield* JobLock
  // Parallel, so that no taker waits for another one to close.
  const together = yield* Scope.fork(yield* Effect.scope, "parallel")
  const leave = Effect.fnUntraced(
    function* (taken: Effect.Effect<Option.Option<Job>>) {
      const job = yield* taken
      if (Option.isNone(job)) return
      const { id, attempt, tries } = job.value
      if (yield* giveBack({ id, attempt })) yield* ids.push(queueOf(queue, tries - 1), [{ id, turn: attempt }])
    },
    (leaving) => Effect.ignoreCause(Effect.timeout(leaving, farewell))
  )
  // A taker may be interrupted after the database made the claim and before its reply arrives: the job is then given back.
  const take = (id: string, tried: Tried) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkDetach(claim(id, tried)), (claiming) =>
        Effect.onInterrupt(restore(Fiber.join(claiming)), () => leave(Fiber.join(claiming)))
      )
    )
  // While the database is unreachable, every taker stops once a second: only the first stop is logged.
  const { tell, well } = makeOutage()
  const taker = (isLast: boolean) => {
    const [from, lock] = isLast ? [lastTries(queue), exclusive] : [queue, shared]
    // A late message may name a job that has been tried again since. Then the job no longer belongs to this queue.
    const tried = { tries: triesBeforeLast, isSo: isLast }
    const once = Effect.gen(function* () {
      const job = yield* ids.next(from, (id) => Effect.andThen(lock, take(id, tried)))
      yield* well
      if (Option.isSome(job)) yield* Effect.onInterrupt(work(job.value), () => leave(Effect.succeed(job)))
    })
    const forever = Effect.forever(Effect.scoped(once))
    const supervised = supervise(`A taker of ${queue}`, forever, { schedule: Schedule.spaced("1 second"), tell })
    return Scope.provide(supervised, together)
  }
  yield* Effect.forEach(Array.from({ length: concurrency }), () => taker(false), { discard: true })
  yield* taker(true)
})
