import { Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import { Platform } from "@sightline/domain/Platform"
import { CheckResult } from "./Checks.ts"
import { Count, isoTime } from "./Columns.ts"
import { isOwnedBy } from "./Ownership.ts"

const pairsMax = 500
const sitesMax = 20

/** In how many of the last checks brands are counted: they have many texts, and more would change the shares by less than 1 %. */
const voicedMax = 2500

/** How many names of a platform are counted separately: only 20 brands are shown, and names in hardly any answer do not affect them. */
const namesMax = 200

/** In how many of the last checks steps are searched. */
const steppedMax = 1000

/** A brand and a query that are followed: how often they were checked, and when last. */
export const Pair = Schema.Struct({
  brand: Schema.String,
  query: Schema.String,
  checks: Count,
  lastCheckedAt: Schema.String
})

/** A brand and a question. */
export const Name = Schema.Struct({ brand: Schema.String, query: Schema.String })

/** Answers of a platform in a period, as `domain/Shares` adds them up. */
export const AnswerCount = Schema.Struct({
  bucket: Schema.String,
  platform: Platform,
  answers: Count,
  mentions: Count,
  ranked: Count,
  rankSum: Count
})
/**
 * How many answers of a platform name a brand, in the answers' spelling. The followed brand is "". Null is for all names that are not
 * counted separately.
 */
export const Named = Schema.Struct({ platform: Platform, name: Schema.NullOr(Schema.String), answers: Count })
const Cited = Schema.Struct({ site: Schema.String, answers: Count })
const SitePages = Schema.Struct({ site: Schema.Int, pages: Count })

/** Two consecutive checks of the same mode and region that saw different results. */
export const Step = Schema.Struct({
  id: Schema.String,
  previousId: Schema.String,
  createdAt: Schema.String,
  result: CheckResult,
  previousResult: CheckResult
})
export type Step = typeof Step.Type

/** The selection of checks, as statements take it. */
export const Window = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  brand: Schema.String,
  query: Schema.String,
  startMillis: Schema.Int,
  endMillis: Schema.Int
})

const wanted = (
  sql: SqlClient.SqlClient,
  { brand, query, startMillis, endMillis, ...wallet }: typeof Window.Type
) => sql`
    ${isOwnedBy(sql, wallet)} AND brand = ${brand} AND query = ${query}
    AND created_at >= to_timestamp(${startMillis}::float8 / 1000) AND created_at < to_timestamp(${endMillis}::float8 / 1000)`

/**
 * The results of a window, each once for each `moment`, and how many `checks` had it. Most checks have the result of an earlier one.
 *
 * Shape: `r` is the result. A record that is older than the table of results has its findings itself, as `c`.
 */
const seenIn = (
  sql: SqlClient.SqlClient,
  window: typeof Window.Type,
  moment: Statement.Fragment = sql`NULL::timestamp`
) => sql`
    (SELECT ${moment} AS moment, result_id, CASE WHEN result_id IS NULL THEN id END AS record_id, count(*) AS checks
      FROM check_records WHERE ${wanted(sql, window)} GROUP BY 1, 2, 3) k
    LEFT JOIN check_results r ON r.id = k.result_id LEFT JOIN check_records c ON c.id = k.record_id`

// Read from the records alone: through the view, Postgres reads every row, even if an index has everything that is needed.
const following = (sql: SqlClient.SqlClient) => ({
  pairs: SqlSchema.findAll({
    Request: Schema.Struct({ accountId: Schema.String, environment: Schema.String }),
    Result: Pair,
    execute: (wallet) => sql`
        SELECT brand, query, checks, ${sql.literal(isoTime("last"))} AS last_checked_at FROM (
          SELECT brand, query, count(*) AS checks, max(created_at) AS last FROM check_records
          WHERE ${isOwnedBy(sql, wallet)} GROUP BY brand, query
        ) p ORDER BY last DESC, brand, query LIMIT ${pairsMax}`
  }),
  latest: SqlSchema.findOneOption({
    Request: Schema.Struct({ accountId: Schema.String, environment: Schema.String }),
    Result: Name,
    execute: (wallet) => sql`
        SELECT brand, query FROM check_records WHERE ${isOwnedBy(sql, wallet)}
        ORDER BY created_at DESC, id DESC LIMIT 1`
  }),
  checks: SqlSchema.findOne({
    Request: Window,
    Result: Schema.Struct({ checks: Count }),
    execute: (window) => sql`SELECT count(*) AS checks FROM check_records WHERE ${wanted(sql, window)}`
  })
})

