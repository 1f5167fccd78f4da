import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// The planner, which does not know how many jobs wait, would rather sort them all.
const options = "LANGUAGE plpgsql SET enable_sort = off"

// What somebody else has locked is being taken: whoever waited for it might be waited for.
const nextAsk = `
CREATE FUNCTION next_ask(after uuid, times integer) RETURNS uuid ${options} AS $$
BEGIN
  RETURN (
    SELECT id FROM asks
    WHERE finished_at IS NULL AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
      AND lane > after AND attempts <> times
    ORDER BY lane, created_at LIMIT 1 FOR UPDATE SKIP LOCKED);
END $$`

// While a run is being taken its watch cannot be paused, and of a paused one there is no run to take.
const nextRun = `
CREATE FUNCTION next_run(after uuid, times integer) RETURNS uuid ${options} AS $$
BEGIN
  RETURN (
    SELECT r.id FROM runs r JOIN watches w ON w.id = r.watch_id
    WHERE r.finished_at IS NULL AND (r.lease_expires_at IS NULL OR r.lease_expires_at <= clock_timestamp())
      AND r.lane > after AND r.attempts <> times AND (w.enabled OR r.status = 'running')
    ORDER BY r.lane, r.scheduled_for LIMIT 1 FOR UPDATE OF r SKIP LOCKED FOR SHARE OF w SKIP LOCKED);
END $$`

/**
 * Lanes: a job that has waited for a while is in the lane of its account, and the lanes take turns.
 *
 * Shape: `lane` is the account's id; it stays null for a job that was claimed at once. `next_ask` and `next_run` lock the oldest job
 * without a worker in the first lane after the given one, of those that were not begun the given number of times. During an upgrade, a
 * program of the previous version claims each job in the order of arrival.
 */
export const lanes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE asks ADD COLUMN lane uuid`
  yield* sql`ALTER TABLE runs ADD COLUMN lane uuid`
  // Of what does not wait in a lane the indexes know nothing, so it is written as quickly as without them.
  yield* sql`CREATE INDEX asks_lanes ON asks (lane, created_at) WHERE finished_at IS NULL AND lane IS NOT NULL`
  yield* sql`CREATE INDEX runs_lanes ON runs (lane, scheduled_for) WHERE finished_at IS NULL AND lane IS NOT NULL`
  yield* sql.unsafe(nextAsk)
  yield* sql.unsafe(nextRun)
})
