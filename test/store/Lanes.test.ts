/**
 * The order of jobs, for queued asks and runs alike: waiting jobs are taken in turns of their accounts.
 *
 * Planted faults, each seen red:
 * - no lanes; the announced job first
 * - the same account's turn twice, also for a concurrent claim
 * - the youngest of a lane first; a round that ends at the last lane
 * - a locked row or watch waited for; a row taken though leased or finished
 * - a last try taken in turns, or by another try's announcement
 * - an announced job that is not put into its lane
 * - a job released by its former worker, after its end, or as due at once
 * - a job announced under the same name for as long as it waits
 * - the run of a paused watch taken, or left though it was under way
 * - all open jobs read to find those that are due
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, type Layer, Option, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { Wallet } from "@sightline/domain/Wallet"
import { Asks } from "@sightline/store/Asks"
import type { DueJob, JobAttempt, TriesFilter } from "@sightline/store/Jobs"
import { Runs } from "@sightline/store/Runs"
import { Watches } from "@sightline/store/Watches"
import { keepOpen } from "./locks.ts"
import { inAnotherProcess, wallet } from "./purse.ts"
import { enqueued } from "./queued.ts"
import { rowsRead } from "./rowsRead.ts"
import { layerWatches, queued, watching } from "./watching.ts"

/** The result of a claim in either table. */
type Taken = Option.Option<{
  readonly id: string
  readonly accountId: string
  readonly attempt: number
  readonly tries: number
}>

/** How jobs of a table are made and announced, and the claims of a process of its own. */
interface Table {
  readonly add: (purse: Wallet) => Effect.Effect<string, never, Store>
  /** The column with the time since which a job waits. */
  readonly since: string
  readonly due: Effect.Effect<ReadonlyArray<DueJob>, never, Store>
  readonly releaseJob: (job: JobAttempt) => Effect.Effect<boolean, never, Store>
  readonly process: Effect.Effect<(id: string, tried?: TriesFilter) => Effect.Effect<Taken>, never, Store | Scope.Scope>
  /** The columns of a queued job that was announced just now, and their values. */
  readonly announced: readonly [columns: string, row: string]
}
type Store = Layer.Success<typeof layerWatches>

const tables: Readonly<Record<"asks" | "runs", Table>> = {
  asks: {
    add: (purse) => Effect.orDie(Effect.map(enqueued(purse), ({ id }) => id)),
    since: "created_at",
    due: Asks.use((asks) => asks.due),
    releaseJob: (job) => Asks.use((asks) => asks.release(job)),
    process: Effect.orDie(Effect.map(inAnotherProcess(Asks.layer), (services) => Context.get(services, Asks).claim)),
    announced: [
      "id, account_id, environment, charge_id, status, request, announced_at, created_at",
      "gen_random_uuid(), gen_random_uuid(), 'live', gen_random_uuid(), 'queued', '{}', now(), now()"
    ]
  },
  runs: {
    add: (purse) => Effect.orDie(Effect.flatMap(watching({}, purse), ({ id }) => queued(purse, id))),
    since: "scheduled_for",
    due: Runs.use((runs) => runs.due),
    releaseJob: (job) => Runs.use((runs) => runs.release(job)),
    process: Effect.orDie(Effect.map(inAnotherProcess(Runs.layer), (services) => Context.get(services, Runs).claim)),
    announced: [
      "id, watch_id, scheduled_for, status, announced_at",
      "gen_random_uuid(), gen_random_uuid(), now(), 'queued', now()"
    ]
  }
}

