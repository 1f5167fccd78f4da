import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Mode } from "@sightline/domain/Mode"
import { Platform } from "@sightline/domain/Platform"
import { Region } from "@sightline/domain/Region"
import type { Wallet } from "@sightline/domain/Wallet"
import { CheckResult } from "./Checks.ts"
import { Amount, isoTime } from "./Columns.ts"
import { type Page, pageOf, type PageRequest, top } from "./Page.ts"

const common = {
  id: Schema.String,
  chargeId: Schema.String,
  watchId: Schema.NullOr(Schema.String),
  brand: Schema.String,
  query: Schema.String,
  mode: Mode,
  region: Region,
  createdAt: Schema.String,
  durationMs: Schema.Int,
  cost: Schema.NullOr(Amount)
}

/**
 * A check in a list. `mentioned` and `ranks` go by the position in `platforms`: whether the platform named the brand (null: it showed
 * no answer), and at which rank.
 */
const CheckSummary = Schema.Struct({
  ...common,
  platforms: Schema.Array(Platform),
  mentioned: Schema.Array(Schema.NullOr(Schema.Boolean)),
  ranks: Schema.Array(Schema.NullOr(Schema.Int)),
  failures: CheckResult.fields.failures
})
export type CheckSummary = typeof CheckSummary.Type

const KeptText = Schema.Struct({ text: Schema.String, brands: Schema.Array(Schema.String) })

/** A check with all its parts. `texts` go by the position of its sightings; null if a text is no longer kept. */
const CheckDetail = Schema.Struct({
  ...common,
  city: Schema.NullOr(Schema.String),
  result: CheckResult,
  texts: Schema.Array(Schema.NullOr(KeptText))
})
export type CheckDetail = typeof CheckDetail.Type

/** A check that another one is compared with. */
const Compared = Schema.Struct({ id: Schema.String, result: CheckResult })

/** Which checks to show: `start` is included and `end` is not. Units: microseconds since 1970. */
export interface CheckFilter {
  readonly brand?: string
  readonly query?: string
  readonly mode?: Mode
  readonly watchId?: string
  readonly start?: number
  readonly end?: number
}

const columns = `c.id, c.charge_id, r.watch_id, c.brand, c.query, c.mode, c.region, ${isoTime("c.created_at")} AS created_at,
  c.duration_ms, ch.amount AS cost`

const tables = `checks c JOIN charges ch ON ch.id = c.charge_id LEFT JOIN runs r ON r.charge_id = c.charge_id`

const decode = {
  summaries: Schema.decodeUnknownEffect(Schema.Array(CheckSummary)),
  details: Schema.decodeUnknownEffect(Schema.Array(CheckDetail)),
  compared: Schema.decodeUnknownEffect(Schema.Array(Compared))
}

const makeStatements = (sql: SqlClient.SqlClient) => {
  const own = ({ accountId, environment }: Wallet) =>
    sql`c.account_id = ${accountId} AND c.environment = ${environment}`
  const moment = (micros: number) => sql`(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond')`
  // A watch's runs are checks of its brand and query. The condition on these lets an index find them.
  const ofWatch = (watchId: string) => sql`
    (c.brand, c.query) = (SELECT brand, query FROM watches WHERE id = ${watchId})
    AND EXISTS (SELECT FROM runs WHERE runs.charge_id = c.charge_id AND watch_id = ${watchId})`
  return {
    page: (
      wallet: Wallet,
      { brand, end, mode, query, start, watchId }: CheckFilter,
      place: { readonly at: string; readonly id: string },
      limit: number
    ) => sql`
      SELECT ${sql.literal(columns)}, c.platforms, c.mentioned, c.ranks, c.result->'failures' AS failures
      -- The page is chosen before the joins: a generic plan expects few checks per owner, and would join all of the owner's checks.
      FROM (SELECT c.id AS page_id FROM check_records c WHERE ${sql.and([
        own(wallet),
        // The index is read from this bound on, whatever the last condition says. Therefore `end` is part of the bound, too.
        sql`(c.created_at, c.id) < (least(${place.at}::timestamptz, ${end === undefined ? null : moment(end)}), ${place.id}::uuid)`,
        ...(brand === undefined ? [] : [sql`c.brand = ${brand}`]),
        ...(query === undefined ? [] : [sql`c.query = ${query}`]),
        ...(mode === undefined ? [] : [sql`c.mode = ${mode}`]),
        ...(watchId === undefined ? [] : [ofWatch(watchId)]),
        ...(start === undefined ? [] : [sql`c.created_at >= ${moment(start)}`]),
        ...(end === undefined ? [] : [sql`c.created_at < ${moment(end)}`])
      ])} ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}) page, ${sql.literal(tables)}
      WHERE c.id = page_id ORDER BY c.created_at DESC, c.id DESC`,
    find: (wallet: Wallet, id: string) => sql`
      SELECT ${sql.literal(columns)}, c.request->>'city' AS city, c.result, ARRAY(
        SELECT CASE WHEN t.hash IS NOT NULL THEN json_build_object('text', t.text, 'brands', t.brands) END
        FROM unnest(c.texts) WITH ORDINALITY h (hash, place) LEFT JOIN answer_texts t ON t.hash = h.hash ORDER BY place
      ) AS texts
      FROM ${sql.literal(tables)} WHERE ${own(wallet)} AND c.id = ${id}`,
    previous: (id: string) => sql`
      SELECT p.id, p.result FROM checks c JOIN checks p
        ON p.account_id = c.account_id AND p.environment = c.environment AND p.brand = c.brand AND p.query = c.query
        AND p.mode = c.mode AND p.region = c.region AND p.created_at <= c.created_at
        AND (p.created_at, p.id) < (c.created_at, c.id) AND array_remove(p.mentioned, NULL) <> '{}'
      WHERE c.id = ${id} ORDER BY p.created_at DESC, p.id DESC LIMIT 1`
  }
}

/**
 * The finished checks, as their owner reads them.
 *
 * Laws: an owner sees its own checks, of one environment. The previous check is the latest earlier one of the same brand, query, mode
 * and region with an answer from any platform; a surface that showed no answer does not count.
 */
export class CheckHistory extends Context.Service<
  CheckHistory,
  {
    /** Newest first. */
    readonly page: (wallet: Wallet, filter: CheckFilter, page: PageRequest) => Effect.Effect<Page<CheckSummary>>
    readonly find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<CheckDetail>>
    readonly previous: (id: string) => Effect.Effect<Option.Option<typeof Compared.Type>>
  }
>()("@sightline/store/CheckHistory") {
  static readonly layer = Layer.effect(
    CheckHistory,
    Effect.gen(function* () {
      const statements = makeStatements(yield* SqlClient.SqlClient)
      return CheckHistory.of({
        page: Effect.fn("CheckHistory.page")(function* (wallet, filter, { after = top, limit }) {
          const found = yield* decode.summaries(yield* statements.page(wallet, filter, after, limit + 1))
          return pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
        }, Effect.orDie),
        find: Effect.fn("CheckHistory.find")(function* (wallet, id) {
          return Array.head(yield* decode.details(yield* statements.find(wallet, id)))
        }, Effect.orDie),
        previous: Effect.fn("CheckHistory.previous")(function* (id) {
          return Array.head(yield* decode.compared(yield* statements.previous(id)))
        }, Effect.orDie)
      })
    })
  )
}
