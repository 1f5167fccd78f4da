import { Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Authorization, Caller } from "@sightline/contract/Authorization"
import { isKeyShaped } from "@sightline/domain/ApiKey"
import type * as ApiKey from "@sightline/domain/ApiKey"
import { RateLimits } from "@sightline/store/RateLimits"
import { Keyring } from "./Keyring.ts"
import { rateLimitHeaders, RateLimitShown } from "./RateLimit.ts"
import { recover } from "./Recovery.ts"
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

const changes = (method: string): boolean => method !== "GET" && method !== "HEAD"

/**
 * Turns the bearer key of a request into its `Caller`, refuses what that key may not do, and puts the caller's
 * rate limit on whatever is answered, a defect included.
 */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const buckets = yield* RateLimits

    const answerAs = <E, R>(caller: ApiKey.Caller, app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const response = yield* caller.readOnly && changes(request.method)
          ? refuse(403, "forbidden", "This key is read-only.")
          : Effect.catchDefect(app, recover)
        return HttpServerResponse.setHeaders(response, yield* rateLimitHeaders)
      }).pipe(
        Effect.provideService(Caller, caller),
        Effect.provideService(RateLimits, buckets),
        Effect.provideService(RateLimitShown, { bucket: "default", allowance: undefined })
      )

    return Authorization.of({
      bearer: (app, { group }) =>
        Effect.gen(function* () {
          const key = keyOf(yield* HttpServerRequest.HttpServerRequest)
          if (key === undefined) return yield* refuseMissing(group.identifier)
          const caller = yield* keyring.find(key)
          return Option.isNone(caller)
            ? yield* refuse(401, "unauthorized", "This API key is not valid.")
            : yield* answerAs(caller.value, app)
        })
    })
  })
)
