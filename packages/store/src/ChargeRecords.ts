import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { zero } from "@sightline/domain/Credits"
import { ChargeState } from "@sightline/domain/Ledger"
import { Order } from "@sightline/domain/PriceList"
import { Outcomes } from "@sightline/domain/Proration"
import type { Wallet } from "@sightline/domain/Wallet"
import { Amount, Count, isoTime } from "./Columns.ts"
import { BelowSequence, type Page, pageOf, type PageRequest, topSequence } from "./Page.ts"
import { OwnedId } from "./Ownership.ts"

const Row = Schema.Struct({
  id: Schema.String,
  endpoint: Schema.String,
  mode: Schema.String,
  platforms: Schema.Array(Schema.String),
  state: ChargeState,
  price: Amount,
  amount: Schema.NullOr(Amount),
  outcomes: Schema.NullOr(Outcomes),
  cached: Schema.NullOr(Schema.Boolean),
  sequence: Count,
  createdAt: Schema.String,
  finishedAt: Schema.NullOr(Schema.String)
})

const decodeOrder = Schema.decodeUnknownEffect(Order)

/** The order of a charge and its ending. A hold that was voided without an answer has no outcomes. */
const recordOf = Effect.fnUntraced(function* (row: typeof Row.Type) {
  const { id, state, price, amount, outcomes, cached, createdAt, finishedAt } = row
  const ending =
    finishedAt === null
      ? Option.none()
      : Option.some({ amount: amount ?? zero, outcomes: outcomes ?? {}, cached: cached ?? false, finishedAt })
  return { id, state, price, createdAt, order: yield* decodeOrder(row), ending }
})

/** A charge as its owner sees it. */
export type ChargeRecord = Effect.Success<ReturnType<typeof recordOf>>

const columns = `c.id, c.endpoint, c.mode, c.platforms, c.state, c.price, c.amount, c.outcomes, c.cached, c.sequence,
  ${isoTime("c.created_at")} AS created_at, ${isoTime("c.finished_at")} AS finished_at`

/**
 * The charges of a wallet, as its owner reads them.
 *
 * Laws: an owner sees its own, of one environment; following the pages to the end gives each charge once.
 */
export class ChargeRecords extends Context.Service<
  ChargeRecords,
  {
    /** Newest first. */
    readonly page: (wallet: Wallet, page: PageRequest<number>) => Effect.Effect<Page<ChargeRecord, number>>
    readonly find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<ChargeRecord>>
  }
>()("@sightline/store/ChargeRecords") {
  static readonly layer = Layer.effect(
    ChargeRecords,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const shown = sql.literal(columns)
      // Ordered by the entry that opened each charge: the ledger has that order already, so no write has to maintain an index for it.
      // Joined by the id alone: with two equivalent conditions the planner expects a single row and reads both tables for it.
      const before = SqlSchema.findAll({
        Request: BelowSequence,
        Result: Row,
        execute: ({ accountId, environment, sequence, limit }) => sql`
          SELECT ${shown} FROM ledger_entries e JOIN charges c ON c.id = e.charge_id
          WHERE e.account_id = ${accountId} AND e.environment = ${environment} AND e.sequence < ${sequence}
            AND e.kind IN ('hold', 'charge')
          ORDER BY e.sequence DESC LIMIT ${limit}`
      })
      const one = SqlSchema.findOneOption({
        Request: OwnedId,
        Result: Row,
        execute: ({ accountId, environment, id }) => sql`
          SELECT ${shown} FROM charges c
          WHERE c.account_id = ${accountId} AND c.environment = ${environment} AND c.id = ${id}`
      })

      return ChargeRecords.of({
        page: Effect.fn("ChargeRecords.page")(function* (wallet, { after = topSequence, limit }) {
          const found = yield* before({ ...wallet, sequence: after, limit: limit + 1 })
          const { rows, next } = pageOf(found, limit, ({ sequence }) => sequence)
          return { rows: yield* Effect.forEach(rows, recordOf), next }
        }, Effect.orDie),
        find: Effect.fn("ChargeRecords.find")(function* (wallet, id) {
          const rows = Option.toArray(yield* one({ ...wallet, id }))
          return Array.head(yield* Effect.forEach(rows, recordOf))
        }, Effect.orDie)
      })
    })
  )
}
