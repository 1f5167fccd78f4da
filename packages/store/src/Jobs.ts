import { Effect, Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { rowCount } from "./RowCount.ts"

/** A job that nobody has. `turn` is how often it was begun. */
const DueJob = Schema.Struct({ id: Schema.String, turn: Schema.Int })
export type DueJob = typeof DueJob.Type

/** One try of a job: `attempt` tells whoever has it from whoever had it before. */
export interface JobAttempt {
  readonly id: string
  readonly attempt: number
}

/** Which jobs a claim is for: those that were begun so many `times`, or, where that is not so, all others. */
export interface Begun {
  readonly times: number
  readonly isSo: boolean
}

/** A claim for a job however often it was begun. */
export const howeverOften: Begun = { times: -1, isSo: false }

const dueMax = 500

/** What the tables of jobs have in common: a job is one taker's for 30 s, or until it renews that. By the database's clock. */
export const makeJobs = (sql: SqlClient.SqlClient, table: "asks" | "runs") => {
  const due = SqlSchema.findAll({
    Request: Schema.Void,
    Result: DueJob,
    execute: () => sql`
      UPDATE ${sql(table)} SET announced_at = clock_timestamp() WHERE id IN (
        SELECT id FROM ${sql(table)}
        WHERE finished_at IS NULL AND announced_at <= clock_timestamp() - interval '10 seconds'
          AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
        ORDER BY announced_at LIMIT ${dueMax} FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts AS turn`
  })
  const renew = ({ id, attempt }: JobAttempt) => sql`
    UPDATE ${sql(table)} SET lease_expires_at = clock_timestamp() + interval '30 seconds'
    WHERE id = ${id} AND attempts = ${attempt} AND finished_at IS NULL
    RETURNING 1`
  return {
    due: Effect.orDie(due(undefined)),
    renew: (job: JobAttempt): Effect.Effect<boolean> => Effect.map(rowCount(renew(job)), (rows) => rows > 0)
  }
}
