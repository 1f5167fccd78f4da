import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Platform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { siteNumber } from "./AnswerDigest.ts"
import { CheckResult } from "./Checks.ts"
import { Count, isoTime } from "./Columns.ts"

/** A brand in the answers to a question, for a wallet: what is followed. */
interface Followed {
  readonly wallet: Wallet
  readonly brand: string
  readonly query: string
}

/** Which of its checks to add up: from `start` up to, but not at, `end`. */
export interface VisibilityWindow extends Followed {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const pairsMax = 500
const sitesMax = 20

/** Among how many of the last checks steps are looked for, and how many of those are looked at. */
const steppedMax = 1000
const candidatesMax = 60

const Pair = Schema.Struct({ brand: Schema.String, query: Schema.String, checks: Count, lastCheckedAt: Schema.String })
const Name = Schema.Struct({ brand: Schema.String, query: Schema.String })
const AnswerCount = Schema.Struct({
  bucket: Schema.String,
  platform: Platform,
  answers: Count,
  mentions: Count,
  ranked: Count,
  rankSum: Count
})
const Named = Schema.Struct({ name: Schema.String, answers: Count })
const Cited = Schema.Struct({ site: Schema.String, answers: Count })
const SitePages = Schema.Struct({ site: Schema.Int, pages: Count })

/** Two checks of which the later is the next of its kind, and differs in what was seen. */
const Step = Schema.Struct({
  id: Schema.String,
  previousId: Schema.String,
  createdAt: Schema.String,
  result: CheckResult,
  previousResult: CheckResult
})
export type Step = typeof Step.Type

/** A site that answers cite: how many, and how many of its pages. */
export interface CitedSite {
  readonly site: string
  readonly answers: number
  readonly pages: number
}

const Window = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  brand: Schema.String,
  query: Schema.String,
  startMillis: Schema.Int,
  endMillis: Schema.Int
})

const makeStatements = (sql: SqlClient.SqlClient) => {
  const wanted = ({ accountId, environment, brand, query, startMillis, endMillis }: typeof Window.Type) => sql`
    account_id = ${accountId} AND environment = ${environment} AND brand = ${brand} AND query = ${query}
    AND created_at >= to_timestamp(${startMillis}::float8 / 1000) AND created_at < to_timestamp(${endMillis}::float8 / 1000)`
  return {
    pairs: SqlSchema.findAll({
      Request: Schema.Struct({ accountId: Schema.String, environment: Schema.String }),
      Result: Pair,
      execute: ({ accountId, environment }) => sql`
        SELECT brand, query, checks, ${sql.literal(isoTime("last"))} AS last_checked_at FROM (
          SELECT brand, query, count(*) AS checks, max(created_at) AS last FROM checks
          WHERE account_id = ${accountId} AND environment = ${environment} GROUP BY brand, query
        ) p ORDER BY last DESC, brand, query LIMIT ${pairsMax}`
    }),
    latest: SqlSchema.findOneOption({
      Request: Schema.Struct({ accountId: Schema.String, environment: Schema.String }),
      Result: Name,
      execute: ({ accountId, environment }) => sql`
        SELECT brand, query FROM checks WHERE account_id = ${accountId} AND environment = ${environment}
        ORDER BY created_at DESC, id DESC LIMIT 1`
    }),
    checks: SqlSchema.findOne({
      Request: Window,
      Result: Schema.Struct({ checks: Count }),
      execute: (window) => sql`SELECT count(*) AS checks FROM checks WHERE ${wanted(window)}`
    }),
    // Arrays are opened in the lists of columns: as tables beside each check they would cost twice the time.
    answers: SqlSchema.findAll({
      Request: Schema.Struct({ ...Window.fields, granularity: Schema.String }),
      Result: AnswerCount,
      execute: ({ granularity, ...window }) => sql`
        SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS bucket, platform, answers, mentions, ranked,
          coalesce(rank_sum, 0) AS rank_sum
        FROM (
          SELECT moment, platform, count(*) AS answers, count(*) FILTER (WHERE mentioned) AS mentions, count(rank) AS ranked,
            sum(rank) AS rank_sum
          FROM (
            SELECT date_trunc(${granularity}, created_at, 'UTC') AS moment, unnest(platforms) AS platform,
              unnest(mentioned) AS mentioned, unnest(ranks) AS rank
            FROM checks WHERE ${wanted(window)}
          ) seen WHERE mentioned IS NOT NULL GROUP BY 1, 2
        ) counted`
    }),
    // The brand without a name stands for the followed one: it is in the answers that mention it.
    brands: SqlSchema.findAll({
      Request: Window,
      Result: Named,
      execute: (window) => sql`
        SELECT brand AS name, count(*) AS answers FROM (
          SELECT unnest(CASE WHEN mentioned THEN array_prepend('', brands) ELSE brands END) AS brand
          FROM (
            SELECT unnest(texts) AS hash, unnest(mentioned) AS mentioned FROM checks WHERE ${wanted(window)}
          ) seen JOIN answer_texts t ON t.hash = seen.hash
        ) named GROUP BY brand`
    }),
    sites: SqlSchema.findAll({
      Request: Window,
      Result: Cited,
      execute: (window) => sql`
        SELECT site, count(*) AS answers FROM (SELECT unnest(sites) AS site FROM checks WHERE ${wanted(window)}) cited
        GROUP BY site ORDER BY 2 DESC, 1 LIMIT ${sitesMax}`
    }),
    pages: SqlSchema.findAll({
      Request: Window,
      Result: SitePages,
      execute: (window) => sql`
        SELECT (page >> 32)::integer AS site, count(*) AS pages FROM (
          SELECT DISTINCT page FROM (SELECT unnest(pages) AS page FROM checks WHERE ${wanted(window)}) cited
        ) pages WHERE page <> 0 GROUP BY 1`
    }),
    steps: SqlSchema.findAll({
      Request: Window,
      Result: Step,
      execute: (window) => sql`
        SELECT s.id, s.previous_id, ${sql.literal(isoTime("s.created_at"))} AS created_at, c.result, p.result AS previous_result
        FROM (
          SELECT id, created_at, lag(id) OVER kind AS previous_id, platforms IS DISTINCT FROM lag(platforms) OVER kind
            OR mentioned IS DISTINCT FROM lag(mentioned) OVER kind OR ranks IS DISTINCT FROM lag(ranks) OVER kind
            OR pages IS DISTINCT FROM lag(pages) OVER kind AS differs
          FROM (
            SELECT id, created_at, mode, region, platforms, mentioned, ranks, pages FROM checks
            WHERE ${wanted(window)} AND platforms <> '{}' ORDER BY created_at DESC, id DESC LIMIT ${steppedMax}
          ) latest WINDOW kind AS (PARTITION BY mode, region ORDER BY created_at, id)
        ) s JOIN checks c ON c.id = s.id JOIN checks p ON p.id = s.previous_id
        WHERE s.differs ORDER BY s.created_at DESC, s.id DESC LIMIT ${candidatesMax}`
    })
  }
}

