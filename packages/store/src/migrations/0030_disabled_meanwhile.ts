import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/**
 * What an ask has to tell while its endpoint is disabled, or when it has been deleted, is a delivery that has failed: it was pending until
 * somebody came to begin it, and was sent if the endpoint was enabled by then.
 */
export const disabledMeanwhile = SqlClient.SqlClient.use((sql) =>
  amend(sql, "keep_asks", [
    ["status, created_at, next_attempt_at)", "status, reason, created_at, next_attempt_at)"],
    [
      "'pending', moment, moment",
      `CASE WHEN w.enabled THEN 'pending' ELSE 'failed' END, CASE WHEN NOT w.enabled THEN 'endpoint_disabled' END,
    moment, CASE WHEN w.enabled THEN moment END`
    ]
  ])
)
