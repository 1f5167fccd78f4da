import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const recordAction = `
CREATE FUNCTION record_action(
  action text, principal text, key_id uuid, request_id text, facts json, account_id uuid, subject text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  chain action_chain;
  moment timestamptz;
BEGIN
  -- All actions wait for whoever has the head, so a process that stands still with it loses it soon.
  PERFORM set_config('idle_in_transaction_session_timeout', '2000', true);
  SELECT * INTO STRICT chain FROM action_chain FOR UPDATE;
  moment := clock_timestamp();
  chain.actions := chain.actions + 1;
  chain.head := sha256(chain.head || convert_to(concat_ws('|', chain.actions,
    to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), action, principal, coalesce(key_id::text, ''),
    coalesce(request_id, ''), account_id, subject, facts), 'UTF8'));
  INSERT INTO actions
  VALUES (chain.actions, moment, action, principal, key_id, request_id, account_id, subject, facts, chain.head);
  UPDATE action_chain SET actions = chain.actions, head = chain.head;
  RETURN chain.actions;
END $$`

const topUp = `
CREATE FUNCTION top_up(
  movement json, principal text, key_id uuid, request_id text, facts json, OUT verdict text, OUT balance bigint
) LANGUAGE plpgsql AS $$
DECLARE
  m movement := json_populate_record(NULL::movement, movement);
  isKnown boolean;
BEGIN
  INSERT INTO wallets (account_id, environment) VALUES (m.account_id, m.environment) ON CONFLICT DO NOTHING;
  -- From here on nobody else adds to the wallet's references.
  PERFORM FROM wallets w WHERE w.account_id = m.account_id AND w.environment = m.environment FOR UPDATE;
  isKnown := EXISTS (SELECT FROM topups t
    WHERE t.account_id = m.account_id AND t.environment = m.environment AND t.reference = m.memo);
  SELECT p.verdicts[1], p.balances[1] INTO verdict, balance FROM post_movements(json_build_array(movement)) p;
  IF verdict = 'done' AND NOT isKnown THEN
    PERFORM record_action('wallet_topped_up', principal, key_id, request_id, facts, m.account_id,
      m.environment || '-' || (SELECT w.entries FROM wallets w
        WHERE w.account_id = m.account_id AND w.environment = m.environment));
  END IF;
END $$`

/**
 * The record of actions: rows that are never changed, each hashed with the one before, and the head of this chain.
 *
 * Shape: `head` is the hash of the last action, `actions` its sequence. Actions name their account, key and subject without a foreign
 * key, because the record must outlast them.
 */
export const actions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE actions (
      sequence bigint PRIMARY KEY,
      created_at timestamptz NOT NULL,
      action text NOT NULL,
      principal text NOT NULL,
      key_id uuid,
      request_id text,
      account_id uuid NOT NULL,
      subject text NOT NULL,
      facts json NOT NULL,
      hash bytea NOT NULL
    )`
  yield* sql`CREATE INDEX actions_account ON actions (account_id, sequence)`
  yield* sql`
    CREATE TABLE action_chain (
      is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
      actions bigint NOT NULL DEFAULT 0,
      head bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
    ) WITH (fillfactor = 50)`
  yield* sql`INSERT INTO action_chain DEFAULT VALUES`
  yield* sql`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append only', TG_TABLE_NAME;
    END $$`
  yield* sql`
    CREATE TRIGGER actions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`
  yield* sql.unsafe(recordAction)
  yield* sql.unsafe(topUp)
})
