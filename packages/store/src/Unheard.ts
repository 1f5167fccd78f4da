import { Effect, Option, Schema } from "effect"
import { type SqlClient, SqlError, SqlSchema } from "effect/sql"
import { Amount } from "./Columns.ts"
import type { Movement, Posted } from "./Movements.ts"

/** A movement that the ledger remembers by its charge and memo. */
export type Remembered = Extract<Movement, { readonly charge_id: string; readonly memo: string }>

/** Whether nobody knows if the database did what it was asked for: the connection ended before its answer. */
export const isUnheard = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "ConnectionError"

/**
 * Posts a movement, and once more where the database's answer is lost.
 *
 * Laws: it is done once, since a charge is opened once and ended once. What is not done the second time may have been done the
 * first time: a statement that was under way had the wallet's lock, so that the second has waited for it and the ledger tells.
 * Errors: those of `posting`. Where the second answer is lost too, nobody knows what was done.
 */
export const makeHeard = (sql: SqlClient.SqlClient) => {
  // What comes of a charge stands behind what opened it.
  const find = SqlSchema.findOneOption({
    Request: Schema.Struct({ charge_id: Schema.String, memo: Schema.String }),
    Result: Schema.Struct({ balance: Amount }),
    execute: ({ charge_id, memo }) => sql`
      SELECT e.available_after AS balance FROM charges c
      JOIN ledger_entries e ON e.account_id = c.account_id AND e.environment = c.environment AND e.sequence >= c.sequence
      WHERE c.id = ${charge_id} AND e.charge_id = c.id AND e.memo = ${memo}
      ORDER BY e.sequence DESC LIMIT 1`
  })
  const unlessDone = <E>(movement: Remembered, denied: Effect.Effect<Posted, E>): Effect.Effect<Posted, E> =>
    Effect.flatMap(
      Effect.orDie(find(movement)),
      Option.match({
        onNone: () => denied,
        onSome: ({ balance }) => Effect.succeed({ verdict: "done", balance })
      })
    )
  const again = <E>(movement: Remembered, posting: Effect.Effect<Posted, E>): Effect.Effect<Posted, E> =>
    Effect.matchEffect(posting, {
      onFailure: (error) => (isUnheard(error) ? Effect.fail(error) : unlessDone(movement, Effect.fail(error))),
      onSuccess: (posted) =>
        posted.verdict === "done" ? Effect.succeed(posted) : unlessDone(movement, Effect.succeed(posted))
    })
  return <E>(movement: Remembered, posting: Effect.Effect<Posted, E>): Effect.Effect<Posted, E> =>
    Effect.catchIf(posting, isUnheard, () => again(movement, posting))
}
