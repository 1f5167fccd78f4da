import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { BucketName } from "@sightline/contract/AdminApi"
import { Authorization, Caller } from "@sightline/contract/Authorization"
import { isKeyShaped } from "@sightline/domain/ApiKey"
import type * as ApiKey from "@sightline/domain/ApiKey"
import { RateLimits } from "@sightline/store/RateLimits"
import { Keyring } from "./Keyring.ts"
import { rateLimitHeaders, RateLimitShown } from "./RateLimit.ts"
import { refuse } from "./Refusal.ts"

const bearer = /^bearer +([^ ]+) *$/i

/** The key a request carries, if its header has the contract's shape. */
const keyOf = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  const key = bearer.exec(request.headers["authorization"] ?? "")?.[1]
  return key !== undefined && isKeyShaped(key) ? key : undefined
}

/** Only check tells a missing header from a wrong key. Source: decisions K5. */
const refuseMissing = (group: string) =>
  group === "check"
    ? refuse(401, "missing_authorization", "Send `Authorization: Bearer <API key>`.")
    : refuse(401, "unauthorized", "Send a valid API key.")

/** The bucket to show until the body says more: of a check it names the mode, and with it the bucket. */
const bucketOf = (group: string): BucketName =>
  group === "compare" || group === "discover" || group === "ask" ? group : "default"

const changes = (method: string): boolean => method !== "GET" && method !== "HEAD"

/**
 * Turns the bearer key of a request into its `Caller`, refuses what that key may not do, and puts the caller's
 * rate limit on whatever is answered, a query that does not decode and a defect included.
 */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const buckets = yield* RateLimits

    const answerAs = <E, R>(
      caller: ApiKey.Caller,
      group: string,
      app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) =>
      Effect.gen(function* () {
        const { method } = yield* HttpServerRequest.HttpServerRequest
        const context = yield* Effect.context<Caller | RateLimits>()
        // Put on at the very end, because a query that does not decode is answered by nobody in here.
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.provide(rateLimitHeaders, context).pipe(
            Effect.map((headers) => HttpServerResponse.setHeaders(response, headers))
          )
        )
        return yield* caller.readOnly && changes(method) ? refuse(403, "forbidden", "This key is read-only.") : app
      }).pipe(
        Effect.provideService(Caller, caller),
        Effect.provideService(RateLimits, buckets),
        Effect.provideService(RateLimitShown, { bucket: bucketOf(group), allowance: undefined })
      )

    return Authorization.of({
      bearer: (app, { group }) =>
        Effect.gen(function* () {
          const key = keyOf(yield* HttpServerRequest.HttpServerRequest)
          if (key === undefined) return yield* refuseMissing(group.identifier)
          const caller = yield* keyring.find(key)
          return Option.isNone(caller)
            ? yield* refuse(401, "unauthorized", "This API key is not valid.")
            : yield* answerAs(caller.value, group.identifier, app)
        })
    })
  })
)
