import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Sessions of signed-in browsers: the hash of the cookie's token, and the key that the session stands for. */
export const sessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE sessions (
      hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
      key_id uuid NOT NULL REFERENCES api_keys (id),
      expires_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX sessions_expires_at ON sessions (expires_at)`
})
