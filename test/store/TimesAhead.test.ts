/**
 * Times that a clock left in the future, once it is right again.
 *
 * Planted faults, each seen red:
 * - nothing brought back; times within their limit brought back too; a time in the past changed
 * - paused or ended rows brought back; ended rows read
 * - one lease duration for all tables
 * - a retry with the delay of another attempt
 * - runs that ended in the future left there, left out, or brought back in another order; their deliveries left in the future
 */
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { credits, zero } from "@sightline/domain/Credits"
import type { WatchResult } from "@sightline/domain/Watch"
import { Asks } from "@sightline/store/Asks"
import { Attempts } from "@sightline/store/Attempts"
import { Charges } from "@sightline/store/Charges"
import type { JobAttempt } from "@sightline/store/Jobs"
import { Runs } from "@sightline/store/Runs"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { order, wallet } from "./purse.ts"
import { enqueued } from "./queued.ts"
import { rowsRead } from "./rowsRead.ts"
import { clear, layerWatches, makeDue, queued, record, settle, watching } from "./watching.ts"

const retryDelays = [Duration.seconds(60), Duration.seconds(300)] as const

const layerStore = Layer.mergeAll(
  Attempts.layer({ key: Redacted.make(new Uint8Array(32).fill(3)), retryDelays }),
  TimesAhead.layer({ retryDelays })
).pipe(Layer.provideMerge(layerWatches))

/** Brings a table's times back. Returns the number of rows. */
const correct = (table: string) =>
  TimesAhead.use(({ tables }) => tables.find((one) => one.table === table)?.correct ?? assert.fail("no such table"))

