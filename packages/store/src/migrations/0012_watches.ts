import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const watches = `
CREATE TABLE watches (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  environment text NOT NULL,
  query text NOT NULL,
  brand text NOT NULL,
  mode text NOT NULL,
  "interval" text NOT NULL CHECK ("interval" IN ('hourly', 'daily', 'weekly')),
  webhook_url text NOT NULL,
  secret bytea NOT NULL,
  trigger_on text[] NOT NULL,
  sensitivity text NOT NULL CHECK (sensitivity IN ('every_change', 'evidence')),
  enabled boolean NOT NULL,
  next_run_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
)`

const runs = `
CREATE TABLE runs (
  id uuid PRIMARY KEY,
  watch_id uuid NOT NULL,
  scheduled_for timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'skipped_insufficient_balance', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  lease_expires_at timestamptz,
  announced_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  charge_id uuid,
  triggers_fired text[] NOT NULL DEFAULT '{}',
  result json,
  evidence json,
  mentions json,
  UNIQUE (watch_id, scheduled_for)
)`

const keepRuns = `
CREATE FUNCTION keep_runs(batch json, verdicts text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  one record;
BEGIN
  FOR one IN
    SELECT k.*, (m.movement->>'charge_id')::uuid AS charge_id
    FROM json_array_elements(batch) WITH ORDINALITY m (movement, place)
    CROSS JOIN LATERAL json_to_record(m.movement->'run')
      AS k (id uuid, triggers text[], result text, evidence text, mentions text, event json)
    WHERE json_typeof(m.movement->'run') = 'object' AND verdicts[m.place] = 'done'
  LOOP
    UPDATE runs SET status = 'completed', finished_at = moment, lease_expires_at = NULL, charge_id = one.charge_id,
      triggers_fired = one.triggers, result = one.result::json, evidence = one.evidence::json, mentions = one.mentions::json
    WHERE id = one.id AND finished_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the run % has ended already', one.id;
    END IF;
    CONTINUE WHEN json_typeof(one.event) IS DISTINCT FROM 'object';
    INSERT INTO deliveries (id, account_id, environment, event, watch_id, run_id, url, body, status, created_at, next_attempt_at)
    SELECT gen_random_uuid(), w.account_id, w.environment, 'watch.fired', w.id, one.id, w.webhook_url,
      convert_to(concat(one.event->>'head', to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), one.event->>'tail'), 'UTF8'),
      'pending', moment, moment
    FROM runs r JOIN watches w ON w.id = r.watch_id
    WHERE r.id = one.id AND w.enabled;
  END LOOP;
END $$`

/**
 * Watches and their runs, and the additions to deliveries: attempts, leases, and watches as a cause.
 *
 * Shape: a watch runs in one slot of its interval. A run is one row per watch and slot and begins as queued; a watch has at most one
 * open run. `evidence` is what the next run is compared with. `keep_runs` reads the batch that `post_movements` has just applied. A
 * delivery is for a webhook endpoint's ask or for a watch's run, and its receiver is the endpoint or the watch. `attempts` counts the
 * attempts that were begun, each of which has a row in `attempts` before its request is sent. While a delivery has a lease, an attempt
 * is in progress, and `next_attempt_at` keeps the time at which that attempt was due.
 */
export const watchesAndRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(watches)
  yield* sql`CREATE INDEX watches_due ON watches (next_run_at) WHERE enabled`
  yield* sql`CREATE INDEX watches_owner ON watches (account_id, environment, created_at)`
  yield* sql.unsafe(runs)
  yield* sql`CREATE INDEX runs_open ON runs (announced_at) WHERE finished_at IS NULL`
  yield* sql`CREATE UNIQUE INDEX runs_one_open ON runs (watch_id) WHERE finished_at IS NULL`
  yield* sql`CREATE INDEX runs_answered ON runs (watch_id, finished_at) WHERE json_array_length(result) > 0`
  yield* sql`ALTER TABLE deliveries ALTER COLUMN webhook_id DROP NOT NULL, ALTER COLUMN ask_id DROP NOT NULL`
  yield* sql`
    ALTER TABLE deliveries ADD COLUMN watch_id uuid, ADD COLUMN run_id uuid,
      ADD COLUMN receiver_id uuid NOT NULL GENERATED ALWAYS AS (coalesce(webhook_id, watch_id)) STORED,
      ADD COLUMN attempts integer NOT NULL DEFAULT 0, ADD COLUMN lease_expires_at timestamptz,
      ADD CHECK ((webhook_id IS NULL) = (ask_id IS NULL)), ADD CHECK ((watch_id IS NULL) = (run_id IS NULL)),
      ADD CHECK ((webhook_id IS NULL) <> (watch_id IS NULL))`
  yield* sql`
    CREATE INDEX deliveries_pending ON deliveries (account_id, receiver_id, next_attempt_at, id) WHERE status = 'pending'`
  yield* sql`CREATE INDEX deliveries_owner ON deliveries (account_id, environment, created_at)`
  yield* sql`CREATE INDEX deliveries_run ON deliveries (run_id) WHERE run_id IS NOT NULL`
  // Room beside each row for what an attempt changes, or every index would have to be told.
  yield* sql`ALTER TABLE deliveries SET (fillfactor = 50)`
  yield* sql`
    CREATE TABLE attempts (
      id uuid NOT NULL,
      delivery_id uuid NOT NULL,
      number integer NOT NULL,
      started_at timestamptz NOT NULL,
      duration_ms integer,
      status_code integer,
      error text,
      response_excerpt text,
      PRIMARY KEY (delivery_id, number)
    )`
  yield* sql.unsafe(keepRuns)
})
