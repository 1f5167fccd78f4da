import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The results of discoveries, for as long as they are served again, and the index by which usage is counted. */
export const discoveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE discoveries (
      key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
      candidates json NOT NULL,
      outcomes json NOT NULL,
      stored_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX discoveries_stored_at ON discoveries (stored_at)`
  yield* sql`
    CREATE INDEX charges_answered ON charges (account_id, environment, finished_at)
    WHERE finished_at IS NOT NULL AND outcomes IS NOT NULL`
})
