/**
 * Planted faults, each seen red:
 * - one step per round instead of all there is to do, in any of the stores
 * - no restart after a failed round
 * - cooldowns and capture statistics not pruned; texts, deliveries and flights not pruned
 * - holds swept only after all jobs were handed out; runs handed out only after all asks
 * - released holds not counted, or logged when there are none
 * - jobs handed out in the first round only
 * - a round that ends at the first store that cannot be pruned, or that does not log such stores
 * - flights or rate limits pruned in every round, or only once
 * - no limit on the steps of a table
 * - future times looked for only once, in one table, in one step, or not beyond a failing table; nothing logged about them
 */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Sweeper from "@sightline/engine/Sweeper"
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
import { Cause, Context, Duration, Effect, Fiber, Layer, Logger, Metric, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerDatabase } from "../store/database.ts"

type Step =
  | "ahead"
  | "sweeps"
  | "prunes"
  | "answers"
  | "asks"
  | "deliveries"
  | "cooldowns"
  | "discoveries"
  | "flights"
  | "stats"
  | "texts"
  | "sessions"
  | "limits"
  | "states"

/** How often each step ran: `count` times, except for the steps that are named. */
const times = (count: number, but: Partial<Record<Step, number>> = {}) => {
  const calls: Record<Step, number> = {
    // Once a minute, not in every round.
    ahead: Math.min(count, 1),
    sweeps: count,
    prunes: count,
    answers: count,
    asks: count,
    deliveries: count,
    cooldowns: count,
    discoveries: count,
    flights: count,
    stats: count,
    texts: count,
    sessions: count,
    limits: count,
    states: count
  }
  return { ...calls, ...but }
}

/** A sweeper over stores whose steps return the listed counts in turn, and then 0. `prunes` applies to each store. */
const sweeping = Effect.fnUntraced(function* (
  sweeps: Array<Effect.Effect<number>>,
  prunes: ReadonlyArray<number>,
  due: Array<ReadonlyArray<DueJob>> = [],
  dueRuns: Array<ReadonlyArray<DueJob>> = [],
  queues: Layer.Layer<WorkQueue> = WorkQueue.layerMemory,
  tables?: TimesAhead["Service"]["tables"]
) {
  const calls = times(0)
  const counted = (what: Step) =>
    Effect.sync(() => {
      calls[what] += 1
      return prunes[calls[what] - 1] ?? 0
    })
  const shift = (jobs: Array<ReadonlyArray<DueJob>>) => Effect.sync(() => jobs.shift() ?? [])
  const stores = Layer.mergeAll(
    Layer.mock(Asks, { prune: counted("asks"), due: shift(due) }),
    Layer.mock(Runs, { prune: counted("states"), due: shift(dueRuns) }),
    queues,
    Layer.mock(AnswerTexts, { prune: counted("texts") }),
    Layer.mock(CaptureStats, { prune: counted("stats") }),
    Layer.mock(Deliveries, { prune: counted("deliveries") }),
    Layer.mock(Discoveries, { prune: counted("discoveries") }),
    Layer.mock(Flights, { prune: counted("flights") }),
    Layer.mock(Cooldowns, { prune: counted("cooldowns") }),
    Layer.mock(Sessions, { prune: counted("sessions") }),
    Layer.mock(RateLimits, { prune: counted("limits") }),
    Layer.mock(Answers, { prune: counted("answers") }),
    Layer.mock(Charges, {
      sweepExpired: Effect.suspend(() => {
        calls.sweeps += 1
        return sweeps.shift() ?? Effect.succeed(0)
      })
    }),
    Layer.mock(Replies, { prune: counted("prunes") }),
    Layer.mock(TimesAhead, { tables: tables ?? [{ table: "watches", correct: Effect.as(counted("ahead"), 0) }] })
  )
  const { queue } = yield* Effect.map(
    Layer.build(Sweeper.layer("5 seconds").pipe(Layer.provideMerge(stores))),
    (services) => ({ queue: Context.get(services, WorkQueue) })
  )
  yield* TestClock.adjust("1 millis")
  return { calls, queue }
})

