import { type Cause, Context, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { EndedCapture } from "@sightline/domain/EndedCapture"
import { type CaptureCount, latencyClass } from "@sightline/domain/Health"
import { type Environment, Platform } from "@sightline/domain/Platform"
import { Count, olderThan } from "./Columns.ts"
import { pruned } from "./RowCount.ts"

/** A period of the past: from `from` ago until `until` ago. Both are rounded to whole hours of the database's clock. */
export interface Span {
  readonly environment: Environment
  readonly from: Duration.Input
  readonly until: Duration.Input
}

/** How often recorded captures are written. A killed process loses at most those of one interval. */
const flushInterval: Duration.Input = "3 seconds"

/** How long hours are kept: the longest period that is read, plus a day. */
const kept = "9 days"

const Adverts = Schema.Literals(["some", "none", "unseen"])
type Adverts = typeof Adverts.Type

const Row = Schema.Struct({
  platform: Platform,
  ending: CaptureEnding,
  adverts: Adverts,
  latencyMs: Schema.Int,
  captures: Count
})

const Bounds = Schema.Struct({ environment: Schema.String, fromHours: Schema.Int, untilHours: Schema.Int })

const hours = (duration: Duration.Input): number => Math.round(Duration.toHours(Duration.fromInputUnsafe(duration)))

const advertsOf = (adverts: number | undefined): Adverts =>
  adverts === undefined ? "unseen" : adverts > 0 ? "some" : "none"

interface Tally extends Omit<EndedCapture, "millis" | "adverts"> {
  readonly adverts: Adverts
  readonly latency: number
  count: number
}

/** The counts of a process that are not written yet: one for each kind of capture. */
const makeTallies = () => {
  let open = new Map<string, Tally>()
  const add = (tally: Tally) => {
    const { environment, platform, ending, adverts, latency, count } = tally
    const key = `${environment} ${platform} ${ending} ${adverts} ${latency}`
    const known = open.get(key)
    if (known === undefined) open.set(key, { ...tally })
    else known.count += count
  }
  const take = (): ReadonlyArray<Tally> => {
    const taken = Array.from(open.values())
    open = new Map()
    return taken
  }
  return { add, take }
}

/** The statements of a flush: the write, which returns the id of its transaction, and the query for the outcome of such a transaction. */
const statements = (sql: SqlClient.SqlClient) => ({
  write: (rows: ReadonlyArray<Tally>) => sql<{ readonly transaction: string }>`
    INSERT INTO capture_stats AS kept (hour, environment, platform, ending, adverts, latency_ms, captures)
    SELECT date_trunc('hour', clock_timestamp()), fresh.* FROM unnest(
      ${rows.map(({ environment }) => environment)}::text[], ${rows.map(({ platform }) => platform)}::text[],
      ${rows.map(({ ending }) => ending)}::text[], ${rows.map(({ adverts }) => adverts)}::text[],
      ${rows.map(({ latency }) => latency)}::integer[], ${rows.map(({ count }) => count)}::bigint[]
    ) AS fresh (environment, platform, ending, adverts, latency_ms, captures)
    ORDER BY environment, platform, ending, adverts, latency_ms
    ON CONFLICT (hour, environment, platform, ending, adverts, latency_ms) DO UPDATE
      SET captures = kept.captures + excluded.captures
    RETURNING pg_current_xact_id()::text AS transaction`,
  statusOf: (transaction: string) =>
    sql<{ readonly fate: string | null }>`SELECT pg_xact_status(${transaction}::xid8) AS fate`
})

/** Writes the counts since the last flush. Counts that cannot be written go into the next flush. */
const makeFlush = (sql: SqlClient.SqlClient, tallies: ReturnType<typeof makeTallies>) => {
  const { statusOf, write } = statements(sql)
  /** Rows whose commit was sent, while its outcome is unknown. */
  let inDoubt: { readonly rows: ReadonlyArray<Tally>; readonly transaction: string } | undefined
  let isLogged = false

  /** Looks up the outcome of the doubtful rows. False: it is still unknown. */
  const resolve = Effect.gen(function* () {
    if (inDoubt === undefined) return true
    const [found] = yield* statusOf(inDoubt.transaction)
    if (found?.fate === "in progress") return false
    if (found?.fate === "aborted") inDoubt.rows.forEach(tallies.add)
    inDoubt = undefined
    return true
  })

  // In a transaction, so that only its commit can be in doubt: if the connection ends before that, nothing was written.
  const send = (rows: ReadonlyArray<Tally>) => {
    let transaction: string | undefined
    return sql.withTransaction(Effect.map(write(rows), ([row]) => (transaction = row?.transaction))).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          if (transaction === undefined) rows.forEach(tallies.add)
          else inDoubt = { rows, transaction }
        })
      )
    )
  }

  const flush = Effect.gen(function* () {
    if (!(yield* resolve)) return
    const rows = tallies.take()
    if (rows.length > 0) yield* send(rows)
    isLogged = false
  })
  const logFailure = (cause: Cause.Cause<SqlError.SqlError>) =>
    Effect.suspend(() => {
      if (isLogged) return Effect.void
      isLogged = true
      return Effect.logWarning("Capture counts were not written; they are tried again", cause)
    })
  // Uninterruptible: after an interrupted flush it would be unknown whether its counts were written.
  return flush.pipe(Effect.catchCause(logFailure), Effect.uninterruptible)
}

