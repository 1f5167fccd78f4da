import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { type Credits, toCents, zero } from "@sightline/domain/Credits"
import type { Balance } from "@sightline/domain/Ledger"
import { ReferenceTaken, Wallet, WalletFull } from "@sightline/domain/Wallet"
import { recording } from "./Actions.ts"
import { Amount } from "./Columns.ts"
import { type Movement, Verdict } from "./Movements.ts"
import { isOwnedBy } from "./Ownership.ts"

/** Prepaid wallets, one row per account and environment, created by the first top-up. A wallet without a row is empty. */
export class Wallets extends Context.Service<
  Wallets,
  {
    /** Adds money, within the wallet's limit. The same `reference` on the same wallet adds once, and stands for one amount. */
    readonly topUp: (topUp: {
      readonly wallet: Wallet
      readonly amount: Credits
      readonly reference?: string
    }) => Effect.Effect<{ readonly available: Credits }, WalletFull | ReferenceTaken>
    /** The current balance of the wallet. */
    readonly balanceOf: (wallet: Wallet) => Effect.Effect<Balance>
  }
>()("@sightline/store/Wallets") {
  static readonly layer = Layer.effect(
    Wallets,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const post = SqlSchema.findOne({
        Request: Schema.Struct({
          movement: Schema.String,
          kind: Schema.String,
          keyId: Schema.NullOr(Schema.String),
          requestId: Schema.NullOr(Schema.String),
          facts: Schema.String
        }),
        Result: Schema.Struct({ verdict: Verdict, balance: Amount }),
        execute: ({ movement, kind, keyId, requestId, facts }) => sql`
          SELECT verdict, balance
          FROM top_up(${movement}::json, ${kind}, ${keyId}::uuid, ${requestId}::text, ${facts}::json)`
      })
      const find = SqlSchema.findOneOption({
        Request: Wallet,
        Result: Schema.Struct({ available: Amount, held: Amount }),
        execute: (wallet) => sql`SELECT available, held FROM wallets WHERE ${isOwnedBy(sql, wallet)}`
      })

      return Wallets.of({
        topUp: Effect.fn("Wallets.topUp")(function* ({ wallet, amount, reference }) {
          const { accountId, environment } = wallet
          const movement: Movement = {
            kind: "topup",
            account_id: accountId,
            environment,
            amount,
            memo: reference ?? null
          }
          const topUpFacts = {
            environment,
            credits: toCents(amount),
            ...(reference === undefined ? {} : { reference })
          }
          const { balance, verdict } = yield* Effect.orDie(
            post({ movement: JSON.stringify(movement), ...(yield* recording(topUpFacts)) })
          )
          if (verdict === "done") return { available: balance }
          return yield* verdict === "taken" ? new ReferenceTaken() : new WalletFull()
        }),
        balanceOf: (wallet) =>
          find(wallet).pipe(Effect.map(Option.getOrElse(() => ({ available: zero, held: zero }))), Effect.orDie)
      })
    })
  )
}
