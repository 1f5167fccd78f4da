import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Wallets, charges, and the entries that explain the balance of each wallet.
 *
 * Units: amounts in millicredits. `head` is the hash of the wallet's last entry, `entries` its sequence.
 * Charges and entries name their wallet without a foreign key: they are written by one function that has it locked, and the audit
 * checks what a foreign key would.
 */
export const money = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE wallets (
      account_id uuid NOT NULL REFERENCES accounts (id),
      environment text NOT NULL CHECK (environment IN ('live', 'test')),
      available bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
      held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
      entries bigint NOT NULL DEFAULT 0,
      head bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
      PRIMARY KEY (account_id, environment)
    ) WITH (fillfactor = 50)`
  yield* sql`
    CREATE TABLE charges (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL,
      environment text NOT NULL,
      sequence bigint NOT NULL,
      endpoint text NOT NULL,
      mode text NOT NULL,
      platforms text[] NOT NULL,
      price bigint NOT NULL,
      state text NOT NULL,
      amount bigint,
      outcomes jsonb,
      cached boolean,
      claim uuid,
      lease_expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      finished_at timestamptz
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX charges_open ON charges (lease_expires_at) WHERE finished_at IS NULL`
  yield* sql`
    CREATE TABLE ledger_entries (
      account_id uuid NOT NULL,
      environment text NOT NULL,
      sequence bigint NOT NULL,
      charge_id uuid,
      kind text NOT NULL,
      debit text NOT NULL,
      credit text NOT NULL,
      amount bigint NOT NULL,
      available_after bigint NOT NULL,
      held_after bigint NOT NULL,
      memo text,
      created_at timestamptz NOT NULL,
      hash bytea NOT NULL,
      PRIMARY KEY (account_id, environment, sequence)
    )`
  yield* sql`
    CREATE TABLE topups (
      account_id uuid NOT NULL,
      environment text NOT NULL,
      reference text NOT NULL,
      PRIMARY KEY (account_id, environment, reference)
    )`
  yield* sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the ledger is append only';
    END $$`
  yield* sql`
    CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`
})
