/**
 * Faults planted once: a plain loop over the migrations instead of the migrator ("exactly once"); keys inside JSON renamed
 * like columns ("as they were written"); a start that looks at its own migrations only ("newer"); a start that always asks the
 * migrator ("copied").
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "@sightline/store/Migrations"
import * as Postgres from "@sightline/store/Postgres"
import { makeDatabase } from "./database.ts"

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

it.live("does not start on a database that a newer program has changed", () =>
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

it.live("starts on a database that is being copied, as long as there is nothing to change in it", () =>
  Effect.gen(function* () {
    const address = yield* makeDatabase
    const start = starting(address)
    yield* start
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // As pg_dump does with every table.
      yield* sql.withTransaction(Effect.andThen(sql`LOCK TABLE migrations IN ACCESS SHARE MODE`, start))
    }).pipe(Effect.provide(Postgres.layer(address), { local: true }))
  })
)

it.live("gives a statement 15 s and an idle transaction 30 s, in UTC, under the process's own name", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const settings = yield* sql`
      SELECT current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle,
        current_setting('timezone') AS zone, current_setting('application_name') AS name`
    assert.deepStrictEqual(settings, [{ statement: "15s", idle: "30s", zone: "UTC", name: "sightline" }])
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("leaves the keys inside a JSON value as they were written", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const value = { snake_case: { camelCase: 1, "check:quick": [{ per_second: 1 }] } }
    const rows = yield* sql`SELECT ${JSON.stringify(value)}::jsonb AS json_value`
    assert.deepStrictEqual(rows, [{ jsonValue: value }])
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(makeDatabase, (address) => Postgres.layer(address)))))
)

it.live("says in one line why the database cannot be used", () =>
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
