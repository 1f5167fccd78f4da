import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The cache of answers, and the answers that are being fetched now. */
export const answers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE answers (
      key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
      schema_version integer NOT NULL,
      model text NOT NULL,
      body text NOT NULL,
      digest bytea NOT NULL,
      stored_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX answers_stored_at ON answers (stored_at)`
  yield* sql`
    CREATE UNLOGGED TABLE flights (
      key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
      owner uuid NOT NULL,
      lease_expires_at timestamptz NOT NULL
    )`
})
