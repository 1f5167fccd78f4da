import { type Duration, Effect, Exit, Layer, Metric } from "effect"
import { superviseRounds } from "@sightline/actor/Supervisor"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Answers } from "@sightline/store/Answers"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { Asks } from "@sightline/store/Asks"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { Charges } from "@sightline/store/Charges"
import { Deliveries } from "@sightline/store/Deliveries"
import { Discoveries } from "@sightline/store/Discoveries"
import { Flights } from "@sightline/store/Flights"
import type { DueJob } from "@sightline/store/Jobs"
import { RateLimits } from "@sightline/store/RateLimits"
import { Replies } from "@sightline/store/Replies"
import { Rests } from "@sightline/store/Rests"
import { Runs } from "@sightline/store/Runs"
import { Sessions } from "@sightline/store/Sessions"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { askQueue } from "./AskRunner.ts"
import { queueOf } from "./Takers.ts"
import { timesInterval } from "./Tuning.ts"
import { runQueue } from "./WatchTicker.ts"

const givenBack = Metric.counter("sightline_holds_given_back_total", {
  description: "Holds of calls whose process died, voided after their lease",
  incremental: true
})

/**
 * Queues jobs without an owner again, voids the holds of dead callers, corrects each minute the times that a clock which
 * was ahead left in the future, and deletes what has expired: replies and answers of a day ago, discoveries of a week ago,
 * asks, deliveries and texts of a month ago, flights that nobody leads, rests and sessions that are over, rate limits that
 * are full, hours of captures that nobody looks at, and what runs from before an upgrade leave to no other. At once, then
 * every `interval`.
 *
 * Laws: runs in any number of processes at once; a round that fails is logged, unless the one before failed too, and the
 * next one runs on time; a failure in one of these tasks does not stop the others.
 */
export const layer = (interval: Duration.Input) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const asks = yield* Asks
      const charges = yield* Charges
      const runs = yield* Runs
      const { tables } = yield* TimesAhead
      const jobs = yield* WorkQueue
      const perishable = [
        yield* Replies,
        yield* Answers,
        yield* AnswerTexts,
        yield* Discoveries,
        asks,
        yield* Deliveries,
        yield* Flights,
        yield* Rests,
        yield* Sessions,
        yield* RateLimits,
        yield* CaptureStats,
        // The last of them: once, after an upgrade, it has a lot to do.
        runs
      ]
      const announce = Effect.fnUntraced(function* (queue: string, found: Effect.Effect<ReadonlyArray<DueJob>>) {
        const due = yield* found
        const queues = Map.groupBy(due, ({ tries }) => queueOf(queue, tries))
        for (const [name, items] of queues) yield* jobs.push(name, items)
        return due.length
      })
      // Each on its own: while a queue is slow to take them, many jobs become due again before the last of them is handed out.
      const announcing = (queue: string, found: Effect.Effect<ReadonlyArray<DueJob>>) =>
        superviseRounds(`The announcer of ${queue}`, drain(announce(queue, found)), interval)
      const returned = Effect.gen(function* () {
        const voided = yield* drain(Effect.tap(charges.sweepExpired, (step) => Metric.update(givenBack, step)))
        if (voided > 0)
          yield* Effect.logInfo("Holds of lost calls were given back").pipe(Effect.annotateLogs({ voided }))
      })
      const broughtBack = each(tables, ({ bringBack, table }) =>
        Effect.tap(drain(bringBack), (rows) =>
          rows === 0
            ? Effect.void
            : Effect.logWarning(
                "The database's clock was set back; what waited for a time ahead was brought back"
              ).pipe(Effect.annotateLogs({ table, rows }))
        )
      )
      const forgotten = each(perishable, ({ prune }) => drain(prune))
      yield* announcing(askQueue, asks.due)
      yield* announcing(runQueue, runs.due)
      yield* superviseRounds("The sweeper of holds", returned, interval)
      yield* superviseRounds("The sweeper of times ahead", broughtBack, timesInterval)
      yield* superviseRounds("The sweeper", forgotten, interval)
    })
  )

/** Takes a step with each, whatever becomes of the others, and fails with all that failed. */
const each = <A>(all: ReadonlyArray<A>, step: (one: A) => Effect.Effect<number>) =>
  Effect.flatMap(
    Effect.forEach(all, (one) => Effect.exit(step(one))),
    Exit.asVoidAll
  )

/** Repeats a bounded step until it finds nothing to do. How much it did in all. */
const drain = (step: Effect.Effect<number>): Effect.Effect<number> =>
  Effect.flatMap(step, (done) => (done === 0 ? Effect.succeed(0) : Effect.map(drain(step), (more) => done + more)))
