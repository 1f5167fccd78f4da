import { Schema, SchemaTransformation } from "effect"

/**
 * The id of an account: what has the form of a UUID, in lower case, as Postgres writes it, however its owner does. Its version and
 * variant may be any: an installation derives its test account's id from its secret, and sets neither.
 */
export const AccountId = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isPattern(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { message: "must be a UUID" })
    ),
    SchemaTransformation.toLowerCase()
  ),
  Schema.brand("AccountId")
)
export type AccountId = typeof AccountId.Type

/** A customer: the owner of keys and wallets. */
export const Account = Schema.Struct({ id: AccountId, name: Schema.String })
export type Account = typeof Account.Type

/** The account is detached, which is for good: nothing is made for it any more. */
export class AccountDetached extends Schema.TaggedError<AccountDetached>()("AccountDetached", {}) {}
