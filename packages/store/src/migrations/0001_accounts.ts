import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accounts and their API keys. A key is stored as its keyed hash only. */
export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE accounts (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      detached_at timestamptz
    )`
  yield* sql`
    CREATE TABLE api_keys (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts (id),
      environment text NOT NULL CHECK (environment IN ('live', 'test')),
      hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
      read_only boolean NOT NULL,
      rate_limits jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      revoked_at timestamptz
    )`
  yield* sql`CREATE INDEX api_keys_account ON api_keys (account_id)`
})
