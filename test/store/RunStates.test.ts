/**
 * The state that runs leave to the next one: one per watch is kept, and more only while each of them can still be the previous run.
 *
 * Planted faults, each seen red:
 * - every state kept, or the mentions of each
 * - the state of a run without answers kept
 * - a state dropped although the event after it is undelivered, or has failed
 * - judged by a run's own delivery although another's reports it, or before that delivery is written
 * - kept for good once the event was delivered
 * - a failed replay counted as undelivered
 * - a watch from before the upgrade read as a whole when it ends a run; more runs read than emptied
 * - a sweep that empties a possible previous run, forgets runs without answers, or stops at the first watch
 */
import { assert, layer } from "@effect/vitest"
import { Array, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { noEvidence, weigh } from "@sightline/domain/Evidence"
import { Deliveries } from "@sightline/store/Deliveries"
import { type RunRecord, Runs } from "@sightline/store/Runs"
import { rowsRead } from "./rowsRead.ts"
import { layerWatches, queued, record, runsOf, settle, watching } from "./watching.ts"

type Watching = Effect.Success<ReturnType<typeof watching>>

/** The state of the `n`th run of a watch, unlike that of any other. */
const left = (n: number) => {
  const result: RunRecord["result"] = [{ platform: "chatgpt_api", present: true, rank: n, citations: [] }]
  return { result, evidence: weigh(noEvidence, result).state }
}

/** Ends the `n`th run of a watch, with an event to deliver or without. Returns its id. */
const ended = Effect.fnUntraced(function* ({ purse, id }: Watching, n: number, news: "news" | "no news" = "no news") {
  const runs = yield* Runs
  const runId = yield* queued(purse, id)
  const toldBy = Option.getOrNull(Option.map(yield* runs.previous(id), (previous) => previous.toldBy))
  const more: Partial<RunRecord> =
    news === "news" ? { triggers: ["rank_changed"], event: { head: '{"at":"', tail: '"}' } } : { toldBy }
  yield* settle(purse, record(runId, { ...left(n), ...more }), 0)
  return runId
})

/** The runs of a watch that have a state, by its content, oldest first. */
const kept = ({ id }: Watching) =>
  Effect.map(runsOf(id), (rows) =>
    rows.flatMap(({ evidence, mentions, result }) => {
      if (JSON.stringify(result) !== "[]") assert.strictEqual(evidence === null, mentions === null)
      return evidence === null ? [] : [JSON.stringify(evidence)]
    })
  )

const states = (...ns: ReadonlyArray<number>) => ns.map((n) => JSON.stringify(left(n).evidence))

/** The state with which the next run begins. */
const begun = ({ id }: Watching) =>
  Effect.map(
    Runs.use(({ previous }) => previous(id)),
    (previous) => JSON.stringify(Option.getOrThrow(previous).evidence)
  )

/** Sets the status of a run's deliveries. */
const become = (runId: string, status: string) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE deliveries SET status = ${status} WHERE run_id = ${runId}`)

/** Replays the delivery of a run. */
const replayed = Effect.fnUntraced(function* ({ purse }: Watching, runId: string) {
  const sql = yield* SqlClient.SqlClient
  const [first] = yield* sql<{ id: string }>`SELECT id FROM deliveries WHERE run_id = ${runId} ORDER BY created_at`
  return Option.getOrThrow(yield* (yield* Deliveries).replay(purse, first?.id ?? assert.fail("no delivery")))
})

layer(layerWatches, { excludeTestServices: true })("The state of runs", (it) => {
  it.effect("is kept for the latest run, however many there were, even with runs without answers between them", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const watch = yield* watching()
      for (let n = 1; n <= 30; n++) {
        yield* ended(watch, n)
        assert.deepStrictEqual(yield* kept(watch), states(n))
        if (n % 10 === 0) {
          const silent = yield* queued(watch.purse, watch.id)
          yield* settle(watch.purse, record(silent, { ...left(n), result: [] }), 0)
          yield* runs.end({ id: yield* queued(watch.purse, watch.id), attempt: 0 }, "failed")
        }
        assert.deepStrictEqual(yield* kept(watch), states(n))
        assert.strictEqual(yield* begun(watch), states(n)[0])
      }
      assert.lengthOf(yield* runsOf(watch.id), 36)
    })
  )

  it.effect("is kept for the run before an undelivered event, and for all runs since, until it is delivered", () =>
    Effect.gen(function* () {
      const watch = yield* watching()
      yield* ended(watch, 1)
      const news = yield* ended(watch, 2, "news")
      for (const n of [3, 4]) yield* ended(watch, n)
      assert.deepStrictEqual(yield* kept(watch), states(1, 2, 3, 4))
      yield* become(news, "failed")
      assert.strictEqual(yield* begun(watch), states(1)[0])
      yield* become(news, "delivered")
      assert.strictEqual(yield* begun(watch), states(4)[0])
      yield* ended(watch, 5)
      assert.deepStrictEqual(yield* kept(watch), states(5))
    })
  )

  it.effect(
    "is kept for every run whose event failed, because it can be replayed, until a later event is delivered",
    () =>
      Effect.gen(function* () {
        const watch = yield* watching()
        yield* ended(watch, 1)
        const untold: Array<string> = []
        for (let n = 2; n <= 20; n++) {
          untold.push(yield* ended(watch, n, "news"))
          yield* become(untold.at(-1) ?? assert.fail(), "failed")
          assert.strictEqual(yield* begun(watch), states(1)[0])
        }
        assert.deepStrictEqual(yield* kept(watch), states(...Array.range(1, 20)))
        const again = untold[7] ?? assert.fail()
        yield* replayed(watch, again)
        assert.strictEqual(yield* begun(watch), states(9)[0])
        yield* ended(watch, 21)
        assert.deepStrictEqual(yield* kept(watch), states(...Array.range(1, 21)))
        yield* become(again, "delivered")
        yield* ended(watch, 22)
        assert.deepStrictEqual(yield* kept(watch), states(22))
        assert.strictEqual(yield* begun(watch), states(22)[0])
      })
  )

  it.effect(
    "stays that of the previous run if a delivered event is replayed in vain and only the replay is still stored",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const watch = yield* watching()
        yield* ended(watch, 1)
        const news = yield* ended(watch, 2, "news")
        yield* become(news, "delivered")
        yield* ended(watch, 3)
        assert.deepStrictEqual(yield* kept(watch), states(3))
        const { id } = yield* replayed(watch, news)
        yield* sql`UPDATE deliveries SET status = 'failed' WHERE id = ${id}`
        assert.strictEqual(yield* begun(watch), states(3)[0])
        yield* sql`DELETE FROM deliveries WHERE run_id = ${news} AND id <> ${id}`
        assert.strictEqual(yield* begun(watch), states(3)[0])
        yield* ended(watch, 4)
        assert.deepStrictEqual(yield* kept(watch), states(4))
      })
  )

  it.effect("is unchanged if a second settlement of the run is refused, even concurrently", () =>
    Effect.gen(function* () {
      const watch = yield* watching()
      yield* ended(watch, 1)
      const runId = yield* queued(watch.purse, watch.id)
      const takers = Array.range(2, 9).map((n) => settle(watch.purse, record(runId, left(n)), 0))
      const exits = yield* Effect.forEach(takers, Effect.exit, { concurrency: "unbounded" })
      const first = exits.findIndex(Exit.isSuccess)
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      assert.deepStrictEqual(yield* kept(watch), states(first + 2))
    })
  )
})

const stateBefore = JSON.stringify(noEvidence)

/** Runs of a watch from when no state was dropped: one per second, starting this long ago. */
const runsBefore = ({ id }: Watching, count: number, ago: string, result: unknown = left(1).result) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at, finished_at, result, evidence, mentions)
      SELECT gen_random_uuid(), ${id}, at, 'completed', at, at, ${JSON.stringify(result)}::json,
        ${stateBefore}::json, '[]'
      FROM generate_series(1, ${count}::integer) n, LATERAL (SELECT now() - ${ago}::interval + n * interval '1 second') m (at)`
  )

