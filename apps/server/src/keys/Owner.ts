import { Effect } from "effect"
import { Caller } from "@sightline/contract/Authorization"
import type { Wallet } from "@sightline/domain/Wallet"

/** The owner of the money and the resources of a request. */
export const owner = Effect.map(Caller, ({ accountId, environment }): Wallet => ({ accountId, environment }))
