import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { Mode } from "@sightline/domain/Mode"
import { Environment } from "@sightline/domain/Platform"
import { Sensitivity, Trigger } from "@sightline/domain/Watch"
import { Claim, isBegunBefore, isDone, type JobAttempt, LaneClaim, makeClaim, makeJobs, tries } from "./Jobs.ts"

/**
 * A claimed run with its watch: its worker has it for 30 s, and for another 30 s after each renewal. `attempt` counts from 1, and
 * `tries` counts the attempts that were not released. `late` is how many seconds after its slot it was first begun.
 */
const RunJob = Schema.Struct({
  id: Schema.String,
  watchId: Schema.String,
  attempt: Schema.Int,
  tries: Schema.Int,
  late: Schema.Finite,
  accountId: AccountId,
  environment: Environment,
  query: Schema.String,
  brand: Schema.String,
  mode: Mode,
  triggerOn: Schema.Array(Trigger),
  sensitivity: Sensitivity
})
export type RunJob = typeof RunJob.Type

/** The operations on a run as a job. While it is claimed or released, its watch is locked and cannot be paused. */
export const makeRunJobs = (sql: SqlClient.SqlClient) => {
  const { due, setReleased, inLane, isClaimable, isHeldBy, renew, setClaimed } = makeJobs(sql, "runs")
  const begun = sql`${setClaimed}, started_at = coalesce(started_at, clock_timestamp())`
  const begunBefore = sql.literal(isBegunBefore)
  const job =
    sql.literal(`runs.id, watch_id, attempts AS attempt, ${tries} AS tries, w.account_id, w.environment, w.query, w.brand, w.mode,
    w.trigger_on, w.sensitivity, extract(epoch FROM started_at - scheduled_for)::float8 AS late`)
  const claim = makeClaim(
    // The lock on the watch orders the claim and a pause: an earlier pause leaves no run to claim, a later one waits.
    SqlSchema.findOneOption({
      Request: Claim,
      Result: RunJob,
      execute: ({ id, isExact, tries: wanted }) => sql`
        WITH w AS MATERIALIZED (
          SELECT watches.* FROM watches JOIN runs ON watch_id = watches.id WHERE runs.id = ${id} FOR SHARE OF watches
        )
        UPDATE runs SET ${begun} FROM w
        WHERE runs.id = ${id} AND watch_id = w.id AND ${isClaimable} AND (w.enabled OR status = 'running')
          AND (${sql.literal(tries)} = ${wanted}) = ${isExact}
        RETURNING ${job}`
    }),
    SqlSchema.findOneOption({
      Request: LaneClaim,
      Result: RunJob,
      execute: (claim) => sql`
        WITH ${inLane(claim)}
        UPDATE runs SET ${begun} FROM watches w WHERE runs.id = (SELECT id FROM next) AND w.id = watch_id
        RETURNING ${job}`
    })
  )
  // An earlier pause deletes queued runs only, so a run that was claimed then is deleted here.
  const release = (job: JobAttempt) => sql`
    WITH w AS MATERIALIZED (
      SELECT watches.id, enabled FROM watches JOIN runs ON watch_id = watches.id WHERE runs.id = ${job.id} FOR SHARE OF watches
    ), dropped AS (
      DELETE FROM runs USING w WHERE ${isHeldBy(job)} AND NOT (enabled OR ${begunBefore})
    )
    UPDATE runs SET ${setReleased}, started_at = CASE WHEN ${begunBefore} THEN started_at END FROM w
    WHERE ${isHeldBy(job)} AND (enabled OR ${begunBefore})
    RETURNING 1`
  return { claim, due, release: (job: JobAttempt) => isDone(release(job)), renew }
}
