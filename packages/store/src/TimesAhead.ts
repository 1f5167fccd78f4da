import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { RetryDelays } from "./Attempts.ts"
import { pruneRows } from "./Columns.ts"
import { periodOf } from "./DueWatches.ts"
import { rowCount } from "./RowCount.ts"
import { sessionLifetime } from "./Sessions.ts"

/** SQL for the tolerance by which a time may lie further ahead than its rule allows: no statement waits a minute before it writes one. */
const slack = "interval '1 minute'"

/**
 * A time that rows wait for. `most` is the furthest ahead that it is ever set. `back` replaces a time further ahead, by default with
 * `most` from now.
 */
interface Wait {
  readonly column: string
  readonly most: string
  readonly back?: string
}

/** The waiting rows of a table, for which there is a partial index. */
interface Rule {
  readonly table: string
  readonly waiting: string
  readonly waits: ReadonlyArray<Wait>
}

const jobs: Omit<Rule, "table"> = {
  waiting: "finished_at IS NULL",
  waits: [
    { column: "lease_expires_at", most: "interval '30 seconds'" },
    { column: "announced_at", most: "interval '0'" }
  ]
}

const rulesOf = (retryDelays: RetryDelays): ReadonlyArray<Rule> => [
  {
    table: "watches",
    waiting: "enabled",
    waits: [{ column: "next_run_at", most: periodOf, back: `date_bin(${periodOf}, moment, next_run_at) + ${periodOf}` }]
  },
  {
    table: "charges",
    waiting: "finished_at IS NULL",
    waits: [{ column: "lease_expires_at", most: "interval '150 seconds'" }]
  },
  { table: "asks", ...jobs },
  { table: "runs", ...jobs },
  {
    table: "deliveries",
    waiting: "status = 'pending'",
    waits: [
      { column: "lease_expires_at", most: "interval '30 seconds'" },
      {
        column: "next_attempt_at",
        // A delivery without an attempt, or with its last one in progress, is due.
        most: `coalesce(make_interval(secs => (ARRAY[${retryDelays.map(Duration.toSeconds).join()}]::float8[])[attempts]), interval '0')`
      }
    ]
  },
  {
    table: "sessions",
    waiting: "true",
    waits: [{ column: "expires_at", most: `interval '${sessionLifetime}'` }]
  }
]

/** Corrects up to a thousand rows that are not locked. Returns how many. The clock is read once, so that an index can be searched. */
const makeCorrect = (sql: SqlClient.SqlClient, { table, waiting, waits }: Rule): Effect.Effect<number> => {
  const isAhead = ({ column, most }: Wait, moment: string) => `${column} > ${moment} + (${most}) + ${slack}`
  const found = waits.map((wait) => isAhead(wait, "(SELECT moment FROM clock)")).join(" OR ")
  const set = waits.map((wait) => {
    const { back = `moment + (${wait.most})`, column } = wait
    return `${column} = CASE WHEN ${isAhead(wait, "moment")} THEN ${back} ELSE ${column} END`
  })
  return rowCount(sql`
    WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS moment)
    UPDATE ${sql.literal(table)} SET ${sql.literal(set.join(", "))} FROM clock
    WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql.literal(table)} WHERE ${sql.literal(waiting)} AND (${sql.literal(found)})
      LIMIT ${pruneRows} FOR UPDATE SKIP LOCKED))
    RETURNING 1`)
}

/**
 * Corrects times that are too far ahead because the database's clock was ahead. Otherwise their rows would wait until the clock had
 * caught up.
 *
 * Laws: a time that lies more than a minute further ahead than its rule allows was set before the clock was set back. It is set to the
 * furthest time that the rule allows now: the next slot of an active watch, the lease of a hold, a job or an attempt, the announcement
 * of a job, the next attempt of a delivery, the end of a session. A worker with such a lease keeps it and renews it as usual. Tables
 * that are read by key follow the law at each read (`Answers`, `Flights`, `Replies`, `StoredBuckets`).
 */
export class TimesAhead extends Context.Service<
  TimesAhead,
  {
    /** For each table, a step that corrects up to a thousand of its rows and returns how many. */
    readonly tables: ReadonlyArray<{ readonly table: string; readonly correct: Effect.Effect<number> }>
  }
>()("@sightline/store/TimesAhead") {
  static readonly layer = ({ retryDelays }: { readonly retryDelays: RetryDelays }) =>
    Layer.effect(
      TimesAhead,
      Effect.map(SqlClient.SqlClient, (sql) =>
        TimesAhead.of({
          tables: rulesOf(retryDelays).map((rule) => ({ table: rule.table, correct: makeCorrect(sql, rule) }))
        })
      )
    )
}

/**
 * SQL in front of a statement on the runs of a watch, which still sees the old times. Runs with an answer that ended too far ahead get
 * the current time as their end, in the same order. Deliveries that would be younger than the new end of their run get that end as
 * their time of creation.
 */
export const correctedEnds = (sql: SqlClient.SqlClient, watchId: string) => sql`
  WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS moment),
  ended AS (
    UPDATE runs r SET finished_at = (SELECT moment FROM clock) - interval '1 microsecond' * (
      SELECT count(*) FROM runs l
      WHERE l.watch_id = r.watch_id AND json_array_length(l.result) > 0 AND l.finished_at > r.finished_at)
    WHERE watch_id = ${watchId} AND json_array_length(result) > 0
      AND finished_at > (SELECT moment FROM clock) + ${sql.literal(slack)}
    RETURNING id, finished_at
  ),
  told AS (
    UPDATE deliveries d SET created_at = e.finished_at FROM ended e WHERE d.run_id = e.id AND d.created_at > e.finished_at
  )`
