import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The mark of the secret key that the database is filled with.
 *
 * Shape: one row. Its mark is null until a program version that knows marks has started. An operator who continues with another key
 * deletes the row.
 */
export const secretMark = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE secret_mark (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), mark text)`
  yield* sql`INSERT INTO secret_mark DEFAULT VALUES`
})