/**
 * The outcomes of captures per hour, over all processes.
 *
 * Laws: each recorded capture is counted once, in the hour in which it is written. Recording does not wait and never fails. Closing the
 * scope writes everything. A killed process loses the captures recorded in the last three seconds. If the database's response to a
 * commit is lost, the outcome of the transaction is looked up before any of its rows is written again. A failure to write is logged
 * once, until a write succeeds.
 */
export class CaptureStats extends Context.Service<
  CaptureStats,
  {
    readonly record: (capture: EndedCapture) => Effect.Effect<void>
    /** The written counts of a span, summed over its hours. */
    readonly counts: (span: Span) => Effect.Effect<ReadonlyArray<CaptureCount>>
    /** Deletes hours that are no longer read, a thousand rows at a time. Returns how many rows. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/CaptureStats") {
  static readonly layer = Layer.effect(
    CaptureStats,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tallies = makeTallies()

      const flush = makeFlush(sql, tallies)
      yield* Effect.addFinalizer(() => flush)
      yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(flushInterval)))

      const select = SqlSchema.findAll({
        Request: Bounds,
        Result: Row,
        execute: ({ environment, fromHours, untilHours }) => sql`
          SELECT platform, ending, adverts, latency_ms, sum(captures)::bigint AS captures FROM capture_stats
          WHERE environment = ${environment}
            AND hour > date_trunc('hour', statement_timestamp()) - make_interval(hours => ${fromHours})
            AND hour <= date_trunc('hour', statement_timestamp()) - make_interval(hours => ${untilHours})
          GROUP BY platform, ending, adverts, latency_ms`
      })

      return CaptureStats.of({
        record: ({ environment, platform, ending, millis, adverts }) =>
          Effect.sync(() =>
            tallies.add({
              environment,
              platform,
              ending,
              adverts: advertsOf(adverts),
              latency: latencyClass(millis),
              count: 1
            })
          ),
        counts: ({ environment, from, until }) =>
          select({ environment, fromHours: hours(from), untilHours: hours(until) }).pipe(
            Effect.map((rows) => rows.map(countOf)),
            Effect.orDie
          ),
        prune: pruned(sql, "capture_stats", "ctid", olderThan("hour", kept))
      })
    })
  )
}

const countOf = ({ platform, ending, adverts, latencyMs, captures }: typeof Row.Type): CaptureCount => ({
  platform,
  ending,
  adverts: adverts === "unseen" ? null : adverts === "some",
  latency: latencyMs,
  count: captures
})
