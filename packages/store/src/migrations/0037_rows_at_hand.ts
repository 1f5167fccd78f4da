import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const lost = `SELECT a.delivery_id, a.number FROM judged j JOIN attempts a ON a.delivery_id = j.id AND a.number = j.attempts
    WHERE j.obstacle = 'unknown' AND a.duration_ms IS NULL
    -- What is locked is being ended: it gets its true end, and whoever ends it waits for its delivery, which is locked here.
    FOR UPDATE OF a SKIP LOCKED`

const lostAtHand = `SELECT a.place_in_table FROM judged j CROSS JOIN LATERAL (
      SELECT ctid AS place_in_table FROM attempts WHERE delivery_id = j.id AND number = j.attempts AND duration_ms IS NULL
      -- What is locked is being ended: it gets its true end, and whoever ends it waits for its delivery, which is locked here.
      FOR UPDATE SKIP LOCKED) a
    WHERE j.obstacle = 'unknown'`

const atHand = ["WHERE d.id = j.id AND j.obstacle", "WHERE d.ctid = j.place_in_table AND j.obstacle"] as const

const amendments = [
  ["begin_attempts(", "begin_at_hand("],
  ["secret bytea, body bytea)", "secret bytea, body bytea, late double precision)"],
  ["SET jit TO 'off'", "SET jit TO 'off'\n SET enable_sort TO 'off'\n SET enable_incremental_sort TO 'off'"],
  [
    "SELECT id, next_attempt_at, lease_expires_at FROM",
    "SELECT ctid AS place_in_table, id, next_attempt_at, lease_expires_at FROM"
  ],
  ["SELECT id FROM ranked", "SELECT place_in_table FROM ranked"],
  [
    "SELECT d.* FROM clock, picked JOIN deliveries d USING (id)",
    "SELECT d.*, d.ctid AS place_in_table FROM clock, picked p JOIN deliveries d ON d.ctid = p.place_in_table"
  ],
  ["No word of the status, which would suggest the index of what is pending. Only", "Only"],
  ["SELECT l.id, l.attempts,", "SELECT l.place_in_table, l.id, l.attempts,"],
  [lost, lostAtHand],
  ["WHERE a.delivery_id = l.delivery_id AND a.number = l.number", "WHERE a.ctid = l.place_in_table"],
  // One of what is put off, one of what is given up, one of what is begun.
  atHand,
  atHand,
  atHand,
  [
    "j.secret, d.body\n",
    "j.secret, d.body, CASE d.attempts WHEN 1 THEN greatest(0, extract(epoch FROM clock_timestamp() - d.created_at)) END AS late\n"
  ],
  ["b.secret, b.body\n", "b.secret, b.body, b.late::float8\n"]
] as const

/**
 * The cost of a step does not depend on the size of the tables when its plan was made. A plan made for almost empty tables assumes that
 * a whole index has only one row, and is kept while the tables fill up.
 *
 * `begin_attempts` goes from the index entries it has found to their rows by the place (ctid) of these rows. A row that was changed in
 * the meantime, which shows when it is locked, is left to the next step. The function does not sort rows that an index has in order,
 * and returns how late a first attempt is, in seconds. `end_attempts` can find its rows only by keys: it is planned at each call, for
 * the current tables.
 */
export const rowsAtHand = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* amend(sql, "begin_attempts", amendments)
  yield* sql`DROP FUNCTION begin_attempts`
  yield* sql`ALTER FUNCTION begin_at_hand RENAME TO begin_attempts`
  yield* sql`ALTER FUNCTION end_attempts SET plan_cache_mode = force_custom_plan`
})
