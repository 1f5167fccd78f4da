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
import { Cooldowns } from "@sightline/store/Cooldowns"
import { Runs } from "@sightline/store/Runs"
import { Sessions } from "@sightline/store/Sessions"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { askQueue } from "./AskRunner.ts"
import { queueOf } from "./JobConsumers.ts"
import { scanInterval } from "./Tuning.ts"
import { runQueue } from "./WatchTicker.ts"

const voidedHolds = Metric.counter("sightline_holds_given_back_total", {
  description: "Holds of calls whose process died, voided after their lease",
  incremental: true
})

/**
 * Queues jobs without an owner again; voids the holds of dead callers; and deletes what has expired. Runs at once and then every
 * `interval`. Once a minute, it corrects times in the future that a fast clock has written, and deletes flights without a leader
 * and full rate limits.
 *
 * Shape: it deletes replies and answers after a day; discoveries after a week; asks, deliveries and texts after a month;
 * cooldowns and sessions that have ended; hourly capture counts that are no longer read; and states of runs from before an upgrade
 * that no later run reads.
 * Laws: runs in any number of processes at once; a round that fails is logged, unless the one before failed too, and the
 * next one runs on time; a failure in one of these tasks does not stop the others; no table is pruned for more than 100 steps in a
 * row, so that each has its turn.
 */
export const layer = (interval: Duration.Input) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const asks = yield* Asks
      const charges = yield* Charges
      const runs = yield* Runs
      const { tables } = yield* TimesAhead
      const jobs = yield* WorkQueue
      const prunable = [
        yield* Replies,
        yield* Answers,
        yield* AnswerTexts,
        yield* Discoveries,
        asks,
        yield* Deliveries,
        yield* Cooldowns,
        yield* Sessions,
        yield* CaptureStats,
        // Last, because after an upgrade it has a lot to do once.
        runs
      ]
      // Their rows change with each call. An index on the time of the change would cost each of them more than a scan now and then.
      const scanned = [yield* Flights, yield* RateLimits]
      const announce = Effect.fnUntraced(function* (queue: string, found: Effect.Effect<ReadonlyArray<DueJob>>) {
        const due = yield* found
        const queues = Map.groupBy(due, ({ tries }) => queueOf(queue, tries))
        for (const [name, items] of queues) yield* jobs.push(name, items)
        return due.length
      })
      // Each queue has rounds of its own: while it is slow, jobs become due again before the last one is pushed, and a round takes long.
      const announcing = (queue: string, found: Effect.Effect<ReadonlyArray<DueJob>>) =>
        superviseRounds(`The announcer of ${queue}`, drain(announce(queue, found)), interval)
      const voidExpired = Effect.gen(function* () {
        const voided = yield* drain(Effect.tap(charges.sweepExpired, (step) => Metric.update(voidedHolds, step)))
        if (voided > 0)
          yield* Effect.logInfo("Holds of lost calls were given back").pipe(Effect.annotateLogs({ voided }))
      })
      const correctAll = each(tables, ({ correct, table }) =>
        Effect.tap(drain(correct), (rows) =>
          rows === 0
            ? Effect.void
            : Effect.logWarning(
                "The database's clock was set back; what waited for a time ahead was brought back"
              ).pipe(Effect.annotateLogs({ table, rows }))
        )
      )
      const pruneAll = (stores: ReadonlyArray<{ readonly prune: Effect.Effect<number> }>) =>
        each(stores, ({ prune }) => drain(prune, stepsPerTurn))
      yield* announcing(askQueue, asks.due)
      yield* announcing(runQueue, runs.due)
      yield* superviseRounds("The sweeper of holds", voidExpired, interval)
      yield* superviseRounds("The sweeper of times ahead", correctAll, scanInterval)
      yield* superviseRounds("The sweeper of flights and rate limits", pruneAll(scanned), scanInterval)
      yield* superviseRounds("The sweeper", pruneAll(prunable), interval)
    })
  )

/** Runs a step for each item, even if others fail, and fails with all their failures. */
const each = <A>(all: ReadonlyArray<A>, step: (one: A) => Effect.Effect<number>) =>
  Effect.flatMap(
    Effect.forEach(all, (one) => Effect.exit(step(one))),
    Exit.asVoidAll
  )

/** How many steps a table is pruned in one round: rows that expire all the time must not keep the round from the next table. */
const stepsPerTurn = 100

/** Repeats a bounded step until it finds nothing to do, at most `most` times. Returns how much it did in all. */
const drain = (step: Effect.Effect<number>, most = Infinity): Effect.Effect<number> =>
  Effect.flatMap(step, (done) =>
    done === 0 || most === 1 ? Effect.succeed(done) : Effect.map(drain(step, most - 1), (more) => done + more)
  )