const counting = (sql: SqlClient.SqlClient) => ({
  // Arrays are unnested in the select list: as tables joined to each check they would take twice the time.
  answers: SqlSchema.findAll({
    Request: Schema.Struct({ ...Window.fields, granularity: Schema.String }),
    Result: AnswerCount,
    execute: ({ granularity, ...window }) => sql`
        SELECT to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS bucket, platform, answers, mentions, ranked, rank_sum FROM (
          SELECT moment, platform, sum(checks)::bigint AS answers, coalesce(sum(checks) FILTER (WHERE mentioned), 0)::bigint AS mentions,
            coalesce(sum(checks) FILTER (WHERE rank IS NOT NULL), 0)::bigint AS ranked, coalesce(sum(rank * checks), 0)::bigint AS rank_sum
          FROM (
            SELECT moment, checks, unnest(coalesce(r.platforms, c.platforms)) AS platform,
              unnest(coalesce(r.mentioned, c.mentioned)) AS mentioned, unnest(coalesce(r.ranks, c.ranks)) AS rank
            FROM ${seenIn(sql, window, sql`date_trunc(${granularity}, created_at AT TIME ZONE 'UTC')`)}
          ) seen WHERE mentioned IS NOT NULL GROUP BY 1, 2
        ) counted`
  }),
  // The empty name stands for the followed brand, in the answers that mention it. Each text is read once, however many answers have it.
  brands: SqlSchema.findAll({
    Request: Window,
    Result: Named,
    execute: (window) => sql`
        SELECT platform, CASE WHEN place <= ${namesMax} THEN brand END AS name, sum(answers)::bigint AS answers FROM (
          SELECT platform, brand, sum(answers) AS answers,
            row_number() OVER (PARTITION BY platform ORDER BY brand = '' DESC, sum(answers) DESC, brand) AS place
          FROM (SELECT platform, answers, unnest(CASE WHEN mentioned THEN array_prepend('', brands) ELSE brands END) AS brand
          FROM (
            SELECT platform, hash, mentioned, count(*) AS answers FROM (
              SELECT unnest(platforms) AS platform, unnest(texts) AS hash, unnest(mentioned) AS mentioned FROM (
                SELECT platforms, texts, mentioned FROM checks WHERE ${wanted(sql, window)} ORDER BY created_at DESC, id DESC LIMIT ${voicedMax}
              ) latest
            ) each GROUP BY platform, hash, mentioned
          ) seen JOIN answer_texts t ON t.hash = seen.hash) named GROUP BY platform, brand
        ) told GROUP BY 1, 2`
  }),
  sites: SqlSchema.findAll({
    Request: Window,
    Result: Cited,
    execute: (window) => sql`
        SELECT site, sum(checks)::bigint AS answers FROM (
          SELECT unnest(coalesce(r.sites, c.sites)) AS site, checks FROM ${seenIn(sql, window)}
        ) cited GROUP BY site ORDER BY 2 DESC, 1 LIMIT ${sitesMax}`
  }),
  pages: SqlSchema.findAll({
    Request: Window,
    Result: SitePages,
    execute: (window) => sql`
        SELECT (page >> 32)::integer AS site, count(*) AS pages FROM (
          SELECT DISTINCT page FROM (SELECT unnest(coalesce(r.pages, c.pages)) AS page FROM ${seenIn(sql, window)}) cited
        ) pages WHERE page <> 0 GROUP BY 1`
  })
})

const comparing = (sql: SqlClient.SqlClient) => ({
  steps: SqlSchema.findAll({
    Request: Schema.Struct({ ...Window.fields, at: Schema.String, id: Schema.String, limit: Schema.Int }),
    Result: Step,
    execute: ({ at, id, limit, ...window }) => sql`
        SELECT s.id, s.previous_id, ${sql.literal(isoTime("s.created_at"))} AS created_at, c.result, p.result AS previous_result
        FROM (
          SELECT id, created_at, previous_id FROM (
            SELECT id, created_at, lag(id) OVER kind AS previous_id, platforms IS DISTINCT FROM lag(platforms) OVER kind
              OR mentioned IS DISTINCT FROM lag(mentioned) OVER kind OR ranks IS DISTINCT FROM lag(ranks) OVER kind
              OR pages IS DISTINCT FROM lag(pages) OVER kind AS differs
            FROM (
              SELECT id, created_at, mode, region, platforms, mentioned, ranks, pages FROM checks
              WHERE ${wanted(sql, window)} AND array_remove(mentioned, NULL) <> '{}' ORDER BY created_at DESC, id DESC LIMIT ${steppedMax}
            ) latest WINDOW kind AS (PARTITION BY mode, region ORDER BY created_at, id)
          ) compared
          WHERE differs AND previous_id IS NOT NULL AND (created_at, id) < (${at}::timestamptz, ${id}::uuid)
          ORDER BY created_at DESC, id DESC LIMIT ${limit}
        ) s JOIN checks c ON c.id = s.id JOIN checks p ON p.id = s.previous_id
        ORDER BY s.created_at DESC, s.id DESC`
  })
})

/** The statements of `Visibility`. */
export const makeStatements = (sql: SqlClient.SqlClient) => ({ ...following(sql), ...counting(sql), ...comparing(sql) })
