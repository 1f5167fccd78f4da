import { Context } from "effect"
import type { KeyId } from "@sightline/domain/ApiKey"
import type { PrincipalKind } from "@sightline/domain/Action"

/** On whose word something is done, and by which request. */
export interface Principal {
  readonly kind: PrincipalKind
  /** The key that was sent, or that the session stands for. */
  readonly keyId: KeyId | null
  readonly requestId: string | null
}

/** Who is at work. Nobody but the program itself, unless a request was let in on somebody's word. */
export const Principal = Context.Reference<Principal>("@sightline/store/Principal", {
  defaultValue: () => ({ kind: "service", keyId: null, requestId: null })
})
