import { Caller } from "@sightline/contract/Authorization"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import type { Responding } from "@sightline/server/http/Respond"
import { Effect } from "effect"

/** The account whose id is built from this text of hexadecimal digits. */
export const accountOf = (name: string) => AccountId.make(`00000000-0000-4000-8000-${name.padStart(12, "0")}`)

/** Handles a call of account `a`. */
export const answering = <E, R>(answer: Responding<E, R>) =>
  Effect.forkChild(
    Effect.provideService(answer, Caller, {
      keyId: KeyId.make(accountOf("a")),
      accountId: accountOf("a"),
      environment: "test",
      readOnly: false,
      rateLimits: {}
    })
  )
