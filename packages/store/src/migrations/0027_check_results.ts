import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const checkResults = `
CREATE TABLE check_results (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  result json NOT NULL,
  platforms text[] NOT NULL,
  mentioned boolean[] NOT NULL,
  ranks integer[] NOT NULL,
  texts bytea[] NOT NULL,
  sites text[] NOT NULL,
  pages bigint[] NOT NULL
)`

const columns = ["result", "platforms", "mentioned", "ranks", "texts", "sites", "pages"]
const listed = columns.join(", ")

/** An older check keeps its result in its own row: copying would take time in proportion to the number of checks. */
const referring = `
ALTER TABLE checks ${columns.map((column) => `ALTER COLUMN ${column} DROP NOT NULL, ALTER COLUMN ${column} DROP DEFAULT`).join(", ")},
  ADD COLUMN result_id bigint,
  ADD CONSTRAINT check_records_seen CHECK (result_id IS NOT NULL OR result IS NOT NULL) NOT VALID`

/** The hash of a result that came without one. */
const hashOf = `sha256(convert_to(concat_ws(chr(31), ${columns.map((column) => `${column}::text`).join(", ")}), 'UTF8'))`

const view = `
CREATE VIEW checks AS
SELECT c.id, c.charge_id, c.account_id, c.environment, c.mode, c.query, c.brand, c.request, coalesce(r.result, c.result) AS result,
  c.created_at, c.duration_ms, c.region, coalesce(r.platforms, c.platforms) AS platforms, coalesce(r.mentioned, c.mentioned) AS mentioned,
  coalesce(r.ranks, c.ranks) AS ranks, coalesce(r.texts, c.texts) AS texts, coalesce(r.sites, c.sites) AS sites,
  coalesce(r.pages, c.pages) AS pages
FROM check_records c LEFT JOIN check_results r ON r.id = c.result_id`

const settings = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off`

const writeChecks = `
CREATE FUNCTION write_checks(records json, results json, verdicts text[]) RETURNS void LANGUAGE plpgsql
${settings} AS $$
BEGIN
  -- In one order, so that batches that bring the same wait for each other, never in a circle.
  IF results IS NOT NULL THEN
    INSERT INTO check_results (hash, ${listed})
    SELECT k.hash, k.result::json, k.platforms, k.mentioned, k.ranks, k.texts, k.sites, k.pages
    FROM json_to_recordset(results) AS k (place integer, hash bytea, result text, platforms text[], mentioned boolean[],
      ranks integer[], texts bytea[], sites text[], pages bigint[])
    WHERE verdicts[k.place] = 'done' ORDER BY k.hash ON CONFLICT (hash) DO NOTHING;
  END IF;
  INSERT INTO check_records (id, charge_id, account_id, environment, mode, query, brand, request, created_at, duration_ms, region,
    result_id)
  SELECT k.id, c.id, c.account_id, c.environment, c.mode, k.query, k.brand, k.request::json, c.finished_at, k."durationMs", k.region,
    r.id
  FROM json_to_recordset(records) AS k (place integer, charge_id uuid, id uuid, query text, brand text, request text,
    "durationMs" integer, region text, hash bytea)
  JOIN charges c ON c.id = k.charge_id LEFT JOIN check_results r ON r.hash = k.hash
  WHERE verdicts[k.place] = 'done';
END $$`

const keepChecks = `
CREATE OR REPLACE FUNCTION keep_checks(records json, results text, verdicts text[]) RETURNS void LANGUAGE sql AS $$
  SELECT write_checks(json_agg(named), json_agg(named), verdicts) FROM (
    SELECT k.place, k.charge_id, k.id, k.query, k.brand, k.request, k."durationMs", k.region, ${listed}, ${hashOf} AS hash
    FROM ROWS FROM (
      json_to_recordset(records) AS (place integer, charge_id uuid, id uuid, query text, brand text, request text,
        "durationMs" integer, region text, platforms text[], mentioned boolean[], ranks integer[], texts bytea[], sites text[],
        pages bigint[]),
      string_to_table(results, chr(10))
    ) AS k (place, charge_id, id, query, brand, request, "durationMs", region, platforms, mentioned, ranks, texts, sites, pages, result)
  ) named
$$`

/** The lines of `post_movements` for checks inside movements, which no program version sends any more. */
const withoutChecks = [
  ["  recording boolean;\n", ""],
  [
    `, bool_or(s."check" IS NOT NULL)\n  INTO items, topping, ending, claiming, recording`,
    "\n  INTO items, topping, ending, claiming"
  ],
  [`i."check", i.reply`, "i.reply"],
  [
    `  IF recording THEN
    INSERT INTO checks
    SELECT k.id, c.id, c.account_id, c.environment, c.mode, k.query, k.brand, k.request::json, k.result::json, moment, k."durationMs", seen.*
    FROM unnest(items) i JOIN charges c ON c.id = i.charge_id CROSS JOIN LATERAL json_to_record(i."check")
      AS k (id uuid, query text, brand text, request text, result text, "durationMs" integer, seen json) CROSS JOIN LATERAL (
        SELECT coalesce(v.region, 'us'), coalesce(v.platforms, '{}'), coalesce(v.mentioned, '{}'), coalesce(v.ranks, '{}'),
          coalesce(v.texts, '{}'), coalesce(v.sites, '{}'), coalesce(v.pages, '{}')
        FROM json_to_record(coalesce(k.seen, '{}')) AS v (region text, platforms text[], mentioned boolean[], ranks integer[],
          texts bytea[], sites text[], pages bigint[])) seen
    WHERE i."check" IS NOT NULL AND verdicts[i.place] = 'done';
  END IF;
`,
    ""
  ]
] as const

/**
 * What checks saw, each result once: most checks see the same as an earlier one.
 *
 * Shape: `check_records` has the request of a check, its time and its result; the view `checks` joins both. A result is never changed,
 * and is identified by a hash of all its columns. An older record has no result and keeps its findings itself. During an upgrade,
 * `keep_checks` serves a program of the previous version.
 */
export const checkResultsApart = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(checkResults)
  yield* sql.unsafe(referring)
  yield* sql`ALTER TABLE checks RENAME TO check_records`
  yield* sql.unsafe(view)
  yield* sql.unsafe(writeChecks)
  yield* sql.unsafe(keepChecks)
  yield* amend(sql, "post_movements", withoutChecks)
  yield* sql`ALTER TYPE movement DROP ATTRIBUTE "check"`
})
