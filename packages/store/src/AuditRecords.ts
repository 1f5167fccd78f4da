import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Action } from "@sightline/domain/Action"
import { FoundCharge } from "@sightline/domain/Audit"
import { actionColumns, entryColumns, Found, isoTime } from "./Columns.ts"
import { isOwnedBy } from "./Ownership.ts"
import { nil } from "./RowId.ts"

/** The key of a wallet, as in the tables. */
const Key = Schema.Struct({ accountId: Schema.String, environment: Schema.String })
export type Key = typeof Key.Type

/** A wallet as it was read, unverified. `head` is hexadecimal. */
const FoundWallet = Schema.Struct({ available: Found, held: Found, entries: Found, head: Schema.String })
export type FoundWallet = typeof FoundWallet.Type

/** The exact sequence number of a row. The next page begins after it. */
const place = Schema.BigInt

/**
 * An entry as it was read, unverified: a column may hold a value that this program never writes. A time that is not finite (`infinity`)
 * is null.
 */
const FoundEntry = Schema.Struct({
  accountId: Schema.String,
  environment: Schema.String,
  place,
  sequence: Found,
  chargeId: Schema.NullOr(Schema.String),
  kind: Schema.String,
  debit: Schema.String,
  credit: Schema.String,
  amount: Found,
  availableAfter: Found,
  heldAfter: Found,
  memo: Schema.NullOr(Schema.String),
  createdAt: Schema.NullOr(Schema.String),
  hash: Schema.String
})
export type FoundEntry = typeof FoundEntry.Type

const ChargeRow = Schema.Struct({
  ...FoundCharge.fields,
  sequence: Found,
  price: Found,
  amount: Schema.NullOr(Found)
})

/** An action as it was read, unverified. */
const FoundAction = Schema.Struct({
  ...Action.fields,
  place,
  sequence: Found,
  createdAt: Schema.NullOr(Schema.String)
})
export type FoundAction = typeof FoundAction.Type

/** The length and the head that the chain of actions states. `head` is hexadecimal. */
const FoundChain = Schema.Struct({ actions: Found, head: Schema.String })
export type FoundChain = typeof FoundChain.Type

/** A charge, and whether the entry that opened it exists and belongs to it. */
const ChargeOpening = Schema.Struct({ id: Schema.String, opened: Schema.Boolean })

/** The statements that read the record of actions. */
const actionStatements = (sql: SqlClient.SqlClient) => ({
  actions: SqlSchema.findAll({
    Request: Schema.Struct({ after: Schema.NullOr(Schema.BigInt), limit: Schema.Int }),
    Result: FoundAction,
    execute: ({ after, limit }) => sql`
      SELECT ${sql.literal(actionColumns)}, sequence AS place FROM actions
      WHERE ${after === null ? sql`true` : sql`sequence > ${after}`} ORDER BY sequence LIMIT ${limit}`
  }),
  actionChain: SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: FoundChain,
    execute: () => sql`SELECT actions, encode(head, 'hex') AS head FROM action_chain`
  })
})

/**
 * The records of money and of actions as an auditor reads them: page by page, without trusting their content.
 *
 * Laws: all reads within one `snapshot` see the same state of the database.
 */
export class AuditRecords extends Context.Service<
  AuditRecords,
  {
    readonly snapshot: <A, R>(read: Effect.Effect<A, never, R>) => Effect.Effect<A, never, R>
    /**
     * The first wallet after `key`, or the first of all, in the order of account and environment. A wallet without a row counts if it
     * has an entry.
     */
    readonly nextWallet: (key: Key | null) => Effect.Effect<Option.Option<Key>>
    readonly wallet: (key: Key) => Effect.Effect<Option.Option<FoundWallet>>
    /** A wallet's entries after a place, or from the first, in their order, at most `limit`. */
    readonly entries: (key: Key, after: bigint | null, limit: number) => Effect.Effect<ReadonlyArray<FoundEntry>>
    readonly charges: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<FoundCharge>>
    /** Charges by id after `id`, or from the first, at most `limit`. */
    readonly chargesAfter: (id: string | null, limit: number) => Effect.Effect<ReadonlyArray<typeof ChargeOpening.Type>>
    /** The actions of all accounts after a place, or from the first, in their order, at most `limit`. */
    readonly actions: (after: bigint | null, limit: number) => Effect.Effect<ReadonlyArray<FoundAction>>
    readonly actionChain: Effect.Effect<Option.Option<FoundChain>>
  }
