import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The mark of the secret key that the database is filled with.
 *
 * Shape: one row, without a mark until the first program that knows of marks has started. An operator who goes on with another key
 * deletes it.
 */
export const secretMark = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE secret_mark (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), mark text)`
  yield* sql`INSERT INTO secret_mark DEFAULT VALUES`
})
