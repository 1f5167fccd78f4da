import { SqlClient } from "effect/sql"
import { amend } from "./amend.ts"

const counted = `unheard AS (
    UPDATE attempts a SET error = 'unknown' FROM judged j
    WHERE j.obstacle = 'unknown' AND a.delivery_id = j.id AND a.number = j.attempts AND a.duration_ms IS NULL
  )`

const countedIfFree = `lost AS MATERIALIZED (
    SELECT a.delivery_id, a.number FROM judged j JOIN attempts a ON a.delivery_id = j.id AND a.number = j.attempts
    WHERE j.obstacle = 'unknown' AND a.duration_ms IS NULL
    -- What is locked is being ended: it gets its true end, and whoever ends it waits for its delivery, which is locked here.
    FOR UPDATE OF a SKIP LOCKED
  ), unheard AS (
    UPDATE attempts a SET error = 'unknown' FROM lost l WHERE a.delivery_id = l.delivery_id AND a.number = l.number
  )`

/**
 * `begin_attempts` does not wait for an attempt that is ended after its lease: `end_attempts` has locked it, and may wait for its
 * delivery.
 */
export const lateEnds = SqlClient.SqlClient.use((sql) => amend(sql, "begin_attempts", [[counted, countedIfFree]]))
