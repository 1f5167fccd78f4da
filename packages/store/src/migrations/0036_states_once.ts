import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

// The planner, which does not know how few are wanted of a watch's runs, would rather sort them all.
const options = "LANGUAGE plpgsql SET enable_sort = off"

// Once something arrived, or is so old that the delivery which the run made is not kept any more, no replay takes that back.
const toldForGood = `
CREATE FUNCTION told_for_good(watch uuid) RETURNS timestamptz ${options} AS $$
BEGIN
  RETURN (
    SELECT r.finished_at FROM runs r
    WHERE r.watch_id = watch AND json_array_length(r.result) > 0 AND coalesce((
      SELECT bool_or(d.status = 'delivered') OR min(d.created_at) > (SELECT t.finished_at FROM runs t WHERE t.id = coalesce(r.told_by, r.id))
      FROM deliveries d WHERE d.run_id = coalesce(r.told_by, r.id)), true)
    ORDER BY r.finished_at DESC LIMIT 1);
END $$`

// Before a run without a state there is none that has one, so it reads no more runs than it empties.
const dropStates = `
CREATE FUNCTION drop_states(watch uuid) RETURNS void ${options} AS $$
DECLARE
  known timestamptz := told_for_good(watch);
  run record;
BEGIN
  IF EXISTS (SELECT FROM states_of_before b WHERE b.watch_id = watch) THEN
    RETURN;
  END IF;
  FOR run IN
    SELECT r.id, r.evidence IS NULL AS is_empty FROM runs r
    WHERE r.watch_id = watch AND json_array_length(r.result) > 0 AND r.finished_at < known
    ORDER BY r.finished_at DESC
  LOOP
    EXIT WHEN run.is_empty;
    UPDATE runs SET evidence = NULL, mentions = NULL WHERE id = run.id;
  END LOOP;
END $$`

const dropStatesOfBefore = `
CREATE FUNCTION drop_states_of_before(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done integer := 0;
  emptied integer;
  known timestamptz;
  one record;
BEGIN
  FOR one IN SELECT b.watch_id FROM states_of_before b FOR UPDATE SKIP LOCKED LOOP
    known := told_for_good(one.watch_id);
    UPDATE runs SET evidence = NULL, mentions = NULL WHERE id IN (
      SELECT r.id FROM runs r
      WHERE r.watch_id = one.watch_id AND r.evidence IS NOT NULL AND (r.finished_at < known OR json_array_length(r.result) = 0)
      LIMIT most - done);
    GET DIAGNOSTICS emptied = ROW_COUNT;
    done := done + emptied;
    EXIT WHEN done >= most;
    DELETE FROM states_of_before WHERE watch_id = one.watch_id;
    done := done + 1;
    EXIT WHEN done >= most;
  END LOOP;
  RETURN done;
END $$`

/**
 * The state that a run leaves to the next one is kept until a later run takes its place.
 *
 * Shape: the state is `evidence` and `mentions`. A run without an answer has none. Of the runs with an answer, in the order of their
 * ends, those before the latest one that is reported for good are emptied, because no later run begins with them. `keep_runs` empties
 * them when it ends a run. This includes runs of a program of the previous version, which still finds what it begins with.
 * `states_of_before` has the watches whose older runs were not emptied at the end of a run. `drop_states_of_before` empties these in
 * steps, and until it has finished a watch, `drop_states` does not touch that watch.
 */
export const statesOnce = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE states_of_before (watch_id uuid PRIMARY KEY)`
  yield* sql`INSERT INTO states_of_before SELECT id FROM watches`
  yield* sql.unsafe(toldForGood)
  yield* sql.unsafe(dropStates)
  yield* sql.unsafe(dropStatesOfBefore)
  yield* amend(sql, "keep_runs", [
    ["  one record;\n", "  one record;\n  watch uuid;\n"],
    [
      "evidence = one.evidence::json,",
      "evidence = CASE WHEN json_array_length(one.result::json) > 0 THEN one.evidence::json END,"
    ],
    [
      "WHERE id = one.id AND finished_at IS NULL;",
      "WHERE id = one.id AND finished_at IS NULL RETURNING watch_id INTO watch;"
    ],
    [
      "    CONTINUE WHEN json_typeof(one.event) IS DISTINCT FROM 'object';\n",
      "    IF json_typeof(one.event) = 'object' THEN\n"
    ],
    ["    WHERE r.id = one.id;\n", "    WHERE r.id = one.id;\n    END IF;\n    PERFORM drop_states(watch);\n"]
  ])
})
