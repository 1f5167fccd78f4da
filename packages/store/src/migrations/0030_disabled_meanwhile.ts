import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

/**
 * The delivery of an ask whose endpoint is disabled or deleted is written as failed. As a pending one it would wait for its attempt,
 * and would be sent if the endpoint was enabled by then.
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
