import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Counted } from "@sightline/domain/Usage"
import type { Wallet } from "@sightline/domain/Wallet"
import { Amount, Count } from "./Columns.ts"
import { isOwnedBy } from "./Ownership.ts"

/** The unit of time by which calls are counted. */
type Granularity = "total" | "day" | "hour"

/** Which calls to count: those that ended from `start` up to, but not at, `end`. */
export interface UsageWindow {
  readonly wallet: Wallet
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
  readonly granularity: Granularity
  readonly endpoint?: string
  readonly mode?: string
}

const sums = { calls: Count, cost: Amount }
const InBucket = Schema.Struct({ bucket: Schema.NullOr(Schema.String), endpoint: Schema.Null, ...sums })
const OfKind = Schema.Struct({ endpoint: Schema.String, mode: Schema.String, ...sums })

/**
 * The calls of a wallet and their costs, counted from the charges themselves.
 *
 * Laws: a call counts if it was answered, at the time of its ledger entry. Over any window the costs therefore add up to the wallet's
 * captured and charged entries. A hold that was voided without an answer is no call.
 * Source: decisions U1.
 */
export class Usage extends Context.Service<Usage, { readonly of: (window: UsageWindow) => Effect.Effect<Counted> }>()(
  "@sightline/store/Usage"
) {
  static readonly layer = Layer.effect(
    Usage,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const count = SqlSchema.findAll({
        Request: Schema.Struct({
          accountId: Schema.String,
          environment: Schema.String,
          startMillis: Schema.Int,
          endMillis: Schema.Int,
          granularity: Schema.String,
          endpoint: Schema.NullOr(Schema.String),
          mode: Schema.NullOr(Schema.String)
        }),
        Result: Schema.Union([InBucket, OfKind]),
        // Counted by time and by kind, but not by both at once: a year by the hour would have several rows for each hour, and reading them
        // would block the process. Times are formatted after counting, once per group: formatting them for each call would take most of
        // the time, and sorting would use the texts.
        execute: ({ startMillis, endMillis, granularity, endpoint, mode, ...wallet }) => sql`
          SELECT to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS bucket, endpoint, mode, calls, cost FROM (
            SELECT CASE ${granularity}::text WHEN 'total' THEN NULL
                ELSE date_trunc(${granularity}, finished_at AT TIME ZONE 'UTC') END AS moment,
              endpoint, mode, count(*) AS calls, sum(amount)::bigint AS cost
            FROM charges
            WHERE ${isOwnedBy(sql, wallet)} AND outcomes IS NOT NULL
              AND finished_at >= to_timestamp(${startMillis}::float8 / 1000) AND finished_at < to_timestamp(${endMillis}::float8 / 1000)
              AND (${endpoint}::text IS NULL OR endpoint = ${endpoint}) AND (${mode}::text IS NULL OR mode = ${mode})
            GROUP BY GROUPING SETS ((1), (2, 3))
          ) counted ORDER BY 1, 2, 3`
      })
      return Usage.of({
        of: ({ wallet, start, end, granularity, endpoint = null, mode = null }) =>
          count({
            ...wallet,
            // A number, because Postgres cannot read ISO 8601 years of more than four digits, nor the year 0.
            startMillis: DateTime.toEpochMillis(start),
            endMillis: DateTime.toEpochMillis(end),
            granularity,
            endpoint,
            mode
          }).pipe(
            Effect.map((rows): Counted => {
              const kinds = rows.filter((row) => row.endpoint !== null)
              return { kinds, series: rows.filter((row) => row.endpoint === null) }
            }),
            Effect.orDie
          )
      })
    })
  )
}
