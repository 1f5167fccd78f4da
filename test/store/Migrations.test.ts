/**
 * Faults planted once, and the tests that saw them:
 * - a plain loop over the migrations instead of the migrator ("exactly once")
 * - keys inside JSON renamed like columns ("unchanged")
 * - a start that looks at its own migrations only ("newer"), always asks the migrator ("copied"), or ignores which text the database
 *   can store ("every text", "read_only"), its isolation ("isolation") or a pooler ("pooler")
 * - results moved to their own table by their text alone, or in another order than their rows; a view that only finds moved results; old
 *   rows rewritten ("table of their own")
 * - the new index of old deliveries built before the other is dropped ("deadlock")
 * - states dropped by the migration itself, kept for good for watches it did not see, or dropped for those it saw before a sweep has
 *   visited them ("states")
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { migrations } from "@sightline/store/Migrations"
import * as Postgres from "@sightline/store/Postgres"
import { makeDatabase } from "./database.ts"
import { keepOpen, untilLocked } from "./locks.ts"
import { makePooler } from "./pooler.ts"

it.live("runs every migration exactly once when eight processes start at the same moment", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const process = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql<{
        name: string
      }>`SELECT migration_id || '_' || name AS name FROM migrations ORDER BY migration_id`
    }).pipe(Effect.provide(Postgres.layerMigrations.pipe(Layer.provideMerge(Postgres.layer(address))), { local: true }))
    const seen = yield* Effect.all(
      Array.from({ length: 8 }, () => process),
      { concurrency: "unbounded" }
    )
    const names = Object.keys(migrations).map((name) => name.replace(/^0+/, ""))
    for (const rows of seen) {
      assert.deepStrictEqual(
        rows.map(({ name }) => name),
        names
      )
    }
  })
)

/** What a program does with the schema when it starts. */
const starting = (address: Postgres.Address) =>
  Effect.void.pipe(
    Effect.provide(Postgres.layerMigrations.pipe(Layer.provide(Postgres.layer(address))), { local: true })
  )

it.live("does not start on a database that a newer program has migrated", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const start = starting(address)
    yield* start
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO migrations (migration_id, name) VALUES (9001, 'of_tomorrow')`
    }).pipe(Effect.provide(Postgres.layer(address), { local: true }))
    const { message } = yield* Effect.flip(start)
    assert.strictEqual(
      message,
      "The database cannot be used: a newer Sightline has changed its schema (9001_of_tomorrow)"
    )
  })
)

it.live("does not start on a database that cannot store every text", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const name = `narrow_${randomUUID().replaceAll("-", "")}`
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`)
    }).pipe(Effect.provide(Postgres.layer(address), { local: true }))
    const { message } = yield* Effect.flip(starting({ ...address, database: name }))
    assert.strictEqual(message, "The database cannot be used: its encoding is LATIN1, which lacks characters of UTF8")
  })
)

it.live.each([
  ["default_transaction_read_only", "on", "it is read-only, as a standby is"],
  [
    "default_transaction_isolation",
    "repeatable read",
    "its default_transaction_isolation is repeatable read, by which calls fail that meet"
  ]
] as const)("does not start on a database whose %s is %s, even without anything to migrate", ([setting, value, why]) =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    yield* starting(address)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`ALTER DATABASE "${address.database}" SET ${setting} = '${value}'`)
    }).pipe(Effect.provide(Postgres.layer(address), { local: true }))
    const { message } = yield* Effect.flip(starting(address))
    assert.strictEqual(message, `The database cannot be used: ${why}`)
  })
)

it.live("does not start behind a pooler in transaction mode", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const start = starting({ ...address, socket: yield* makePooler(address.socket) })
    const { message } = yield* Effect.flip(start)
    const expected = "the pooler before it has to keep sessions (PgBouncer: pool_mode = session)"
    assert.strictEqual(message, `The database cannot be used: ${expected}`)
  }).pipe(Effect.scoped)
)

it.live("starts on a database that is being copied, if there is nothing to migrate", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const start = starting(address)
    yield* start
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // As pg_dump locks every table.
      yield* sql.withTransaction(Effect.andThen(sql`LOCK TABLE migrations IN ACCESS SHARE MODE`, start))
    }).pipe(Effect.provide(Postgres.layer(address), { local: true }))
  })
)

