import { Effect, Schema } from "effect"
import { type SqlClient, type SqlError, SqlSchema } from "effect/sql"
import { makeRowId } from "./RowId.ts"

/**
 * The outcome of one claim: how many due watches it moved to their next slot, how many of their slots stay without a run, and the runs
 * it queued.
 */
export interface Claimed {
  readonly moved: number
  readonly missed: number
  readonly runs: ReadonlyArray<string>
}

/** The same as the database returns it. `runs` is null if every moved watch has a run. */
const Row = Schema.Struct({
  moved: Schema.Int,
  missed: Schema.Int,
  runs: Schema.NullOr(Schema.Array(Schema.String))
})

const isTaken = (error: { readonly _tag: string } | SqlError.SqlError): boolean =>
  "reason" in error && error.reason._tag === "UniqueViolation"

/** SQL for the time from one run of a watch to the next. In hours, because a calendar day may have another length. */
export const periodOf = `CASE "interval" WHEN 'hourly' THEN interval '1 hour' WHEN 'daily' THEN interval '24 hours' ELSE interval '168 hours' END`

/**
 * Moves due watches to their next slot, and queues a run for the latest slot that they missed. A watch whose last run is still open, or
 * that has a run for that slot already, is moved and gets no run. That is rare, and an insert that allows for it costs a fifth of a
 * claim, so that insert is used only after the plain one has met a conflict.
 */
export const makeClaimDue = (sql: SqlClient.SqlClient) => {
  const period = sql.literal(periodOf)
  const claiming = (whereTaken: string, made: string) =>
    SqlSchema.findOne({
      Request: Schema.Struct({ ids: Schema.Array(Schema.String) }),
      Result: Row,
      // Rows are found by a list of places: for a condition on ids or a join, the planner may choose a scan of the whole table.
      execute: ({ ids }) => sql`
        WITH now AS MATERIALIZED (SELECT clock_timestamp() AS at),
        due AS MATERIALIZED (
          SELECT ctid AS place, next_run_at, "interval" FROM watches
          WHERE enabled AND next_run_at <= (SELECT at FROM now)
          ORDER BY next_run_at LIMIT ${ids.length} FOR UPDATE SKIP LOCKED
        ),
        moved AS (
          UPDATE watches SET next_run_at = date_bin(${period}, (SELECT at FROM now), next_run_at) + ${period}
          WHERE ctid = ANY(ARRAY(SELECT place FROM due))
          RETURNING id, next_run_at - ${period} AS slot
        ),
        made AS (
          INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at)
          SELECT (${ids}::uuid[])[row_number() OVER ()], id, slot, 'queued', (SELECT at FROM now) FROM moved ORDER BY id
          ${sql.literal(whereTaken)}
        )
        SELECT (SELECT count(*)::integer FROM moved) AS moved,
          (SELECT coalesce(sum(floor(extract(epoch FROM (SELECT at FROM now) - next_run_at) / extract(epoch FROM ${period}))), 0)::integer
            FROM due WHERE next_run_at <= (SELECT at FROM now) - ${period}) AS missed,
          ${sql.literal(made)} AS runs`
    })
  // The ids were chosen here, so the database need not return them.
  const claimPlain = claiming("", "NULL::text[]")
  const claimWithConflicts = claiming(
    "ON CONFLICT DO NOTHING RETURNING id",
    "coalesce((SELECT array_agg(id::text) FROM made), '{}')"
  )
  return (limit: number): Effect.Effect<Claimed> =>
    Effect.suspend(() => {
      const ids = Array.from({ length: limit }, makeRowId)
      return Effect.catchIf(claimPlain({ ids }), isTaken, () => claimWithConflicts({ ids })).pipe(
        Effect.map(({ runs, ...counts }) => ({ ...counts, runs: runs ?? ids.slice(0, counts.moved) })),
        Effect.orDie
      )
    })
}
