import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const keepChecks = `
CREATE FUNCTION keep_checks(records json, results text, verdicts text[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
  INSERT INTO checks (id, charge_id, account_id, environment, mode, query, brand, request, result, created_at, duration_ms,
    region, platforms, mentioned, ranks, texts, sites, pages)
  SELECT k.id, c.id, c.account_id, c.environment, c.mode, k.query, k.brand, k.request::json, k.result::json, c.finished_at,
    k.duration_ms, k.region, k.platforms, k.mentioned, k.ranks, k.texts, k.sites, k.pages
  FROM ROWS FROM (
    json_to_recordset(records) AS (place integer, charge_id uuid, id uuid, query text, brand text, request text, "durationMs" integer,
      region text, platforms text[], mentioned boolean[], ranks integer[], texts bytea[], sites text[], pages bigint[]),
    string_to_table(results, chr(10))
  ) AS k (place, charge_id, id, query, brand, request, duration_ms, region, platforms, mentioned, ranks, texts, sites, pages, result)
  JOIN charges c ON c.id = k.charge_id
  WHERE verdicts[k.place] = 'done';
END $$`

/**
 * Checks are sent beside the movements that pay for them: a value inside a movement is parsed again at each level on the way to it.
 *
 * Shape: there is a record for each check, with the place of its movement in the batch that `post_movements` has just applied. Its
 * result is the line of the same number in `results`, as unchanged JSON. During an upgrade, a program of the previous version lets
 * `post_movements` write them.
 */
export const keepingChecks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(keepChecks)
})
