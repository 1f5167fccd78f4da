import { Schema } from "effect"

/** The id of an account: a UUID in lower case, as Postgres writes it. */
export const AccountId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
).pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** A customer: the owner of keys and wallets. */
export const Account = Schema.Struct({ id: AccountId, name: Schema.String })
export type Account = typeof Account.Type
