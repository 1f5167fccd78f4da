import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// Plans are fixed, because statistics of a table that empties and fills up within seconds mislead whoever makes them.
const fixed = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off`

const beginAttempts = `
CREATE FUNCTION begin_attempts(after_account uuid, after_receiver uuid, most integer, delays float8[])
RETURNS TABLE (last_account_id uuid, last_receiver_id uuid, is_last boolean, moved boolean, id uuid, delivery_id uuid,
  number integer, event text, watch_id uuid, receiver_id uuid, url text, secret bytea, body bytea)
LANGUAGE plpgsql ${fixed} AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH RECURSIVE clock AS MATERIALIZED (
    SELECT clock_timestamp() AS moment
  ), receivers AS (
    (SELECT account_id, receiver_id, next_attempt_at, 1 AS seen, (next_attempt_at <= moment)::integer AS due
      FROM clock, deliveries
      WHERE status = 'pending' AND (account_id, receiver_id) > (after_account, after_receiver)
      ORDER BY account_id, receiver_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.*, r.seen + 1, r.due + (n.next_attempt_at <= moment)::integer
    FROM clock, receivers r CROSS JOIN LATERAL (
      SELECT account_id, receiver_id, next_attempt_at FROM deliveries
      WHERE status = 'pending' AND (account_id, receiver_id) > (r.account_id, r.receiver_id)
      ORDER BY account_id, receiver_id, next_attempt_at LIMIT 1) n
    WHERE r.seen < 1000 AND r.due < least(256, greatest(16, most))
  ), oldest AS (
    SELECT r.account_id, d.*, row_number() OVER (PARTITION BY r.receiver_id ORDER BY d.next_attempt_at, d.id) AS turn,
      coalesce(d.lease_expires_at > moment, false) AS leased
    FROM clock, receivers r CROSS JOIN LATERAL (
      SELECT id, next_attempt_at, lease_expires_at FROM deliveries
      WHERE status = 'pending' AND account_id = r.account_id AND receiver_id = r.receiver_id AND next_attempt_at <= moment
      ORDER BY next_attempt_at, id LIMIT 10) d
    WHERE r.next_attempt_at <= moment
  ), ranked AS (
    SELECT *, count(*) FILTER (WHERE leased) OVER (PARTITION BY account_id)
        + row_number() OVER (PARTITION BY account_id, leased ORDER BY turn, next_attempt_at) AS place
    FROM oldest
  ), picked AS (
    SELECT id FROM ranked WHERE NOT leased AND place <= 50 ORDER BY turn, next_attempt_at LIMIT most
  ), locked AS MATERIALIZED (
    SELECT d.* FROM clock, picked JOIN deliveries d USING (id)
    -- No word of the status, which would suggest the index of what is pending. Only what is pending has a next attempt.
    WHERE d.next_attempt_at <= moment AND (d.lease_expires_at IS NULL OR d.lease_expires_at <= moment)
    FOR UPDATE OF d SKIP LOCKED
  ), judged AS MATERIALIZED (
    SELECT l.id, l.attempts, coalesce(e.url, w.webhook_url) AS url, coalesce(e.secret, w.secret) AS secret,
      CASE WHEN l.lease_expires_at IS NOT NULL THEN 'unknown'
        WHEN l.webhook_id IS NOT NULL AND e.enabled IS NOT TRUE THEN 'endpoint_disabled'
        WHEN l.watch_id IS NOT NULL AND w.enabled IS NOT TRUE THEN 'watch_paused' END AS obstacle
    FROM locked l LEFT JOIN webhook_endpoints e ON e.id = l.webhook_id LEFT JOIN watches w ON w.id = l.watch_id
  ), unheard AS (
    UPDATE attempts a SET error = 'unknown' FROM judged j
    WHERE j.obstacle = 'unknown' AND a.delivery_id = j.id AND a.number = j.attempts AND a.duration_ms IS NULL
  ), put_off AS (
    UPDATE deliveries d SET lease_expires_at = NULL,
      next_attempt_at = d.lease_expires_at - interval '20 seconds'
        + make_interval(secs => delays[d.attempts])
    FROM judged j WHERE d.id = j.id AND j.obstacle = 'unknown' AND j.attempts < 3
  ), given_up AS (
    UPDATE deliveries d SET lease_expires_at = NULL, next_attempt_at = NULL, status = 'failed', reason = j.obstacle
    FROM judged j WHERE d.id = j.id AND j.obstacle IS NOT NULL AND (j.obstacle <> 'unknown' OR j.attempts >= 3)
  ), begun AS (
    UPDATE deliveries d SET lease_expires_at = moment + interval '30 seconds', attempts = d.attempts + 1, url = j.url
    FROM clock, judged j WHERE d.id = j.id AND j.obstacle IS NULL
    RETURNING gen_random_uuid() AS id, d.id AS delivery_id, d.attempts AS number, d.event, d.watch_id, d.receiver_id, d.url,
      j.secret, d.body
  ), noted AS (
    INSERT INTO attempts (id, delivery_id, number, started_at)
    SELECT id, delivery_id, number, moment FROM begun, clock
  )
  SELECT last.*, EXISTS (SELECT FROM judged), b.id, b.delivery_id, b.number, b.event, b.watch_id, b.receiver_id, b.url,
    b.secret, b.body
  FROM (
    SELECT account_id AS last_account_id, receiver_id AS last_receiver_id,
      seen < 1000 AND due < least(256, greatest(16, most)) AS is_last
    FROM receivers ORDER BY seen DESC LIMIT 1) last LEFT JOIN begun b ON true;
END $$`

const endAttempts = `
CREATE FUNCTION end_attempts(batch json, delays float8[]) RETURNS void LANGUAGE plpgsql ${fixed} AS $$
BEGIN
  WITH ended AS (
    UPDATE attempts a SET duration_ms = e.duration_ms, status_code = e.status_code, error = e.error,
      response_excerpt = e.response_excerpt
    FROM json_to_recordset(batch)
      AS e (delivery_id uuid, number integer, duration_ms integer, status_code integer, error text, response_excerpt text)
    WHERE a.delivery_id = e.delivery_id AND a.number = e.number
    RETURNING a.delivery_id, a.number, a.error
  )
  UPDATE deliveries d SET lease_expires_at = NULL,
    status = CASE WHEN e.error IS NULL THEN 'delivered' WHEN e.number < 3 THEN 'pending' ELSE 'failed' END,
    reason = CASE WHEN e.number >= 3 THEN e.error END,
    next_attempt_at = CASE WHEN e.error IS NOT NULL AND e.number < 3
      THEN clock_timestamp() + make_interval(secs => delays[e.number]) END
  FROM ended e
  WHERE d.id = e.delivery_id AND d.attempts = e.number AND d.lease_expires_at IS NOT NULL;
END $$`

/**
 * The operations on attempts, in one statement each. A delivery has at most three attempts; at most 10 are in progress for one receiver
 * and 50 for one account.
 *
 * `begin_attempts` begins attempts that are due: one step of a round over the receivers with pending deliveries. A step reads at most
 * 1,000 of these, and fewer if it may begin only a few attempts. Of each receiver it reads the ten oldest due deliveries, including
 * those in progress; so at most ten are in progress, whichever process began them. An expired lease belonged to a process that died:
 * its attempt counts as one without an answer in its 10 s, and the delivery waits from then on or has failed. A delivery without a
 * receiver has failed. The function returns one row per attempt, or one row without an attempt, or no row if nothing is pending.
 *
 * `end_attempts` ends attempts and sets what their deliveries wait for next. An attempt that was given up in the meantime still gets
 * its true end; its delivery stays as it was judged.
 */
export const attempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(beginAttempts)
  yield* sql.unsafe(endAttempts)
})