/** Sets a time of a row, relative to now. */
const put = Effect.fnUntraced(function* (table: string, id: string, column: string, off: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE ${sql(table)} SET ${sql(column)} = clock_timestamp() + ${off}::interval WHERE id = ${id}`
})

/** The times of a row relative to now in seconds, rounded to ten; null where there is none. */
const off = Effect.fnUntraced(function* (table: string, id: string, ...columns: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(columns, (column) =>
    Effect.map(
      sql<{ readonly seconds: number | null }>`
        SELECT (ceil(extract(epoch FROM ${sql(column)} - clock_timestamp()) / 10) * 10)::float8 + 0 AS seconds
        FROM ${sql(table)} WHERE id = ${id}`,
      ([row]) => row?.seconds
    )
  )
})

/** A delivery with this many attempts and this due time; with a lease, one is under way. */
const delivery = Effect.fnUntraced(function* (attempts: number, due: string, lease: string | null = null) {
  const [sql, id] = [yield* SqlClient.SqlClient, randomUUID()]
  yield* sql`
    INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, attempts,
      next_attempt_at, lease_expires_at)
    SELECT ${id}::uuid, gen_random_uuid(), 'test', 'ask.completed', gen_random_uuid(), gen_random_uuid(), 'https://acme.com/', '',
      'pending', moment, ${attempts}, moment + ${due}::interval, moment + ${lease}::interval
    FROM clock_timestamp() AS moment`
  return id
})

layer(layerStore, { excludeTestServices: true })("Times ahead", (it) => {
  for (const interval of ["hourly", "daily", "weekly"] as const)
    it.effect(`a watch that a clock ahead moved on runs in its next slot again, ${interval}`, () =>
      Effect.gen(function* () {
        yield* clear
        const watches = yield* Watches
        const [moved, due, paused] = [
          yield* watching({ interval }),
          yield* watching({ interval }),
          yield* watching({ interval })
        ]
        yield* makeDue([moved.id, paused.id], -3)
        yield* watches.pause(paused.purse, paused.id)
        yield* makeDue([due.id], 1)
        // What is shown is the slot in which it will run, even before it is brought back.
        assert.deepStrictEqual(yield* watches.find(moved.purse, moved.id), Option.some(moved.watch))
        assert.deepStrictEqual(yield* watches.resume(moved.purse, moved.id), Option.some(moved.watch))
        assert.strictEqual(
          Option.getOrThrow(yield* watches.find(paused.purse, paused.id)).nextRunAt,
          paused.watch.nextRunAt
        )
        assert.strictEqual(yield* correct("watches"), 1)
        assert.strictEqual(yield* correct("watches"), 0)
        assert.strictEqual((yield* watches.claimDue(10)).moved, 1)
        yield* makeDue([moved.id])
        assert.strictEqual((yield* watches.claimDue(10)).moved, 1)
        assert.deepStrictEqual(yield* watches.find(moved.purse, moved.id), Option.some(moved.watch))
      })
    )

  it.effect("a watch at most one period and one minute ahead of now is left as it is", () =>
    Effect.gen(function* () {
      yield* clear
      const { id } = yield* watching()
      for (const [ahead, moved] of [
        ["1 hour", 0],
        ["1 hour 50 seconds", 0],
        ["1 hour 70 seconds", 1],
        ["-1 hour", 0]
      ] as const) {
        yield* put("watches", id, "next_run_at", ahead)
        assert.strictEqual(yield* correct("watches"), moved, ahead)
      }
    })
  )

  it.effect(
    "the hold of a call that died is released 150 s after the clock was corrected, that of a running call no earlier",
    () =>
      Effect.gen(function* () {
        const [charges, { balanceOf }] = [yield* Charges, yield* Wallets]
        const purse = yield* wallet(1000)
        const [died, young, ended] = [order(purse), order(purse), order(purse)]
        for (const one of [died, young, ended]) yield* charges.hold(one)
        yield* charges.void(ended.id)
        for (const one of [died, ended]) yield* put("charges", one.id, "lease_expires_at", "1 day")
        assert.strictEqual(yield* correct("charges"), 1)
        assert.strictEqual(yield* correct("charges"), 0)
        assert.deepStrictEqual(yield* off("charges", died.id, "lease_expires_at"), [150])
        assert.deepStrictEqual(yield* off("charges", young.id, "lease_expires_at"), [150])
        assert.strictEqual(yield* charges.sweepExpired, 0)
        for (const one of [died, young]) yield* put("charges", one.id, "lease_expires_at", "0")
        assert.strictEqual(yield* charges.sweepExpired, 2)
        assert.deepStrictEqual(yield* balanceOf(purse), { available: credits(1000), held: zero })
      })
  )

  describe("a job", () => {
    const columns = ["lease_expires_at", "announced_at"] as const
    const jobs = {
      asks: Effect.gen(function* () {
        const purse = yield* wallet(1000)
        return { id: (yield* enqueued(purse)).id, queue: yield* Asks }
      }),
      runs: Effect.gen(function* () {
        const { id, purse } = yield* watching()
        return { id: yield* queued(purse, id), queue: yield* Runs }
      })
    } as const
    for (const table of ["asks", "runs"] as const)
      it.effect(`whose worker died is free 30 s later, and announced again, of ${table}`, () =>
        Effect.gen(function* () {
          const { id, queue } = yield* jobs[table]
          yield* put(table, id, "announced_at", "1 day")
          assert.strictEqual(yield* correct(table), 1)
          assert.deepStrictEqual(yield* off(table, id, ...columns), [null, 0])
          const taken: Option.Option<JobAttempt> = yield* queue.claim(id)
          yield* put(table, id, "lease_expires_at", "1 day")
          assert.strictEqual(yield* correct(table), 1)
          assert.strictEqual(yield* correct(table), 0)
          assert.deepStrictEqual(yield* off(table, id, ...columns), [30, 0])
          // The worker can continue.
          assert.isTrue(yield* queue.renew(Option.getOrThrow(taken)))
          yield* put(table, id, "lease_expires_at", "0")
          yield* put(table, id, "announced_at", "-10 seconds")
          assert.includeMembers(
            (yield* queue.due).map((due) => due.id),
            [id]
          )
        })
      )
  })

  it.effect("a delivery waits at most the delay of its attempt, and an attempt that never ends at most its lease", () =>
    Effect.gen(function* () {
      const columns = ["next_attempt_at", "lease_expires_at"] as const
      const ahead = yield* Effect.all([
        delivery(0, "1 day"),
        delivery(1, "1 day"),
        delivery(2, "1 day"),
        delivery(3, "1 day", "1 day 30 seconds"),
        delivery(1, "-1 hour", "1 day")
      ])
      const well = yield* Effect.all([
        delivery(0, "0"),
        delivery(1, "60 seconds"),
        delivery(2, "300 seconds", "30 seconds")
      ])
      const before = yield* Effect.forEach(well, (id) => off("deliveries", id, ...columns))
      assert.strictEqual(yield* correct("deliveries"), 5)
      assert.strictEqual(yield* correct("deliveries"), 0)
      assert.deepStrictEqual(yield* Effect.forEach(ahead, (id) => off("deliveries", id, ...columns)), [
        [0, null],
        [60, null],
        [300, null],
        [0, 30],
        [-3600, 30]
      ])
      assert.deepStrictEqual(yield* Effect.forEach(well, (id) => off("deliveries", id, ...columns)), before)
      // The next step reads them now, and finds that their endpoint does not exist.
      yield* (yield* Attempts).begin(10, Option.none(), new Map())
      const looked = yield* SqlClient.SqlClient.use(
        (sql) => sql<{ readonly id: string }>`SELECT id FROM deliveries WHERE status = 'failed'`
      )
      assert.sameMembers(
        looked.map(({ id }) => id),
        [ahead[0], well[0]]
      )
    })
  )

  it.effect("no statement reads rows that are over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charge = `gen_random_uuid(), gen_random_uuid(), 'test', n, 'check', 'quick', '{}', 1, 'settled', 1, NULL, false, NULL,
        now() + interval '1 day', now(), now()`
      yield* sql.unsafe(`INSERT INTO charges SELECT ${charge} FROM generate_series(1, 5000) n`)
      yield* sql`
        INSERT INTO asks (id, account_id, environment, charge_id, status, request, announced_at, created_at, finished_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'test', gen_random_uuid(), 'completed', '{}', now(), now(), now()
        FROM generate_series(1, 5000)`
      yield* sql`
        INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at, finished_at)
        SELECT gen_random_uuid(), gen_random_uuid(), now(), 'completed', now(), now() FROM generate_series(1, 5000)`
      yield* sql`
        INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'test', 'ask.completed', gen_random_uuid(), gen_random_uuid(), '', '', 'delivered', now()
        FROM generate_series(1, 5000)`
      for (const table of ["charges", "asks", "runs", "deliveries"]) {
        yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
        const [before, after] = yield* sql.withTransaction(
          Effect.all([rowsRead(table), Effect.andThen(correct(table), rowsRead(table))])
        )
        assert.isAtMost(after - before, 100, table)
      }
    })
  )

  describe("a run that ended in the future", () => {
    const answer = (rank: number): WatchResult => [{ platform: "chatgpt_api", present: true, rank, citations: [] }]
    const fired = { triggers: ["rank_changed"], event: { head: '"', tail: '"' } } as const
    const previous = (watchId: string) =>
      Effect.flatMap(Runs, (runs) =>
        Effect.map(
          runs.previous(watchId),
          Option.map(({ result }) => result)
        )
      )

    /** Ends a run of a watch with this rank, by a clock this far ahead. */
    const end = Effect.fnUntraced(function* (
      { id, purse }: Pick<Effect.Success<ReturnType<typeof watching>>, "id" | "purse">,
      rank: number,
      ahead = "0"
    ) {
      const sql = yield* SqlClient.SqlClient
      const runId = yield* queued(purse, id)
      yield* settle(purse, record(runId, { result: answer(rank), ...fired }))
      yield* sql`UPDATE runs SET finished_at = finished_at + ${ahead}::interval WHERE id = ${runId}`
      yield* sql`UPDATE deliveries SET created_at = created_at + ${ahead}::interval WHERE run_id = ${runId}`
      return runId
    })

    it.effect("is the previous run for the next one, and not for those after it", () =>
      Effect.gen(function* () {
        const watch = yield* watching()
        yield* end(watch, 1)
        yield* end(watch, 2, "1 day")
        yield* end(watch, 3, "1 day")
        assert.deepStrictEqual(yield* previous(watch.id), Option.some(answer(3)))
        yield* end(watch, 4)
        assert.deepStrictEqual(yield* previous(watch.id), Option.some(answer(4)))
      })
    )

    it.effect("is brought back in the order of the ends, even if its delivery failed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const watch = yield* watching()
        const first = yield* end(watch, 1)
        const ahead = [yield* end(watch, 2, "1 day"), yield* end(watch, 3, "2 days"), yield* end(watch, 4, "3 days")]
        assert.deepStrictEqual(yield* previous(watch.id), Option.some(answer(4)))
        const rows = yield* sql<{ readonly id: string; readonly apart: boolean; readonly past: boolean }>`
          SELECT r.id, d.created_at > r.finished_at AS apart, r.finished_at <= clock_timestamp() AS past
          FROM runs r JOIN deliveries d ON d.run_id = r.id WHERE r.watch_id = ${watch.id} ORDER BY r.finished_at`
        assert.deepStrictEqual(
          rows,
          [first, ...ahead].map((id) => ({ id, apart: false, past: true }))
        )
        yield* sql`UPDATE deliveries SET status = 'failed' WHERE run_id IN ${sql.in(ahead.slice(1))}`
        assert.deepStrictEqual(yield* previous(watch.id), Option.some(answer(2)))
      })
    )

    it.effect("of another watch, or less than a minute ahead, is left as it is", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* watching(), yield* watching()]
        const [near, far] = [yield* end(one, 1, "50 seconds"), yield* end(other, 1, "1 day")]
        yield* previous(one.id)
        assert.deepStrictEqual(yield* off("runs", near, "finished_at"), [50])
        assert.deepStrictEqual(yield* off("runs", far, "finished_at"), [86_400])
      })
    )
  })
})
