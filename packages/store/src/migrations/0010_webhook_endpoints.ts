import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The webhook endpoints of customers. A deleted one keeps its row, without its secret, because deliveries refer to it. */
export const webhookEndpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_endpoints (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts (id),
      environment text NOT NULL CHECK (environment IN ('live', 'test')),
      url text NOT NULL,
      description text,
      events text[] NOT NULL CHECK (cardinality(events) > 0),
      enabled boolean NOT NULL,
      secret bytea,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      deleted_at timestamptz,
      CHECK ((secret IS NULL) = (deleted_at IS NOT NULL)),
      CHECK (deleted_at IS NULL OR NOT enabled)
    )`
  yield* sql`
    CREATE INDEX webhook_endpoints_owner ON webhook_endpoints (account_id, environment) WHERE deleted_at IS NULL`
})
