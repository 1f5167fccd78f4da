import { type Array, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Credits } from "@sightline/domain/Credits"
import type { Environment } from "@sightline/domain/Platform"
import type { CheckRecord } from "./Checks.ts"
import { Amount } from "./Columns.ts"
import type { ReplyTemplate } from "./Replies.ts"

/**
 * One thing to do with a wallet's money, as the database function `post_movements` reads it.
 *
 * Shape: a `settle` or `void` names its charge only, the others name their wallet. `memo` goes into the ledger.
 */
export type Movement =
  | {
      readonly kind: "topup"
      readonly account_id: string
      readonly environment: Environment
      readonly amount: Credits
      readonly memo: string | null
    }
  | ({ readonly kind: "hold" } & Opening)
  | ({ readonly kind: "charge" } & Opening & Ending)
  | ({ readonly kind: "settle"; readonly charge_id: string } & Ending)
  | { readonly kind: "void"; readonly charge_id: string; readonly amount: Credits }

interface Opening {
  readonly charge_id: string
  readonly account_id: string
  readonly environment: Environment
  readonly endpoint: string
  readonly mode: string
  readonly platforms: ReadonlyArray<string>
  readonly price: Credits
  readonly memo: string
  readonly claim: string | null
}

interface Ending {
  readonly amount: Credits
  readonly outcomes: Readonly<Record<string, string>>
  readonly cached: boolean
  readonly memo: string
  readonly check: CheckRecord | null
  readonly reply: ReplyTemplate | null
}

/**
 * What became of a movement: done, refused for want of money, or lost because what it was to end is over already.
 * `balance` is what the wallet had available right after it.
 */
export const Posted = Schema.Struct({ verdict: Schema.Literals(["done", "refused", "lost"]), balance: Amount })
export type Posted = typeof Posted.Type

/**
 * Posts a batch of movements in one statement, answered by position.
 *
 * Laws: movements of one wallet happen in the order given; one that is refused or lost changes nothing and stands in no
 * other's way; check, reply and money of one movement are written together or not at all.
 */
export const post = (sql: SqlClient.SqlClient) => {
  const run = SqlSchema.findNonEmpty({
    Request: Schema.String,
    Result: Posted,
    execute: (batch) => sql`SELECT verdict, balance FROM post_movements(${batch}::json)`
  })
  return (movements: Array.NonEmptyReadonlyArray<Movement>) => run(JSON.stringify(movements))
}
