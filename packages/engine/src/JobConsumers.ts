import { type Duration, Effect, Fiber, Option, Schedule, Scope } from "effect"
import { makeOutageLog, supervise } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import type { JobAttempt, TriesFilter } from "@sightline/store/Jobs"
import { JobLock } from "./JobLock.ts"
import { jobTriesMax } from "./Tuning.ts"

/** Jobs that are rows in the database, with their ids on a work queue. */
interface QueuedWork<Job> {
  readonly queue: string
  readonly concurrency: number
  /** Claims a row that has waited, or else this one, unless it has an owner or `filter` does not match the number of its tries. */
  readonly claim: (id: string, filter: TriesFilter) => Effect.Effect<Option.Option<Job>>
  readonly work: (job: Job) => Effect.Effect<void>
  /** Returns a row to the queue; false if this consumer no longer owns it. */
  readonly release: (job: JobAttempt) => Effect.Effect<boolean>
}

/** Time limit for the release of a job, including a claim that is still under way. After it, the job waits for its lease to expire. */
const releaseTimeout: Duration.Input = "2 seconds"

/** The queue of jobs that have one try left before they are abandoned. */
const lastTryQueue = (queue: string): string => `${queue}-last`

/** The number of tries after which a job has one try left. */
const triesBeforeLast = jobTriesMax - 1

/** The queue for a job without an owner, by the number of its tries. */
export const queueOf = (queue: string, tries: number): string =>
  tries === triesBeforeLast ? lastTryQueue(queue) : queue

/**
 * Works on queued jobs in this process, up to a number at a time, until the scope closes.
 *
 * Laws: a message is acknowledged once its row is claimed in the database. From then on, whatever happens to the consumer, the
 * sweeper finds the row again when its lease expires. A consumer whose scope closes releases its job at once; that attempt
 * does not count as a try. When consumers stop, this is logged once, until a consumer has reached the database again. The last try
 * of a job runs with no other job in the process: a job that kills its worker takes the jobs beside it along, and those must
 * not be abandoned with it.
 */
export const runJobConsumers = Effect.fnUntraced(function* <Job extends JobAttempt & { readonly tries: number }>({
  queue,
  concurrency,
  claim,
  work,
  release
}: QueuedWork<Job>) {
  const ids = yield* WorkQueue
  const { exclusive, shared } = yield* JobLock
  // Parallel, so that no consumer waits for another one to close.
  const consumersScope = yield* Scope.fork(yield* Effect.scope, "parallel")
  const releaseJob = Effect.fnUntraced(
    function* (claimed: Effect.Effect<Option.Option<Job>>) {
      const job = yield* claimed
      if (Option.isNone(job)) return
      const { id, attempt, tries } = job.value
      if (yield* release({ id, attempt })) yield* ids.push(queueOf(queue, tries - 1), [{ id, turn: attempt }])
    },
    (releasing) => Effect.ignoreCause(Effect.timeout(releasing, releaseTimeout))
  )
  // A consumer may be interrupted after the database made the claim and before its reply arrives: the job is then released.
  const claimJob = (id: string, filter: TriesFilter) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkDetach(claim(id, filter)), (claiming) =>
        Effect.onInterrupt(restore(Fiber.join(claiming)), () => releaseJob(Fiber.join(claiming)))
      )
    )
  // While the database is unreachable, every consumer stops once a second: only the first stop is logged.
  const { logFailure, recovered } = makeOutageLog()
  const consume = (isLast: boolean) => {
    const [from, lock] = isLast ? [lastTryQueue(queue), exclusive] : [queue, shared]
    // A late message may name a job that has been tried again since. Then the job no longer belongs to this queue.
    const filter = { tries: triesBeforeLast, isExact: isLast }
    const once = Effect.gen(function* () {
      const job = yield* ids.next(from, (id) => Effect.andThen(lock, claimJob(id, filter)))
      yield* recovered
      if (Option.isSome(job)) yield* Effect.onInterrupt(work(job.value), () => releaseJob(Effect.succeed(job)))
    })
    const forever = Effect.forever(Effect.scoped(once))
    const supervised = supervise(`A taker of ${queue}`, forever, { schedule: Schedule.spaced("1 second"), logFailure })
    return Scope.provide(supervised, consumersScope)
  }
  yield* Effect.forEach(Array.from({ length: concurrency }), () => consume(false), { discard: true })
  yield* consume(true)
})