/** A watch from before the upgrade. */
const watchBefore = Effect.gen(function* () {
  const watch = yield* watching()
  yield* SqlClient.SqlClient.use((sql) => sql`INSERT INTO states_of_before VALUES (${watch.id})`)
  return watch
})

layer(layerWatches, { excludeTestServices: true })("The state of runs before the upgrade", (it) => {
  it.effect("is dropped a thousand at a time, except for what the next run can begin with", () =>
    Effect.gen(function* () {
      const { prune } = yield* Runs
      const sql = yield* SqlClient.SqlClient
      const [many, few, none, fresh] = [yield* watchBefore, yield* watchBefore, yield* watchBefore, yield* watching()]
      yield* runsBefore(many, 2400, "20 days")
      yield* runsBefore(many, 5, "10 days", [])
      for (const watch of [few, fresh]) yield* runsBefore(watch, 3, "3 days")
      const untold = yield* ended(few, 4, "news")
      yield* become(untold, "failed")
      yield* runsBefore(few, 2, "1 day", [])
      assert.lengthOf(yield* kept(few), 6)
      // Until a sweep has visited it, the ends of its runs change nothing; a watch from after the upgrade is emptied at once.
      for (const watch of [many, fresh]) yield* ended(watch, 7)
      assert.deepStrictEqual([(yield* kept(many)).length, yield* kept(fresh)], [2406, states(7)])
      const steps: Array<number> = []
      for (let step = 0; step < 4; step++) steps.push(yield* prune)
      // 2,405 runs of one watch and four of another, and the three watches.
      assert.deepStrictEqual(steps, [1000, 1000, 412, 0])
      assert.deepStrictEqual(yield* kept(many), states(7))
      assert.deepStrictEqual(yield* kept(few), [stateBefore, ...states(4)])
      assert.deepStrictEqual(yield* sql`SELECT FROM states_of_before`, [])
      yield* ended(few, 5)
      assert.deepStrictEqual(yield* kept(few), states(5))
      assert.lengthOf(yield* runsOf(none.id), 0)
    })
  )

  it.effect("is dropped by one sweep each if several run concurrently", () =>
    Effect.gen(function* () {
      const { prune } = yield* Runs
      const watches = yield* Effect.forEach(Array.range(1, 20), () => watchBefore)
      yield* Effect.forEach(watches, (watch) => runsBefore(watch, 100, "1 day"))
      const sweep = Effect.map(Effect.all([prune, prune, prune, prune], { concurrency: 4 }), (done) =>
        done.reduce((sum, one) => sum + one, 0)
      )
      let done = 0
      for (let more = yield* sweep; more > 0; more = yield* sweep) done += more
      assert.strictEqual(done, 20 * 99 + 20)
      for (const watch of watches) assert.deepStrictEqual(yield* kept(watch), [stateBefore])
    })
  )

  it.effect("is not read again once it was dropped, however much there was", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const watch = yield* watching()
      yield* runsBefore(watch, 5000, "20 days")
      yield* sql`UPDATE runs SET evidence = NULL, mentions = NULL WHERE watch_id = ${watch.id}`
      yield* runsBefore(watch, 3, "1 day")
      yield* sql`VACUUM ANALYZE runs`
      const [before, after] = yield* sql.withTransaction(
        Effect.all([rowsRead("runs"), Effect.andThen(sql`SELECT drop_states(${watch.id})`, rowsRead("runs"))])
      )
      assert.isAtMost(after - before, 100)
      assert.lengthOf(yield* kept(watch), 1)
    })
  )
})
