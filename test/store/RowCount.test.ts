/**
 * The statement by which every sweep deletes, on rows of the test's own.
 *
 * Planted and seen red: no limit, locked rows waited for, rows that are not locked before they are deleted.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pruned } from "@sightline/store/RowCount"
import { layerDatabase } from "./database.ts"
import { keepOpen } from "./locks.ts"

/** A table of seven rows, and a prune of those above 1, three at a time. */
const seven = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE IF EXISTS perishable`
  yield* sql`CREATE TABLE perishable AS SELECT n FROM generate_series(1, 7) n`
  const left = Effect.map(sql<{ readonly n: number }>`SELECT n FROM perishable ORDER BY n`, (rows) =>
    rows.map(({ n }) => n)
  )
  return { sql, left, prune: pruned(sql, "perishable", "n", "n > 1", 3) }
})

layer(layerDatabase, { excludeTestServices: true })("Pruned rows", (it) => {
  it.effect("are the selected ones, a batch at a time until none is left", () =>
    Effect.gen(function* () {
      const { left, prune } = yield* seven
      assert.deepEqual(yield* Effect.all([prune, prune, prune]), [3, 3, 0])
      assert.deepEqual(yield* left, [1])
    })
  )

  it.effect("exclude rows that another transaction has locked, without waiting", () =>
    Effect.gen(function* () {
      const { left, prune, sql } = yield* seven
      const leave = yield* keepOpen(sql`SELECT n FROM perishable WHERE n IN (2, 3, 4) FOR UPDATE`)
      assert.deepEqual(yield* Effect.all([prune, prune]), [3, 0])
      assert.deepEqual(yield* left, [1, 2, 3, 4])
      yield* leave
    })
  )
})
