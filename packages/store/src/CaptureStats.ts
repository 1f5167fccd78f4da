import { Context, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { EndedCapture } from "@sightline/domain/EndedCapture"
import { type CaptureCount, latencyClass } from "@sightline/domain/Health"
import { type Environment, Platform } from "@sightline/domain/Platform"
import { Count, olderThan } from "./Columns.ts"
import { pruned } from "./RowCount.ts"

/** A stretch of the past: from `from` ago until `until` ago. Both are rounded to whole hours of the database's clock. */
export interface Span {
  readonly environment: Environment
  readonly from: Duration.Input
  readonly until: Duration.Input
}

/** How often what was recorded is written: what a killed process loses at most. */
const flushInterval: Duration.Input = "3 seconds"

/** How long hours are kept: what the widest reader looks at, and a day. */
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

/** The counts of a process that are not written yet: one per kind of capture, however many there were. */
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

/**
 * How captures ended, hour by hour, over all processes.
 *
 * Laws: what is recorded is counted once, in the hour in which it is written; recording waits for nothing and never fails. A
 * closed scope has written everything; a process that is killed loses what it recorded in the last three seconds.
 */
export class CaptureStats extends Context.Service<
  CaptureStats,
  {
    readonly record: (capture: EndedCapture) => Effect.Effect<void>
    /** What is written of a span, added up over its hours. */
    readonly counts: (span: Span) => Effect.Effect<ReadonlyArray<CaptureCount>>
    /** Deletes hours that nobody looks at any more, a thousand rows at a time; how many rows. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/CaptureStats") {
  static readonly layer = Layer.effect(
    CaptureStats,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tallies = makeTallies()

      const write = (rows: ReadonlyArray<Tally>) => sql`
        INSERT INTO capture_stats AS kept (hour, environment, platform, ending, adverts, latency_ms, captures)
        SELECT date_trunc('hour', clock_timestamp()), fresh.* FROM unnest(
          ${rows.map(({ environment }) => environment)}::text[], ${rows.map(({ platform }) => platform)}::text[],
          ${rows.map(({ ending }) => ending)}::text[], ${rows.map(({ adverts }) => adverts)}::text[],
          ${rows.map(({ latency }) => latency)}::integer[], ${rows.map(({ count }) => count)}::bigint[]
        ) AS fresh (environment, platform, ending, adverts, latency_ms, captures)
        ORDER BY environment, platform, ending, adverts, latency_ms
        ON CONFLICT (hour, environment, platform, ending, adverts, latency_ms) DO UPDATE
          SET captures = kept.captures + excluded.captures`

      // Uninterruptible: a flush that was cut off could not say whether its counts were written.
      const flush = Effect.suspend(() => {
        const rows = tallies.take()
        if (rows.length === 0) return Effect.void
        return write(rows).pipe(
          Effect.catch((error) => {
            rows.forEach(tallies.add)
            return Effect.logWarning("Capture counts were not written; they are tried again", error)
          })
        )
      }).pipe(Effect.uninterruptible)
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
