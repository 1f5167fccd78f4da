import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const answerTexts = `
CREATE TABLE answer_texts (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  text text NOT NULL,
  brands text[] NOT NULL,
  kept_at timestamptz NOT NULL
) WITH (toast_tuple_target = 128)`

const seen = `
ALTER TABLE checks
  ADD COLUMN region text NOT NULL DEFAULT 'us',
  ADD COLUMN platforms text[] NOT NULL DEFAULT '{}',
  ADD COLUMN mentioned boolean[] NOT NULL DEFAULT '{}',
  ADD COLUMN ranks integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN texts bytea[] NOT NULL DEFAULT '{}',
  ADD COLUMN sites text[] NOT NULL DEFAULT '{}',
  ADD COLUMN pages bigint[] NOT NULL DEFAULT '{}'`

const seenBefore = `
UPDATE checks SET region = coalesce(request->>'region', 'us'), (platforms, mentioned, ranks) = (
  SELECT coalesce(array_agg(s.platform ORDER BY n), '{}'),
    coalesce(array_agg(CASE WHEN s."surfacePresent" IS NULL THEN s.mentioned END ORDER BY n), '{}'),
    coalesce(array_agg(s.rank ORDER BY n), '{}')
  FROM json_array_elements(result->'sightings') WITH ORDINALITY e (one, n), LATERAL json_to_record(one)
    AS s (platform text, mentioned boolean, rank integer, "surfacePresent" boolean))
WHERE json_typeof(result->'sightings') = 'array'`

/** Lines of the functions that write checks and runs, and their replacements. */
const amendments = {
  post_movements: [
    [`k.result::json, moment, k."durationMs"`, `k.result::json, moment, k."durationMs", seen.*`],
    [
      `result text, "durationMs" integer)`,
      `result text, "durationMs" integer, seen json) CROSS JOIN LATERAL (
        SELECT coalesce(v.region, 'us'), coalesce(v.platforms, '{}'), coalesce(v.mentioned, '{}'), coalesce(v.ranks, '{}'),
          coalesce(v.texts, '{}'), coalesce(v.sites, '{}'), coalesce(v.pages, '{}')
        FROM json_to_record(coalesce(k.seen, '{}')) AS v (region text, platforms text[], mentioned boolean[], ranks integer[],
          texts bytea[], sites text[], pages bigint[])) seen`
    ]
  ],
  keep_runs: [[`mentions = one.mentions::json`, `mentions = one.mentions::json, told = (one.event->>'told')::json`]]
} as const

/**
 * What checks saw, in columns that are quick to sum up, and the texts they saw it in.
 *
 * Shape: `platforms`, `mentioned`, `ranks` and `texts` go by position: a platform that gave an answer, whether the answer names the
 * brand (null: its surface showed no answer), at which rank, and the hash of its text. `sites` holds the sites that each answer cites,
 * one answer after the other. `pages` holds the pages likewise, sorted within each answer and followed by a 0, as numbers whose upper
 * half is the site's. `told` is why a run fired. Texts are in a table of their own, so that other columns are read without them.
 */
export const history = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(answerTexts)
  yield* sql`CREATE INDEX answer_texts_kept_at ON answer_texts (kept_at)`
  yield* sql.unsafe(seen)
  yield* sql.unsafe(seenBefore)
  yield* sql`CREATE INDEX checks_owner ON checks (account_id, environment, created_at, id)`
  yield* sql`CREATE INDEX checks_pair ON checks (account_id, environment, brand, query, created_at)`
  yield* sql`CREATE INDEX checks_charge ON checks (charge_id)`
  yield* sql`ALTER TABLE runs ADD COLUMN told json`
  yield* sql`CREATE INDEX runs_charge ON runs (charge_id) WHERE charge_id IS NOT NULL`
  for (const [name, lines] of Object.entries(amendments)) yield* amend(sql, name, lines)
})
