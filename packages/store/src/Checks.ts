import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { Environment } from "@sightline/domain/Platform"

/** What is kept of a finished check: what was asked, and the answer as the customer got it. */
export interface CheckRecord {
  readonly id: string
  readonly query: string
  readonly brand: string
  readonly request: unknown
  readonly result: unknown
  readonly durationMs: number
}

/** A kept check with the charge that paid for it. */
export const StoredCheck = Schema.Struct({
  id: Schema.String,
  chargeId: Schema.String,
  accountId: AccountId,
  environment: Environment,
  mode: Schema.String,
  query: Schema.String,
  brand: Schema.String,
  request: Schema.Json,
  result: Schema.Json,
  createdAt: Schema.Date,
  durationMs: Schema.Int
})
export type StoredCheck = typeof StoredCheck.Type

/** Finished checks, one row each; written together with the money by `Charges`. */
export class Checks extends Context.Service<
  Checks,
  {
    /** The check of that id, whoever it belongs to. */
    readonly find: (id: string) => Effect.Effect<Option.Option<StoredCheck>>
  }
>()("@sightline/store/Checks") {
  static readonly layer = Layer.effect(
    Checks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const find = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: StoredCheck,
        execute: (id) => sql`SELECT * FROM checks WHERE id = ${id}`
      })
      return Checks.of({ find: (id) => Effect.orDie(find(id)) })
    })
  )
}