>()("@sightline/store/AuditRecords") {
  static readonly layer = Layer.effect(
    AuditRecords,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { actions, actionChain } = actionStatements(sql)
      const nextWallet = SqlSchema.findOneOption({
        Request: Key,
        Result: Key,
        execute: ({ accountId, environment }) => sql`
          SELECT account_id, environment FROM (
            (SELECT account_id, environment FROM wallets
              WHERE (account_id, environment) > (${accountId}::uuid, ${environment}) ORDER BY 1, 2 LIMIT 1)
            UNION
            (SELECT account_id, environment FROM ledger_entries
              WHERE (account_id, environment) > (${accountId}::uuid, ${environment}) ORDER BY 1, 2 LIMIT 1)
          ) next ORDER BY 1, 2 LIMIT 1`
      })
      const wallet = SqlSchema.findOneOption({
        Request: Key,
        Result: FoundWallet,
        execute: (key) => sql`
          SELECT available, held, entries, encode(head, 'hex') AS head FROM wallets
          WHERE ${isOwnedBy(sql, key)}`
      })
      const entries = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, after: Schema.NullOr(Schema.BigInt), limit: Schema.Int }),
        Result: FoundEntry,
        execute: ({ after, limit, ...key }) => sql`
          SELECT ${sql.literal(entryColumns)}, sequence AS place FROM ledger_entries
          WHERE ${isOwnedBy(sql, key)}
            AND ${after === null ? sql`true` : sql`sequence > ${after}`}
          ORDER BY sequence LIMIT ${limit}`
      })
      const charges = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: ChargeRow,
        execute: (ids) => sql`
          SELECT id, account_id, environment, sequence, endpoint, mode, platforms, price, state, amount, outcomes, cached,
            CASE WHEN isfinite(created_at) AND isfinite(lease_expires_at)
              THEN (extract(epoch FROM lease_expires_at) - extract(epoch FROM created_at))::double precision
            END AS lease_seconds,
            ${sql.literal(isoTime("created_at"))} AS created_at, ${sql.literal(isoTime("finished_at"))} AS finished_at
          FROM charges WHERE id = ANY(${ids}::uuid[])`
      })
      const chargesAfter = SqlSchema.findAll({
        Request: Schema.Struct({ id: Schema.NullOr(Schema.String), limit: Schema.Int }),
        Result: ChargeOpening,
        execute: ({ id, limit }) => sql`
          SELECT c.id, e.charge_id IS NOT DISTINCT FROM c.id AND e.kind IN ('hold', 'charge') AS opened FROM charges c
          LEFT JOIN ledger_entries e ON e.account_id = c.account_id AND e.environment = c.environment
            AND e.sequence = c.sequence
          WHERE ${id === null ? sql`true` : sql`c.id > ${id}`} ORDER BY c.id LIMIT ${limit}`
      })

      return AuditRecords.of({
        snapshot: (read) =>
          sql
            .withTransaction(read)
            .pipe(
              Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
              Effect.orDie
            ),
        nextWallet: (key) => Effect.orDie(nextWallet(key ?? { accountId: nil, environment: "" })),
        wallet: (key) => Effect.orDie(wallet(key)),
        entries: (key, after, limit) => Effect.orDie(entries({ ...key, after, limit })),
        charges: (ids) => Effect.orDie(charges(ids)),
        chargesAfter: (id, limit) => Effect.orDie(chargesAfter({ id, limit })),
        actions: (after, limit) => Effect.orDie(actions({ after, limit })),
        actionChain: Effect.orDie(actionChain())
      })
    })
  )
}
