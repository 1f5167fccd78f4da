import { Schema } from "effect"

/** The actions that are recorded: those that change who may do what or where results are sent, and those that bring in money. */
export const ActionName = Schema.Literals([
  "account_created",
  "account_detached",
  "key_created",
  "key_revoked",
  "wallet_topped_up",
  "webhook_created",
  "webhook_updated",
  "webhook_deleted",
  "delivery_replayed",
  "session_opened",
  "session_closed"
])
export type ActionName = typeof ActionName.Type

/** Who authorises an action: the operator's token, an API key, a session of that key, or the service itself when it starts. */
export const PrincipalKind = Schema.Literals(["operator", "key", "session", "service"])
export type PrincipalKind = typeof PrincipalKind.Type

/**
 * One row of the record of actions as it was found: any column may contain what the service never wrote.
 *
 * Shape: `sequence` counts all actions of an installation from 1. `facts` is the text of a JSON object. `hash` is hexadecimal. `createdAt`
 * is ISO 8601 in UTC with microseconds.
 * Laws: `hash = sha256(hash of the action before, 32 zero bytes for the first · UTF-8 of actionText)`.
 */
export const Action = Schema.Struct({
  sequence: Schema.Int,
  createdAt: Schema.String,
  action: Schema.String,
  principal: Schema.String,
  keyId: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
  accountId: Schema.String,
  subject: Schema.String,
  facts: Schema.String,
  hash: Schema.String
})
export type Action = typeof Action.Type

/** An action as the text its hash covers. The facts are last, because they alone may hold the separator. */
export const actionText = (action: {
  readonly [Field in keyof Omit<Action, "hash">]: Action[Field] extends number ? number : string | null
}): string =>
  [
    action.sequence,
    action.createdAt,
    action.action,
    action.principal,
    action.keyId ?? "",
    action.requestId ?? "",
    action.accountId,
    action.subject,
    action.facts
  ].join("|")
