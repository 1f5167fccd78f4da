import { Context } from "effect"
import type { KeyId } from "@sightline/domain/ApiKey"
import type { PrincipalKind } from "@sightline/domain/Action"

/** Who orders an action, and the request that it comes with. */
export interface Principal {
  readonly kind: PrincipalKind
  /** The key that was sent, or that the session stands for. */
  readonly keyId: KeyId | null
  readonly requestId: string | null
}

/** The current principal: the program itself, unless an authenticated request sets another. */
export const Principal = Context.Reference<Principal>("@sightline/store/Principal", {
  defaultValue: () => ({ kind: "service", keyId: null, requestId: null })
})
