import { Effect, Option, Schema } from "effect"
import { type SqlClient, SqlError, SqlSchema } from "effect/sql"
import { Amount } from "./Columns.ts"
import type { Movement, Posted } from "./Movements.ts"

/** A movement that the ledger remembers by its charge and memo. */
export type IdempotentMovement = Extract<Movement, { readonly charge_id: string; readonly memo: string }>

/** Whether the outcome is unknown: the connection ended before the database's response. */
export const isResponseLost = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "ConnectionError"

/**
 * Posts a movement, and posts it once more if the database's response is lost.
 *
 * Laws: it takes effect once, because a charge is opened once and ended once. If the second post is rejected, the first may have
 * succeeded, and the ledger shows it: a statement in progress held the wallet's lock, so the second post waited for it.
 * Errors: those of `posting`. If the second response is lost too, the outcome is unknown.
 */
export const makePostOnce = (sql: SqlClient.SqlClient) => {
  // The entries of a charge follow the one that opened it.
  const find = SqlSchema.findOneOption({
    Request: Schema.Struct({ charge_id: Schema.String, memo: Schema.String }),
    Result: Schema.Struct({ balance: Amount }),
    execute: ({ charge_id, memo }) => sql`
      SELECT e.available_after AS balance FROM charges c
      JOIN ledger_entries e ON e.account_id = c.account_id AND e.environment = c.environment AND e.sequence >= c.sequence
      WHERE c.id = ${charge_id} AND e.charge_id = c.id AND e.memo = ${memo}
      ORDER BY e.sequence DESC LIMIT 1`
  })
  const unlessPosted = <E>(movement: IdempotentMovement, denied: Effect.Effect<Posted, E>): Effect.Effect<Posted, E> =>
    Effect.flatMap(
      Effect.orDie(find(movement)),
      Option.match({
        onNone: () => denied,
        onSome: ({ balance }) => Effect.succeed({ verdict: "done", balance })
      })
    )
  const retry = <E>(movement: IdempotentMovement, posting: Effect.Effect<Posted, E>): Effect.Effect<Posted, E> =>
    Effect.matchEffect(posting, {
      onFailure: (error) => (isResponseLost(error) ? Effect.fail(error) : unlessPosted(movement, Effect.fail(error))),
      onSuccess: (posted) =>
        posted.verdict === "done" ? Effect.succeed(posted) : unlessPosted(movement, Effect.succeed(posted))
    })
  return <E>(movement: IdempotentMovement, posting: Effect.Effect<Posted, E>): Effect.Effect<Posted, E> =>
    Effect.catchIf(posting, isResponseLost, () => retry(movement, posting))
}
