import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import type { AccountId } from "@sightline/domain/Account"
import { Action, type ActionName } from "@sightline/domain/Action"
import { actionColumns, Count } from "./Columns.ts"
import { type Page, pageOf, type PageRequest, topSequence } from "./Page.ts"
import { Principal } from "./Principal.ts"

/** An action as a row of the table. */
const ActionRow = Schema.Struct({ ...Action.fields, sequence: Count })

/** The details of an action, besides its time, principal and subject. Never a secret. */
export type Facts = Readonly<Record<string, Schema.Json>>

/** The principal and the facts of an action, as the database functions that record it take them. */
export const recording = (facts: Facts) =>
  Effect.map(Principal, ({ kind, keyId, requestId }) => ({ kind, keyId, requestId, facts: JSON.stringify(facts) }))

/**
 * SQL that records an action. It is the last item of the RETURNING of the statement that acts. Each changed row is therefore one
 * action, and both are committed or neither.
 *
 * Shape: `of` names the columns of the account and of the subject.
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
 * The record of actions and who ordered them: append-only, one hash chain for all accounts, kept for good.
 *
 * Laws: an action and its row are committed together or not at all. An action that was refused or changed nothing has no row.
 */
export class Actions extends Context.Service<
  Actions,
  {
    /** Newest first, of all accounts or of one. */
    readonly page: (
      request: PageRequest<number> & { readonly accountId?: AccountId }
    ) => Effect.Effect<Page<Action, number>>
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
        page: Effect.fn("Actions.page")(function* ({ accountId = null, after = topSequence, limit }) {
          const found = yield* before({ accountId, sequence: after, limit: limit + 1 })
          return pageOf(found, limit, ({ sequence }) => sequence)
        }, Effect.orDie)
      })
    })
  )
}
