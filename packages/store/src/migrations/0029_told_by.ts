import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/**
 * Runs know by which one's delivery the customer knows what they found.
 *
 * Shape: `told_by` is of a run without news the run that told the last news before it; null where it is the run itself, or where a
 * program of the version before, while an installation is upgraded, does not say. What a run has to tell when its watch is paused is a
 * delivery that has failed.
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
