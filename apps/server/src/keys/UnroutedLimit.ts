import type { Caller } from "@sightline/domain/ApiKey"
import { isUnrouted } from "@sightline/server/http/Recovery"
import type { Responding } from "@sightline/server/http/Respond"
import { RateLimits } from "@sightline/store/RateLimits"
import { Cause, Effect, Option } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Keyring } from "./Keyring.ts"
import { keyOf, sessionOf } from "./Credentials.ts"
import { rateLimitHeaders } from "./RateLimit.ts"

/**
 * Shows the caller's bucket on answers to unknown routes too, without taking a token. A request with neither a key nor a
 * session costs no look-up.
 *
 * Source: decisions R0.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const buckets = yield* RateLimits

    const callerOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Option.Option<Caller>> => {
      const token = sessionOf(request)
      if (token !== undefined)
        return Effect.map(
          keyring.findSession(token),
          Option.map(({ caller }) => caller)
        )
      const key = keyOf(request)
      return key === undefined ? Effect.succeedNone : keyring.find(key)
    }

    const show = Effect.gen(function* () {
      const caller = yield* callerOf(yield* HttpServerRequest.HttpServerRequest)
      if (Option.isNone(caller)) return
      const headers = yield* rateLimitHeaders(buckets, caller.value, { bucket: "default", allowance: undefined })
      yield* HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.succeed(HttpServerResponse.setHeaders(response, headers))
      )
    })

    return <E>(app: Responding<E>): Responding<E, HttpServerRequest.HttpServerRequest> =>
      Effect.tapCause(app, (cause) => (isUnrouted(Cause.squash(cause)) ? show : Effect.void))
  }),
  { global: true }
)
