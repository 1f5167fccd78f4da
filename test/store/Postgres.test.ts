/**
 * Faults planted once, and the tests that saw them:
 * - connections that can be silent for ever ("half-open")
 * - silence measured by the clock alone ("stalled")
 * - an idle connection closed although a query was just sent on it ("idle time")
 * - the pool's own queue ("accepts no connections")
 * - a free connection that goes to a later caller ("in turn")
 * - a nested transaction that is not rolled back, or with those before it ("is undone alone")
 * - a COMMIT believed without its result ("not reported as committed")
 * - a URL whose parameters are ignored ("as its URL says")
 * - a read-only connection that is kept, always or only after a failed transaction ("a read-only server")
 * - a rollback that fails as a defect ("is a failure of the database"), or is ignored ("cannot be rolled back")
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { stat } from "node:fs"
import { dirname } from "node:path"
import * as Postgres from "@sightline/store/Postgres"
import { makeDatabase } from "./database.ts"
import { makeProxy } from "./proxy.ts"

const one = SqlClient.SqlClient.use((sql) => sql`SELECT 1 AS one`)

/** The results of this many calls while the network drops everything: all fail, and the pool works again afterwards. */
const clogged = <E>(calls: number, before: Effect.Effect<unknown, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const { database, socket } = yield* makeDatabase
    const proxy = yield* makeProxy(socket)
    const pool = Postgres.layer({ socket: proxy.socket, database }, { maxConnections: 2, silenceMax: "1 second" })
    yield* Effect.gen(function* () {
      yield* before
      yield* proxy.clog
      const stuck = yield* Effect.replicateEffect(Effect.flip(one), calls, { concurrency: "unbounded" })
      assert.lengthOf(stuck, calls)
      yield* proxy.mend
      assert.deepStrictEqual(yield* Effect.retry(one, Schedule.spaced("50 millis")), [{ one: 1 }])
    }).pipe(Effect.provide(pool))
  }).pipe(Effect.scoped)

it.live("a half-open connection blocks no caller for ever, and the pool opens new ones", () =>
  // More calls than connections, so that some wait for a stuck one.
  clogged(6, one)
)

it.live("a database that accepts no connections delays many calls no longer than one, and is used again later", () =>
  clogged(1_000, Effect.void)
)

it.live("callers that wait for a connection get it in turn, before a caller that sends one query after another", () =>
  Effect.gen(function* () {
    const pool = Postgres.layer(yield* makeDatabase, { maxConnections: 1, silenceMax: "1 second" })
    yield* Effect.gen(function* () {
      const begun = yield* Latch.make()
      const busy = Effect.gen(function* () {
        for (;;) yield* Effect.andThen(one, begun.open)
      })
      yield* Effect.forkChild(busy)
      yield* begun.await
      assert.deepStrictEqual(yield* one, [{ one: 1 }])
    }).pipe(Effect.provide(pool))
  }).pipe(Effect.scoped)
)

it.live("a process that stalled for longer still reads the answer that arrived meanwhile", () =>
  Effect.gen(function* () {
    const pool = Postgres.layer(yield* makeDatabase, { silenceMax: "1 second" })
    // In the check phase, so that the timers fire before the socket is read.
    const standStill = Effect.callback<void>((resume) => {
      setImmediate(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
        resume(Effect.void)
      })
    })
    const slow = SqlClient.SqlClient.use((sql) => sql`SELECT 1 AS one FROM pg_sleep(0.5)`)
    yield* Effect.gen(function* () {
      yield* one
      const asked = yield* Effect.forkChild(slow)
      yield* Effect.andThen(Effect.sleep("100 millis"), standStill)
      assert.deepStrictEqual(yield* Fiber.join(asked), [{ one: 1 }])
    }).pipe(Effect.provide(pool))
  }).pipe(Effect.scoped)
)

