import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const queueAsk = `
CREATE FUNCTION queue_ask(hold json, job json, OUT verdict text, OUT available bigint) LANGUAGE plpgsql AS $$
DECLARE
  claimed uuid := (job->>'claim')::uuid;
BEGIN
  IF claimed IS NOT NULL THEN
    PERFORM FROM replies WHERE token = claimed AND status IS NULL FOR UPDATE;
    IF NOT FOUND THEN
      verdict := 'fenced';
      available := 0;
      RETURN;
    END IF;
  END IF;
  SELECT p.verdicts[1], p.balances[1] INTO verdict, available FROM post_movements(json_build_array(hold)) p;
  IF verdict <> 'done' THEN
    RETURN;
  END IF;
  INSERT INTO asks (id, account_id, environment, charge_id, webhook_id, status, request, announced_at, created_at)
  SELECT (job->>'id')::uuid, c.account_id, c.environment, c.id, (job->>'webhook_id')::uuid, 'queued', (job->>'request')::json,
    c.created_at, c.created_at
  FROM charges c WHERE c.id = (hold->>'charge_id')::uuid;
  UPDATE replies r SET status = k.status, headers = k.headers, balance_header = k."balanceHeader", head = k.head,
    tail = k.tail, balance = available
  FROM json_to_record(job->'reply') AS k (status integer, headers json, "balanceHeader" text, head text, tail text)
  WHERE r.token = claimed;
END $$`

const keepAsks = `
CREATE FUNCTION keep_asks(batch json, verdicts text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  INSERT INTO asks AS kept (id, account_id, environment, charge_id, status, request, result, mentions, created_at, finished_at)
  SELECT k.id, c.account_id, c.environment, c.id, k.status, k.request::json, k.result, k.mentions::json, c.created_at, moment
  FROM json_array_elements(batch) WITH ORDINALITY m (movement, place)
  CROSS JOIN LATERAL json_to_record(m.movement->'ask') AS k (id uuid, status text, request text, result text, mentions text)
  JOIN charges c ON c.id = (m.movement->>'charge_id')::uuid
  WHERE json_typeof(m.movement->'ask') = 'object' AND verdicts[m.place] = 'done'
  ON CONFLICT (id) DO UPDATE SET status = excluded.status, result = excluded.result, mentions = excluded.mentions,
    finished_at = excluded.finished_at, lease_expires_at = NULL;

  INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, next_attempt_at)
  SELECT gen_random_uuid(), a.account_id, a.environment, 'ask.completed', w.id, a.id, w.url,
    convert_to(concat(k.event->>'head', floor(extract(epoch FROM moment))::bigint, k.event->>'tail'), 'UTF8'),
    'pending', moment, moment
  FROM json_array_elements(batch) WITH ORDINALITY m (movement, place)
  CROSS JOIN LATERAL json_to_record(m.movement->'ask') AS k (id uuid, event json)
  JOIN asks a ON a.id = k.id
  JOIN webhook_endpoints w ON w.id = a.webhook_id
  WHERE json_typeof(m.movement->'ask') = 'object' AND verdicts[m.place] = 'done';
END $$`

/**
 * Asks, as waiting jobs and as the archive of finished ones; and the deliveries about them.
 *
 * Shape: a row begins as queued, or as finished if the ask was live. `request`, `result` and `mentions` are emptied at the end of the
 * archive's time. `queue_ask` holds the price and queues the job; `keep_asks` reads the batch that `post_movements` has just applied.
 */
export const asks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE asks (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL,
      environment text NOT NULL,
      charge_id uuid NOT NULL UNIQUE,
      webhook_id uuid,
      status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
      request json,
      result text,
      mentions json,
      attempts integer NOT NULL DEFAULT 0,
      lease_expires_at timestamptz,
      announced_at timestamptz,
      created_at timestamptz NOT NULL,
      finished_at timestamptz
    )`
  yield* sql`CREATE INDEX asks_open ON asks (announced_at) WHERE finished_at IS NULL`
  yield* sql`CREATE INDEX asks_archived ON asks (created_at) WHERE request IS NOT NULL AND finished_at IS NOT NULL`
  yield* sql`CREATE INDEX asks_created_at ON asks (created_at)`
  yield* sql`
    CREATE TABLE deliveries (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL,
      environment text NOT NULL,
      event text NOT NULL,
      webhook_id uuid NOT NULL,
      ask_id uuid NOT NULL,
      url text NOT NULL,
      body bytea NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
      reason text,
      created_at timestamptz NOT NULL,
      next_attempt_at timestamptz
    )`
  yield* sql`CREATE INDEX deliveries_ask ON deliveries (ask_id)`
  yield* sql.unsafe(queueAsk)
  yield* sql.unsafe(keepAsks)
})
