import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { Environment, FailureCode, Platform } from "@sightline/domain/Platform"
import type { Region } from "@sightline/domain/Region"

/**
 * What a check saw, platform by platform, as it is added up later.
 *
 * Shape: `mentioned`, `ranks` and `texts` go by the position in `platforms`, which holds those that gave an answer: whether it
 * names the brand, null where the surface showed none; where; and the hash of its text. `sites` and `pages` are those of the
 * answers' digests, one after the other.
 */
export interface Seen {
  readonly region: Region
  readonly platforms: ReadonlyArray<Platform>
  readonly mentioned: ReadonlyArray<boolean | null>
  readonly ranks: ReadonlyArray<number | null>
  readonly texts: ReadonlyArray<string | null>
  readonly sites: ReadonlyArray<string>
  readonly pages: ReadonlyArray<string>
}

/** A check's result as its record has it. */
export const CheckResult = Schema.Struct({
  sightings: Schema.Array(
    Schema.Struct({
      platform: Platform,
      model: Schema.String,
      surfacePresent: Schema.optionalKey(Schema.Literal(false)),
      mentioned: Schema.Boolean,
      rank: Schema.NullOr(Schema.Int),
      context: Schema.String,
      citations: Schema.Array(Schema.Struct({ url: Schema.String, title: Schema.String }))
    })
  ),
  failures: Schema.Array(Schema.Struct({ platform: Platform, code: FailureCode }))
})
export type CheckResult = typeof CheckResult.Type

/** What is kept of a finished check: what was asked, what was seen, and the answer as the customer got it. */
export interface CheckRecord {
  readonly id: string
  readonly query: string
  readonly brand: string
  readonly request: unknown
  readonly result: unknown
  readonly durationMs: number
  readonly seen: Seen
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
