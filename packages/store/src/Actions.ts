import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import type { AccountId } from "@sightline/domain/Account"
import { Action, type ActionName } from "@sightline/domain/Action"
import { actionColumns, Count } from "./Columns.ts"
import { type CursorUnknown, type Page, type PageRequest, pageBySequence, sequenceOf } from "./Cursor.ts"
import { Principal } from "./Principal.ts"

/** An action as the table has it. */
const ActionRow = Schema.Struct({ ...Action.fields, sequence: Count })

/** What is known of an action besides when, by whom and to what. Never a secret. */
export type Facts = Readonly<Record<string, Schema.Json>>

/** Who acts and what of, as the database functions that record take it. */
export const recording = (facts: Facts) =>
  Effect.map(Principal, ({ kind, keyId, requestId }) => ({ kind, keyId, requestId, facts: JSON.stringify(facts) }))

/**
 * SQL that records an action. It stands last in the RETURNING of the statement that acts, so that each row it changed is one
 * action and neither is without the other.
 *
 * Shape: `of` are the columns that have the account and the subject.
 */
export const recorded = (
  sql: SqlClient.SqlClient,
  action: ActionName,
  facts: Facts = {},
  of = "account_id, id::text"
): Effect.Effect<Statement.Fragment> =>
  Effect.map(
    recording(facts),
    ({ kind, keyId, requestId, facts: text }) => sql`
      record_action(${action}, ${kind}, ${keyId}::uuid, ${requestId}::text, ${text}::json, ${sql.literal(of)}) AS recorded`
  )

/**
 * The record of what was done on whose word: append only, one chain of hashes for all accounts, kept for good.
 *
 * Laws: an action and its row are committed together or not at all; what was refused, or changed nothing, has no row.
 */
export class Actions extends Context.Service<
  Actions,
  {
    /** Newest first, of all accounts or of one. */
    readonly page: (
      request: PageRequest & { readonly accountId?: AccountId }
    ) => Effect.Effect<Page<Action>, CursorUnknown>
  }
>()("@sightline/store/Actions") {
  static readonly layer = Layer.effect(
    Actions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = SqlSchema.findAll({
        Request: Schema.Struct({ accountId: Schema.NullOr(Schema.String), sequence: Schema.Int, limit: Schema.Int }),
        Result: ActionRow,
        execute: ({ accountId, sequence, limit }) => sql`
          SELECT ${sql.literal(actionColumns)} FROM actions
          WHERE sequence < ${sequence} ${accountId === null ? sql.literal("") : sql`AND account_id = ${accountId}`}
          ORDER BY sequence DESC LIMIT ${limit}`
      })

      return Actions.of({
        page: Effect.fn("Actions.page")(function* ({ accountId = null, cursor, limit }) {
          const sequence = yield* sequenceOf("actions", cursor)
          return pageBySequence(
            "actions",
            yield* Effect.orDie(before({ accountId, sequence, limit: limit + 1 })),
            limit
          )
        })
      })
    })
  )
}