describe("Sweeper", () => {
  it.effect("runs at once and then every interval", () =>
    Effect.gen(function* () {
      const { calls } = yield* sweeping([], [])
      assert.deepStrictEqual(calls, times(1))
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(calls, times(1))
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(calls, times(3, { flights: 1, limits: 1 }))
    })
  )

  it.effect("prunes once a minute what only a scan of its table finds", () =>
    Effect.gen(function* () {
      const { calls } = yield* sweeping([], [])
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual([calls.flights, calls.limits, calls.answers], [1, 1, 12])
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual([calls.flights, calls.limits, calls.answers], [2, 2, 13])
    })
  )

  it.effect("does all there is to do in one round, and logs once how many holds were released", () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ fiber, message }) => {
      lines.push([message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    return Effect.gen(function* () {
      const { calls } = yield* sweeping([500, 500, 12].map(Effect.succeed), [1000, 3])
      assert.deepStrictEqual(calls, times(3, { sweeps: 4 }))
      const counted = (yield* Metric.snapshot).find(({ id }) => id === "sightline_holds_given_back_total")
      assert.deepStrictEqual(counted?.state, { count: 1012, incremental: true })
      yield* TestClock.adjust("5 seconds")
      assert.deepEqual(lines, [[["Holds of lost calls were given back"], { voided: 1012 }]])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.effect("prunes a table for 100 steps at most before the next one, and goes on in the next round", () =>
    Effect.gen(function* () {
      const { calls } = yield* sweeping(
        [],
        Array.from({ length: 150 }, () => 1)
      )
      assert.deepStrictEqual(calls, times(100, { sweeps: 1, ahead: 1 }))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(calls, times(151, { sweeps: 2, ahead: 1, flights: 100, limits: 100 }))
    })
  )

  it.effect("brings future times back every minute, in every table but those that fail, and logs which tables", () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ fiber, message }) => {
      lines.push([message, fiber.getRef(References.CurrentLogAnnotations)])
    })
    return Effect.gen(function* () {
      const found: Array<number> = [1000, 3, 0, 0, 2]
      const step = Effect.sync(() => found.shift() ?? 0)
      yield* sweeping([], [], [], [], undefined, [
        { table: "watches", correct: Effect.die(new Error("no such table")) },
        { table: "charges", correct: step },
        { table: "runs", correct: step }
      ])
      const said = "The database's clock was set back; what waited for a time ahead was brought back"
      yield* TestClock.adjust("59 seconds")
      assert.lengthOf(found, 1)
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(lines, [
        [[said], { table: "charges", rows: 1003 }],
        [["The sweeper of times ahead stopped"], {}],
        [[said], { table: "charges", rows: 2 }]
      ])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.effect("continues after holds that could not be released, and still prunes what is too old", () =>
    Effect.gen(function* () {
      const { calls } = yield* sweeping([Effect.die(new Error("no database"))], [])
      assert.deepStrictEqual(calls, times(1))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(calls, times(2, { flights: 1, limits: 1 }))
    })
  )

  it.effect("hands out every due job until none is left, and jobs with one try left in a queue of their own", () =>
    Effect.gen(function* () {
      const { queue } = yield* sweeping(
        [],
        [],
        [
          [{ id: "a", turn: 0, again: 0, tries: 0 }],
          [
            { id: "b", turn: 4, again: 0, tries: 4 },
            { id: "c", turn: 2, again: 0, tries: 2 }
          ]
        ],
        [
          [{ id: "d", turn: 4, again: 0, tries: 1 }],
          [{ id: "e", turn: 9, again: 0, tries: 4 }],
          [{ id: "f", turn: 5, again: 0, tries: 5 }],
          [],
          [{ id: "g", turn: 0, again: 0, tries: 0 }]
        ]
      )
      const queues = ["asks", "asks", "asks-last", "runs", "runs", "runs-last"]
      const taken = yield* Effect.forEach(queues, (name) => queue.next(name, Effect.succeed))
      assert.deepStrictEqual(taken, ["a", "c", "b", "d", "f", "e"])
      const later = yield* Effect.forkChild(queue.next("runs", Effect.succeed))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Fiber.join(later), "g")
    })
  )

  it.effect("hands out runs even if no queue accepts the due asks", () =>
    Effect.gen(function* () {
      const taken: Array<string> = []
      const push: WorkQueue["Service"]["push"] = (queue, items) =>
        queue === "asks" ? Effect.never : Effect.sync(() => void taken.push(...items.map(({ id }) => id)))
      const due = (id: string) => [[{ id, turn: 0, again: 0, tries: 0 }]]
      yield* sweeping([], [], due("a"), due("b"), Layer.mock(WorkQueue, { push }))
      assert.deepStrictEqual(taken, ["b"])
    })
  )

  it.effect("sweeps and prunes on time even if no queue accepts the due jobs", () =>
    Effect.gen(function* () {
      const stuck = Layer.mock(WorkQueue, { push: () => Effect.never })
      const { calls } = yield* sweeping([], [], [[{ id: "a", turn: 0, again: 0, tries: 0 }]], [], stuck)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual([calls.sweeps, calls.prunes, calls.asks], [2, 2, 2])
    })
  )
})

const layerStores = Layer.mergeAll(
  Answers.layer,
  AnswerTexts.layer,
  Asks.layer,
  CaptureStats.layer,
  Charges.layer,
  Deliveries.layer,
  Discoveries.layer,
  Flights.layer,
  RateLimits.layer,
  Replies.layer,
  Cooldowns.layer,
  Runs.layer,
  Sessions.layer,
  TimesAhead.layer({ retryDelays: [Duration.minutes(1), Duration.minutes(5)] }),
  WorkQueue.layerMemory
).pipe(Layer.provideMerge(layerDatabase))

layer(layerStores, { excludeTestServices: true })("Sweeper of a database", (it) => {
  it.effect("prunes all that it can, and logs once what it cannot", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ cause, message }) => lines.push(`${String(message)}: ${Cause.pretty(cause)}`))
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const hash = sql`sha256('old')`
      const made = Effect.all([
        sql`INSERT INTO answer_texts VALUES (${hash}, 'text', '{}', now() - interval '31 days')`,
        sql`INSERT INTO discoveries VALUES (${hash}, '[]', '{}', now() - interval '8 days')`,
        sql`INSERT INTO capture_rests VALUES ('test', 'chatgpt_api', 'us', now())`,
        sql`INSERT INTO capture_stats VALUES (now() - interval '10 days', 'test', 'chatgpt_api', 'ok', 'unseen', 1, 1)`
      ])
      const old = sql`
        SELECT 1 FROM answer_texts UNION ALL SELECT 1 FROM discoveries
        UNION ALL SELECT 1 FROM capture_rests UNION ALL SELECT 1 FROM capture_stats`
      const forgotten = Effect.repeat(old, { until: (rows) => rows.length === 0 })
      yield* sql`ALTER TABLE answers RENAME TO lost_answers`
      yield* sql`ALTER TABLE deliveries RENAME TO lost_deliveries`
      yield* Layer.build(Sweeper.layer("10 millis"))
      // Rows made meanwhile are pruned by the next round, after the last one has logged what it could not prune.
      yield* Effect.repeat(Effect.andThen(made, forgotten), { times: 2 })
      const told = lines.filter((line) => !line.startsWith("The sweeper of times ahead stopped"))
      assert.lengthOf(told, 1)
      assert.match(told.join(), /^The sweeper stopped: .*"answers" does not exist.*"deliveries" does not exist/s)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
