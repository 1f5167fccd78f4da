import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/**
 * A run refers to the run whose delivery reported its findings to the customer.
 *
 * Shape: for a run without news, `told_by` is the earlier run that reported the last news. It is null if that is the run itself, or if
 * a program of the previous version wrote it during an upgrade. If a run has something to report while its watch is paused, its
 * delivery is written as failed.
 */
export const toldBy = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE runs ADD COLUMN told_by uuid`
  yield* amend(sql, "keep_runs", [
    ["mentions text, event json)", "mentions text, event json, told_by uuid)"],
    ["triggers_fired = one.triggers,", "triggers_fired = one.triggers, told_by = one.told_by,"],
    ["status, created_at, next_attempt_at)", "status, reason, created_at, next_attempt_at)"],
    [
      "'pending', moment, moment",
      `CASE WHEN w.enabled THEN 'pending' ELSE 'failed' END, CASE WHEN NOT w.enabled THEN 'watch_paused' END,
      moment, CASE WHEN w.enabled THEN moment END`
    ],
    ["WHERE r.id = one.id AND w.enabled;", "WHERE r.id = one.id;"]
  ])
})