const windowOf = ({ wallet, brand, query, start, end }: VisibilityWindow): typeof Window.Type => ({
  ...wallet,
  brand,
  query,
  startMillis: DateTime.toEpochMillis(start),
  endMillis: DateTime.toEpochMillis(end)
})

/**
 * What the checks of a wallet add up to, counted from their records.
 *
 * Laws: a platform that failed and a surface that showed nothing gave no answer. Brands are counted over the answers whose text
 * is still kept, all else over every check of the window. A step is from one check to the next of the same mode and region
 * within the window, among those that any platform answered.
 */
export class Visibility extends Context.Service<
  Visibility,
  {
    /** What is followed, the one checked last first, up to 500. */
    readonly pairs: (wallet: Wallet) => Effect.Effect<ReadonlyArray<typeof Pair.Type>>
    /** What was checked last. */
    readonly latest: (wallet: Wallet) => Effect.Effect<Option.Option<typeof Name.Type>>
    readonly checks: (window: VisibilityWindow) => Effect.Effect<number>
    /** Answers by platform and by the hour or day. */
    readonly answers: (
      window: VisibilityWindow,
      granularity: "day" | "hour"
    ) => Effect.Effect<ReadonlyArray<typeof AnswerCount.Type>>
    /** How many answers name the followed brand, and each brand as they spell it. */
    readonly brands: (window: VisibilityWindow) => Effect.Effect<{
      readonly own: number
      readonly named: ReadonlyArray<{ readonly name: string; readonly answers: number }>
    }>
    /** The sites that most answers cite, up to 20. */
    readonly sites: (window: VisibilityWindow) => Effect.Effect<ReadonlyArray<CitedSite>>
    /** The last steps between checks that did not see the same, newest first, up to 60. */
    readonly steps: (window: VisibilityWindow) => Effect.Effect<ReadonlyArray<Step>>
  }
>()("@sightline/store/Visibility") {
  static readonly layer = Layer.effect(
    Visibility,
    Effect.gen(function* () {
      const statements = makeStatements(yield* SqlClient.SqlClient)
      return Visibility.of({
        pairs: (wallet) => Effect.orDie(statements.pairs(wallet)),
        latest: (wallet) => Effect.orDie(statements.latest(wallet)),
        checks: (window) => Effect.orDie(Effect.map(statements.checks(windowOf(window)), ({ checks }) => checks)),
        answers: (window, granularity) => Effect.orDie(statements.answers({ ...windowOf(window), granularity })),
        brands: Effect.fn("Visibility.brands")(function* (window) {
          const rows = yield* statements.brands(windowOf(window))
          const [own] = rows.filter(({ name }) => name === "")
          return { own: own?.answers ?? 0, named: rows.filter(({ name }) => name !== "") }
        }, Effect.orDie),
        sites: Effect.fn("Visibility.sites")(function* (window) {
          const asked = windowOf(window)
          const cited = yield* statements.sites(asked)
          const pages = new Map((yield* statements.pages(asked)).map((of) => [of.site, of.pages]))
          return cited.map(({ site, answers }) => ({ site, answers, pages: pages.get(siteNumber(site)) ?? 0 }))
        }, Effect.orDie),
        steps: (window) => Effect.orDie(statements.steps(windowOf(window)))
      })
    })
  )
}
