import { Schema } from "effect"
import { AccountId } from "./Account.ts"
import { Credits } from "./Credits.ts"
import { Environment } from "./Platform.ts"

/** A prepaid wallet. An account has a live one and a test one, and their money never mixes. */
export const Wallet = Schema.Struct({ accountId: AccountId, environment: Environment })
export type Wallet = typeof Wallet.Type

/**
 * A wallet has less than this, held amounts included: below it every amount is exact to the thousandth as one JSON number.
 * Units: millicredits, 2^43 credits.
 */
export const balanceBound = Credits.make(2 ** 43 * 1000)

/** The top-up would leave more in the wallet than can be stated exactly. Nothing was moved. */
export class WalletFull extends Schema.TaggedError<WalletFull>()("WalletFull", {}) {}

/** The reference was already used for a top-up of this wallet by another amount. Nothing was moved. */
export class ReferenceTaken extends Schema.TaggedError<ReferenceTaken>()("ReferenceTaken", {}) {}

/** The balance does not cover the price. Raised before anything is asked, so nothing was moved. */
export class InsufficientBalance extends Schema.TaggedError<InsufficientBalance>()("InsufficientBalance", {
  balance: Credits,
  required: Credits
}) {}