/** Three wallets in the order of their accounts' turns, with the jobs of other tests removed. */
const threePurses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE watches, runs, asks`
  const purses = [yield* wallet(10_000), yield* wallet(10_000), yield* wallet(10_000)] as const
  const [first, second, third] = purses.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))
  return { first: first ?? assert.fail(), second: second ?? assert.fail(), third: third ?? assert.fail() }
})

const idOf = (taken: Taken) => Option.getOrUndefined(taken)?.id

const all = { concurrency: "unbounded" } as const

layer(layerWatches, { excludeTestServices: true })("Lanes", (it) => {
  for (const [table, { add, announced, due, releaseJob, process, since }] of Object.entries(tables)) {
    const set = (column: string, to: string, ids: ReadonlyArray<string>) =>
      SqlClient.SqlClient.use(
        (sql) => sql`UPDATE ${sql(table)} SET ${sql(column)} = ${sql.literal(to)} WHERE id = ANY(${ids}::uuid[])`
      )

    const lapse = (id: string) => set("lease_expires_at", "clock_timestamp()", [id])

    const announceAgain = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
      yield* set("announced_at", "clock_timestamp() - interval '10 seconds'", ids)
      assert.sameMembers(
        (yield* due).map(({ id }) => id),
        [...ids]
      )
    })

    /** Jobs of an account that have waited until they were announced again, oldest first. */
    const waiting = Effect.fnUntraced(function* (purse: Wallet, many: number) {
      const ids = yield* Effect.replicateEffect(add(purse), many)
      yield* announceAgain(ids)
      return ids
    })

    describe(`jobs of ${table}`, () => {
      it.effect("that have waited are taken in turns of their accounts, the oldest of each first", () =>
        Effect.gen(function* () {
          const { first, second, third } = yield* threePurses
          const [b1 = "", b2 = "", b3 = "", b4 = "", b5 = ""] = yield* waiting(second, 5)
          const [c1 = "", c2 = ""] = yield* waiting(third, 2)
          const [a1 = ""] = yield* waiting(first, 1)
          const take = yield* process
          const taken = yield* Effect.forEach([b5, b4, b3, b2, b1], (id) => take(id))
          assert.deepStrictEqual(taken.map(idOf), [a1, b1, c1, b2, c2])
          // New jobs of an account come before accounts that have had a turn since.
          const [a2 = "", a3 = ""] = yield* waiting(first, 2)
          const rest = yield* Effect.forEach([a1, c1, c2, a2, a3, a1], (id) => take(id))
          assert.deepStrictEqual(rest.map(idOf), [a2, b3, a3, b4, b5, undefined])
        })
      )

      it.effect("that were announced just now are not read when the sweeper looks for those that are due", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* threePurses
          const [columns, row] = announced
          yield* sql.unsafe(`INSERT INTO ${table} (${columns}) SELECT ${row} FROM generate_series(1, 3000)`)
          yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
          const [before, found, after] = yield* sql.withTransaction(Effect.all([rowsRead(table), due, rowsRead(table)]))
          assert.lengthOf(found, 0)
          assert.isAtMost(after - before, 100)
        })
      )

      it.effect("are announced under a new name each time their wait has doubled", () =>
        Effect.gen(function* () {
          const { first } = yield* threePurses
          const [id = ""] = yield* waiting(first, 1)
          const toldAfter = Effect.fnUntraced(function* (seconds: number) {
            yield* set(since, `clock_timestamp() - interval '${seconds} seconds'`, [id])
            yield* set("announced_at", "clock_timestamp() - interval '10 seconds'", [id])
            return (yield* due).map(({ again }) => again)
          })
          const told = yield* Effect.forEach([2, 11, 19, 21, 39, 41, 79, 81, 3600], toldAfter)
          assert.deepStrictEqual(told.flat(), [0, 0, 0, 1, 1, 2, 2, 3, 8])
        })
      )

      it.effect("are one of each account if a process claims as many at once as accounts wait", () =>
        Effect.gen(function* () {
          const { first, second, third } = yield* threePurses
          const take = yield* process
          const many = [yield* waiting(first, 3), yield* waiting(second, 3), yield* waiting(third, 3)]
          const taken = yield* Effect.forEach(many[0] ?? [], (id) => take(id), all)
          assert.sameMembers(
            taken.map(idOf),
            many.map((ids) => ids[0])
          )
        })
      )

      it.effect(
        "that were just announced come after those that have waited, whatever the order of the announcements",
        () =>
          Effect.gen(function* () {
            const { first, second } = yield* threePurses
            for (const order of [
              [0, 1, 2, 3],
              [3, 2, 1, 0],
              [2, 0, 3, 1],
              [1, 3, 0, 2]
            ]) {
              const take = yield* process
              const old = yield* waiting(first, 2)
              const ids = [...old, yield* add(second), yield* add(first)]
              const taken = yield* Effect.forEach(order, (place) => take(ids[place] ?? ""))
              assert.strictEqual(taken.map(idOf)[0], old[0])
              assert.sameMembers(taken.map(idOf), ids)
              assert.isTrue(taken.every((job) => Option.getOrThrow(job).attempt === 1))
            }
          })
      )

      it.effect(
        "are each taken once by four processes that receive all announcements at once, and each announcement gets a job",
        () =>
          Effect.gen(function* () {
            const { first, second, third } = yield* threePurses
            const processes = [yield* process, yield* process, yield* process, yield* process]
            const ids = [...(yield* waiting(first, 30)), ...(yield* waiting(second, 5)), ...(yield* waiting(third, 15))]
            const taken = yield* Effect.forEach(ids, (id, n) => (processes[n % 4] ?? assert.fail())(id), all)
            assert.sameMembers(taken.map(idOf), ids)
          })
      )

      it.effect("are skipped while leased or locked, and once they are over", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { first, second } = yield* threePurses
          const take = yield* process
          const [leased = "", locked = "", over = "", lost = ""] = yield* waiting(first, 4)
          const fresh = yield* add(second)
          yield* set("lease_expires_at", "clock_timestamp() + interval '1 minute'", [leased])
          yield* sql`UPDATE ${sql(table)} SET finished_at = clock_timestamp() WHERE id = ${over}`
          yield* lapse(lost)
          const release = yield* keepOpen(sql`SELECT 1 FROM ${sql(table)} WHERE id = ${locked} FOR UPDATE`)
          assert.strictEqual(idOf(yield* take(fresh)), lost)
          assert.strictEqual(idOf(yield* take(fresh)), fresh)
          yield* release
          assert.strictEqual(idOf(yield* take(fresh)), locked)
          assert.isUndefined(idOf(yield* take(fresh)))
        })
      )

      it.effect("are free once their worker releases them, and count as announced", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { first } = yield* threePurses
          const take = yield* process
          const id = yield* add(first)
          const one = Option.getOrThrow(yield* take(id))
          yield* set("announced_at", "clock_timestamp() - interval '1 minute'", [id])
          assert.isTrue(yield* releaseJob(one))
          assert.deepStrictEqual(yield* sql`SELECT status FROM ${sql(table)} WHERE id = ${id}`, [{ status: "queued" }])
          assert.deepStrictEqual(yield* due, [])
          const other = Option.getOrThrow(yield* take(id))
          assert.strictEqual(other.attempt, 2)
          assert.isFalse(yield* releaseJob(one))
          assert.isUndefined(idOf(yield* take(id)))
          yield* sql`UPDATE ${sql(table)} SET finished_at = clock_timestamp() WHERE id = ${id}`
          assert.isFalse(yield* releaseJob(other))
        })
      )

      it.effect("that were released have used no try, and are announced under another name", () =>
        Effect.gen(function* () {
          const { first } = yield* threePurses
          const take = yield* process
          const [inLane = ""] = yield* waiting(first, 1)
          const [any, lastTry] = [
            { tries: 4, isExact: false },
            { tries: 4, isExact: true }
          ]
          const tryOf = Effect.fnUntraced(function* (id: string, tried: TriesFilter) {
            const job = Option.getOrThrow(yield* take(id, tried))
            assert.strictEqual(job.id, id)
            return job
          })
          const isDue = Effect.fnUntraced(function* (id: string, turn: number, tries: number) {
            yield* set("announced_at", "clock_timestamp() - interval '10 seconds'", [id])
            assert.deepStrictEqual(yield* due, [{ id, turn, again: 0, tries }])
          })
          for (const id of [inLane, yield* add(first)]) {
            yield* set("attempts", "3", [id])
            for (const attempt of [4, 5]) {
              const { tries, ...job } = yield* tryOf(id, any)
              assert.deepStrictEqual([job.attempt, tries], [attempt, 4])
              yield* releaseJob(job)
            }
            yield* isDue(id, 5, 3)
            yield* tryOf(id, any)
            yield* lapse(id)
            assert.isUndefined(idOf(yield* take(id, any)))
            const last = yield* tryOf(id, lastTry)
            assert.strictEqual(last.tries, 5)
            yield* releaseJob(last)
            yield* isDue(id, 7, 4)
            assert.isUndefined(idOf(yield* take(id, any)))
            yield* tryOf(id, lastTry)
          }
        })
      )

      it.effect("with one try left have no turn, and their announcement takes no other job", () =>
        Effect.gen(function* () {
          const { first, second } = yield* threePurses
          const take = yield* process
          const [last = ""] = yield* waiting(first, 1)
          const [other = ""] = yield* waiting(second, 1)
          yield* set("attempts", "4", [last])
          const [any, lastTry] = [
            { tries: 4, isExact: false },
            { tries: 4, isExact: true }
          ]
          assert.isUndefined(idOf(yield* take(other, lastTry)))
          assert.strictEqual(idOf(yield* take(last, any)), other)
          assert.isUndefined(idOf(yield* take(last, any)))
          assert.strictEqual(idOf(yield* take(last, lastTry)), last)
        })
      )
    })
  }

  it.effect("A run of a locked watch is not waited for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { first, second } = yield* threePurses
      const take = yield* tables.runs.process
      const run = yield* tables.runs.add(first)
      yield* sql`UPDATE runs SET lane = ${first.accountId} WHERE id = ${run}`
      const other = yield* tables.runs.add(second)
      const release = yield* keepOpen(sql`SELECT 1 FROM watches WHERE account_id = ${first.accountId} FOR UPDATE`)
      assert.strictEqual(idOf(yield* take(other)), other)
      yield* release
      assert.strictEqual(idOf(yield* take(other)), run)
    })
  )

  it.effect("A run of a paused watch has its turn only if it was under way", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { first, second } = yield* threePurses
      const take = yield* tables.runs.process
      const { id: watchId } = yield* watching({}, first)
      const lane = sql`UPDATE runs SET lane = ${first.accountId} WHERE watch_id = ${watchId}`
      const run = yield* queued(first, watchId)
      const pausing = Watches.use((watches) => watches.pause(first, watchId))
      yield* take(run)
      yield* sql`UPDATE runs SET lease_expires_at = clock_timestamp() WHERE id = ${run}`
      yield* Effect.andThen(lane, pausing)
      const other = yield* tables.runs.add(second)
      assert.strictEqual(idOf(yield* take(other)), run)
      // Between the pause and the removal of its queued run, the run may exist.
      yield* sql`UPDATE runs SET status = 'queued', lease_expires_at = NULL WHERE id = ${run}`
      assert.strictEqual(idOf(yield* take(other)), other)
      assert.isUndefined(idOf(yield* take(run)))
    })
  )
})
