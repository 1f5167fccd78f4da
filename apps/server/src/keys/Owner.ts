import { Effect } from "effect"
import { Caller } from "@sightline/contract/Authorization"
import type { Wallet } from "@sightline/domain/Wallet"

/** Whose money and whose things a request is about. */
export const owner = Effect.map(Caller, ({ accountId, environment }): Wallet => ({ accountId, environment }))
