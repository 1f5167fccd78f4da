import { type Duration, Effect, Fiber, Option, Schedule, Scope } from "effect"
import { makeOutage, supervise } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import type { JobAttempt, Tried } from "@sightline/store/Jobs"
import { JobLock } from "./JobLock.ts"
import { jobTriesMax } from "./Tuning.ts"

/** Work that is rows in the database and ids on a queue. */
interface QueuedWork<Job> {
  readonly queue: string
  readonly concurrency: number
  /** Takes a row that has waited, or this one, unless somebody has it or it was tried another number of times than wanted. */
  readonly claim: (id: string, tried: Tried) => Effect.Effect<Option.Option<Job>>
  readonly work: (job: Job) => Effect.Effect<void>
  /** Leaves a row to others; false where that is not ours to do. */
  readonly giveBack: (job: JobAttempt) => Effect.Effect<boolean>
}

/** What giving a job back may take, also one that is still being taken. Whoever cannot leaves it to its lease. */
const farewell: Duration.Input = "2 seconds"

/** The queue of those jobs that may be tried only once more, before they are given up. */
const lastTries = (queue: string): string => `${queue}-last`

/** How often a job was tried that may be tried only once more. */
const triesBeforeLast = jobTriesMax - 1

/** The queue for a job without an owner, by the number of its tries. */
export const queueOf = (queue: string, tries: number): string => (tries === triesBeforeLast ? lastTries(queue) : queue)

/**
 * Works on queued jobs in this process, up to a number at a time, until the scope closes.
 *
 * Laws: a message is acknowledged once the row is taken in the database; whatever happens to its taker from there on, the
 * sweeper finds the row again when its lease is over. A taker whose scope closes gives its job back at once, to be begun
 * again, and that was no try. That takers of the queue stopped is logged once until one has asked the database for a job.
 * The last try of a job is made with no other job in the process: what kills its worker takes those beside it along each
 * time, and is given up without them.
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
  // None waits for another one to leave.
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
  // The database may have taken the row for whoever is interrupted before they hear of it.
  const take = (id: string, tried: Tried) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkDetach(claim(id, tried)), (claiming) =>
        Effect.onInterrupt(restore(Fiber.join(claiming)), () => leave(Fiber.join(claiming)))
      )
    )
  // While the database is away each taker stops every second.
  const { tell, well } = makeOutage()
  const taker = (isLast: boolean) => {
    const [from, lock] = isLast ? [lastTries(queue), exclusive] : [queue, shared]
    // A message that comes late may find a job that was tried more often than it says: then it is not for this queue any more.
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
