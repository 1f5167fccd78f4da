import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The record of each finished check: what was asked and what was answered, beside the charge that paid for it. */
export const checks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE checks (
      id uuid PRIMARY KEY,
      charge_id uuid NOT NULL REFERENCES charges (id),
      account_id uuid NOT NULL,
      environment text NOT NULL,
      mode text NOT NULL,
      query text NOT NULL,
      brand text NOT NULL,
      request json NOT NULL,
      result json NOT NULL,
      created_at timestamptz NOT NULL,
      duration_ms integer NOT NULL
    )`
})
