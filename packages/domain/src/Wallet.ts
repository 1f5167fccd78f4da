import { Schema } from "effect"
import { AccountId } from "./Account.ts"
import { Credits } from "./Credits.ts"
import { Environment } from "./Platform.ts"

/** One prepaid purse: an account has a live one and a test one, and they never mix. */
export const Wallet = Schema.Struct({ accountId: AccountId, environment: Environment })
export type Wallet = typeof Wallet.Type

/** The balance does not cover the price. Raised before anything is asked, so nothing was moved. */
export class InsufficientBalance extends Schema.TaggedError<InsufficientBalance>()("InsufficientBalance", {
  balance: Credits,
  required: Credits
}) {}
