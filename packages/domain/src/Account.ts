import { Schema, SchemaTransformation } from "effect"

/**
 * The id of an account, in the form of a UUID. Upper case is accepted and decoded to lower case, as Postgres writes it. Version and variant
 * may be any, because an installation derives the id of its test account from its secret and sets neither.
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

/** The account is detached, which is permanent: nothing more is created for it. */
export class AccountDetached extends Schema.TaggedError<AccountDetached>()("AccountDetached", {}) {}
