import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Idempotency keys: first a claim on the key, then the reply of its owner.
 *
 * Shape: `status` is null while the claim is open. `token` identifies the owner and fences off earlier owners. The body is `head`, the
 * balance as JSON, `tail`; a null `balance_header` means that no header repeats the balance.
 */
export const replies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE replies (
      account_id uuid NOT NULL,
      environment text NOT NULL,
      route text NOT NULL,
      key text NOT NULL,
      fingerprint bytea NOT NULL,
      token uuid NOT NULL UNIQUE,
      lease_expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      status integer,
      headers json,
      balance_header text,
      head text,
      tail text,
      balance bigint,
      PRIMARY KEY (account_id, environment, route, key),
      CHECK ((status IS NULL) = (balance IS NULL))
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX replies_created_at ON replies (created_at)`
})
