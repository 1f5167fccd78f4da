import { isPublicAddress, networkOf } from "@sightline/egress/PublicAddress"
import { refuse } from "@sightline/server/http/Refusal"
import { RateLimits } from "@sightline/store/RateLimits"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { isIP } from "node:net"

/** A key cannot be guessed, but without this limit attempts could keep the database busy. */
const limit = { burst: 60, perSecond: 1 }

/** The address of the client. If the peer is not public, it is a proxy: then the last address in `X-Forwarded-For`. */
const remoteOf = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): string => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  const forwarded = headers["x-forwarded-for"]?.split(",").at(-1)?.trim() ?? ""
  return isPublicAddress(peer) || isIP(forwarded) === 0 ? peer : forwarded
}

/** Continues, or answers 429 to an address that tries to sign in too often. */
export const limitedByAddress = Effect.fnUntraced(function* <A, E, R>(app: Effect.Effect<A, E, R>) {
  const remote = networkOf(remoteOf(yield* HttpServerRequest.HttpServerRequest))
  const { allowed, retryAfterSeconds } = yield* (yield* RateLimits).take({ keyId: "sign-in", name: remote }, limit)
  if (allowed) return yield* app
  return yield* refuse(429, "rate_limited", `Too many attempts to sign in. Retry in ${retryAfterSeconds} s.`, {
    headers: { "retry-after": String(retryAfterSeconds) }
  })
})