it.live("a query that is sent as a connection's idle time ends is answered", () =>
  Effect.gen(function* () {
    const pool = Postgres.layer(yield* makeDatabase, { silenceMax: "1 second" })
    yield* Effect.gen(function* () {
      yield* one
      const run = Effect.runPromiseWith(yield* Effect.context<SqlClient.SqlClient>())
      // The file is read while the thread is blocked: its callback runs right after the timers that have expired meanwhile.
      const asked = Effect.promise(
        () =>
          new Promise((resolve) => {
            setImmediate(() => {
              stat("/", () => resolve(run(one)))
              Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
            })
          })
      )
      assert.deepStrictEqual(yield* asked, [{ one: 1 }])
    }).pipe(Effect.provide(pool))
  }).pipe(Effect.scoped)
)

it.live("a transaction with an ignored failed statement is not reported as committed", () =>
  Effect.gen(function* () {
    const pool = Postgres.layer(yield* makeDatabase)
    const withResponseLost = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.ignore(sql`SELECT 1 / 0`)))
    const { reason } = yield* Effect.flip(Effect.provide(withResponseLost, pool))
    assert.strictEqual(reason.operation, "commit")
  }).pipe(Effect.scoped)
)

it.live("a nested transaction that fails is undone alone", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE numbers (value integer)`
    const insert = (value: number) => sql`INSERT INTO numbers VALUES (${value})`
    const undone = sql.withTransaction(Effect.andThen(insert(2), Effect.fail("refused")))
    const done = sql.withTransaction(insert(3))
    yield* sql.withTransaction(Effect.all([insert(1), Effect.flip(undone), done]))
    assert.deepStrictEqual(yield* sql`SELECT value FROM numbers ORDER BY value`, [{ value: 1 }, { value: 3 }])
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("a connection that ends is a failure of the database, also in a transaction or a nested one", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ended = sql`SELECT pg_terminate_backend(pg_backend_pid())`
    for (const asked of [ended, sql.withTransaction(ended), sql.withTransaction(sql.withTransaction(ended))])
      assert.strictEqual((yield* Effect.flip(asked)).reason._tag, "ConnectionError")
    const passedOver = sql.withTransaction(Effect.ignore(sql.withTransaction(ended)))
    assert.strictEqual((yield* Effect.flip(passedOver)).reason._tag, "ConnectionError")
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("a connection whose transaction cannot be rolled back is not used again", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const refused = sql`SELECT 1 / 0`
    yield* Effect.flip(sql.withTransaction(refused))
    // The driver sends ROLLBACK as a prepared statement.
    const forgetful = Effect.andThen(sql`DEALLOCATE ALL`, refused)
    const { reason } = yield* Effect.flip(sql.withTransaction(forgetful))
    assert.include(String(reason.cause), "division by zero")
    assert.deepStrictEqual(yield* one, [{ one: 1 }])
  }).pipe(
    Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address, { maxConnections: 1 }))))
  )
)

it.live("a connection to a read-only server, like the old primary after a failover, is not used again", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const readOnly = (value: "on" | "off") =>
      SqlClient.SqlClient.use(
        (sql) => sql`ALTER DATABASE ${sql(address.database)} SET default_transaction_read_only = ${sql.literal(value)}`
      ).pipe(Effect.provide(Postgres.layer({ socket: address.socket }), { local: true }))
    const write = SqlClient.SqlClient.use((sql) => sql`CREATE TABLE written ()`)
    const transaction = SqlClient.SqlClient.use((sql) => sql.withTransaction(sql`DROP TABLE written`))
    const pool = Postgres.layer(address, { maxConnections: 1 })
    for (const change of [write, transaction]) {
      yield* readOnly("on")
      yield* Effect.gen(function* () {
        const { reason } = yield* Effect.flip(change)
        assert.include(String(reason.cause), "read-only transaction")
        yield* readOnly("off")
        // Once for the connection that failed, and once for the one that the pool may have opened in its place.
        yield* Effect.retry(change, { times: 2 })
      }).pipe(Effect.provide(pool, { local: true }))
    }
  })
)

it.live("a pool connects as its URL says", () =>
  Effect.gen(function* () {
    const { database, socket } = yield* makeDatabase
    const port = socket.split(".").at(-1)
    const url = `postgres://elsewhere.invalid:1/${database}?host=${dirname(socket)}&port=${port}&user=postgres`
    const rows = yield* Effect.provide(one, Postgres.layer({ url: Redacted.make(url) }))
    assert.deepStrictEqual(rows, [{ one: 1 }])
  })
)