it.live(
  "sets a statement timeout of 15 s, an idle transaction timeout of 30 s, UTC, and its own application name",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const settings = yield* sql`
      SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('timezone') AS zone, current_setting('application_name') AS name`
      assert.deepStrictEqual(settings, [{ statement: "15s", idle: "30s", zone: "UTC", name: "sightline" }])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("leaves the keys inside a JSON value unchanged", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const value = { snake_case: { camelCase: 1, "check:quick": [{ per_second: 1 }] } }
    const rows = yield* sql`SELECT ${JSON.stringify(value)}::jsonb AS json_value`
    assert.deepStrictEqual(rows, [{ jsonValue: value }])
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("reports in one line why the database cannot be used", () =>
  Effect.gen(function* () {
    const { socket } = yield* makeDatabase
    const refusal = (address: Postgres.Address) =>
      Effect.void.pipe(
        Effect.provide(Postgres.layerMigrations.pipe(Layer.provide(Postgres.layer(address))), { local: true }),
        Effect.flip,
        Effect.map(({ message }) => message)
      )
    assert.strictEqual(
      yield* refusal({ socket, database: "nowhere" }),
      'The database cannot be used: database "nowhere" does not exist'
    )
    assert.match(yield* refusal({ socket: "/nowhere" }), /^The database cannot be used: .*ENOENT.*$/)
    const url = Redacted.make("postgresql://sightline:secret@127.0.0.1:1/sightline")
    const refused = yield* refusal({ url })
    assert.match(refused, /^The database cannot be used: .*ECONNREFUSED.*$/)
    assert.notInclude(refused, "secret")
  })
)

const accountId = "00000000-0000-4000-8000-000000000001"

/** The `n`th check as the program before this migration writes it, and its result. */
const checkBefore = (n: number, said: string, rank: number | null = null) => ({
  ids: { charge_id: `00000000-0000-4000-8000-0000000001${n}0`, id: `00000000-0000-4000-8000-0000000002${n}0` },
  result: JSON.stringify({ said, odd: "\u0000" }),
  seen: {
    platforms: ["chatgpt_api"],
    mentioned: [true],
    ranks: [rank],
    texts: [`\\x${"ab".repeat(32)}`],
    sites: ["a.com"],
    pages: ["-5", "0"]
  }
})

/** Writes checks with the statement of that program. */
const checkedBefore = (...checks: ReadonlyArray<ReturnType<typeof checkBefore>>) =>
  SqlClient.SqlClient.use((sql) => {
    const topup = { kind: "topup", account_id: accountId, environment: "test", amount: 50_000, memo: null }
    const order = { ...topup, kind: "charge", endpoint: "check", mode: "quick", platforms: ["chatgpt_api"] }
    const paid = {
      ...order,
      amount: 5000,
      price: 5000,
      outcomes: {},
      cached: true,
      memo: "m",
      claim: null,
      reply: null
    }
    const movements = [topup, ...checks.map(({ ids }) => ({ ...paid, ...ids }))]
    const asked = { query: "q", brand: "Acme", request: "{}", durationMs: 1, region: "us" }
    const records = checks.map(({ ids, seen }, n) => ({ place: n + 2, ...asked, ...ids, ...seen }))
    const results = checks.map(({ result }) => result).join("\n")
    return sql`
      WITH posted AS MATERIALIZED (SELECT verdicts FROM post_movements(${JSON.stringify(movements)}::json))
      SELECT keep_checks(${JSON.stringify(records)}::json, ${results}, verdicts) FROM posted`
  })

it.live(
  "moves the results of checks to a table of their own, and every read is as before; the older program can continue",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = sql`SELECT c.*, result::text AS words FROM checks c ORDER BY id`
      const apart = "0027_check_results"
      yield* Effect.forEach(Object.entries(migrations), ([name, migration]) => (name < apart ? migration : Effect.void))
      yield* sql`INSERT INTO accounts (id, name) VALUES (${accountId}, 'somebody')`
      yield* checkedBefore(checkBefore(1, "one"), checkBefore(2, "one"))
      yield* checkedBefore(checkBefore(3, "another"), checkBefore(4, "one", 1))
      const before = yield* read
      const places = (table: string) => sql`SELECT ctid::text AS place FROM ${sql(table)} ORDER BY id`
      const placed = yield* places("checks")
      // A program of the older version that has not committed yet.
      const commit = yield* keepOpen(checkedBefore(checkBefore(7, "one")))
      const migrating = yield* Effect.forkChild(sql.withTransaction(migrations[apart] ?? Effect.die(apart)))
      yield* untilLocked
      yield* commit
      yield* Fiber.join(migrating)
      assert.lengthOf(yield* sql`SELECT FROM check_results`, 0)
      assert.deepStrictEqual((yield* places("check_records")).slice(0, 4), placed)
      const met = yield* read
      assert.deepStrictEqual(met.slice(0, 4), before)
      const unique = { id: 0, chargeId: 0, createdAt: 0 }
      assert.deepStrictEqual({ ...met[4], ...unique }, { ...before[0], ...unique })
      yield* checkedBefore(checkBefore(8, "one"), checkBefore(9, "another"))
      const after = yield* read
      assert.deepStrictEqual({ ...after[5], ...unique }, { ...before[0], ...unique })
      assert.deepStrictEqual({ ...after[6], ...unique }, { ...before[2], ...unique })
      assert.lengthOf(yield* sql`SELECT FROM check_results`, 2)
    }).pipe(Effect.scoped, Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("does not deadlock with a sender that reads deliveries and then begins attempts", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changed = "0035_over_by_age"
    yield* Effect.forEach(Object.entries(migrations), ([name, migration]) => (name < changed ? migration : Effect.void))
    const [seen, met] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const sending = yield* sql`SELECT FROM deliveries`.pipe(
      Effect.andThen(Deferred.succeed(seen, undefined)),
      Effect.andThen(Deferred.await(met)),
      Effect.andThen(sql`UPDATE deliveries SET attempts = attempts + 1`),
      sql.withTransaction,
      Effect.forkChild
    )
    yield* Deferred.await(seen)
    const migrating = yield* Effect.forkChild(sql.withTransaction(migrations[changed] ?? Effect.die(changed)))
    yield* untilLocked
    yield* Deferred.succeed(met, undefined)
    yield* Fiber.joinAll([sending, migrating])
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

/** A watch, and its runs that the older program's statement ends one after another. */
const makeRunsBefore = Effect.fnUntraced(function* (digit: number) {
  const sql = yield* SqlClient.SqlClient
  const watch = `00000000-0000-4000-8000-00000000030${digit}`
  yield* sql`
    INSERT INTO watches VALUES (${watch}, ${accountId}, 'test', 'q', 'Acme', 'quick', 'daily', 'https://acme.com/', '', '{}',
      'evidence', true, now(), now())`
  const end = (answers: number) =>
    Effect.gen(function* () {
      const [run] = yield* sql<{ id: string }>`
        INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at)
        VALUES (gen_random_uuid(), ${watch}, clock_timestamp(), 'queued', now()) RETURNING id`
      const left = { result: JSON.stringify(Array.from({ length: answers }, () => 1)), evidence: "{}", mentions: "[]" }
      const batch = [
        { charge_id: randomUUID(), run: { id: run?.id, triggers: [], told_by: null, event: null, ...left } }
      ]
      yield* sql`SELECT keep_runs(${JSON.stringify(batch)}::json, '{done}')`
    })
  const kept = Effect.map(
    sql<{ evidence: unknown }>`SELECT evidence FROM runs WHERE watch_id = ${watch} ORDER BY scheduled_for`,
    (rows) => rows.map(({ evidence }) => (evidence === null ? "-" : "s")).join("")
  )
  return { end, kept, watch }
})

it.live("leaves the states of runs in place; the older program can continue, and a sweep drops them", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const once = "0036_states_once"
    yield* Effect.forEach(Object.entries(migrations), ([name, migration]) => (name < once ? migration : Effect.void))
    const before = yield* makeRunsBefore(1)
    for (const answers of [1, 0, 1, 1]) yield* before.end(answers)
    const places = sql`SELECT ctid::text AS place FROM runs WHERE watch_id = ${before.watch} ORDER BY scheduled_for`
    const placed = yield* places
    // A program of the older version that has not committed yet: neither waits for the other.
    const meanwhile = yield* Effect.cached(Effect.tap(makeRunsBefore(2), ({ end }) => end(1)))
    const commit = yield* keepOpen(Effect.andThen(meanwhile, before.end(1)))
    yield* sql.withTransaction(migrations[once] ?? Effect.die(once))
    yield* commit
    assert.deepStrictEqual((yield* places).slice(0, 4), placed)
    const unseen = yield* meanwhile
    yield* before.end(0)
    yield* unseen.end(1)
    yield* unseen.end(0)
    assert.deepStrictEqual([yield* before.kept, yield* unseen.kept], ["sssss-", "-s-"])
    yield* sql`SELECT drop_states_of_before(1000)`
    assert.strictEqual(yield* before.kept, "----s-")
    yield* before.end(1)
    assert.strictEqual(yield* before.kept, "------s")
  }).pipe(Effect.scoped, Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)
