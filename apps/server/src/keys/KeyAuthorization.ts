import type { BucketName } from "@sightline/contract/AdminApi"
import { Authorization, Caller } from "@sightline/contract/Authorization"
import type * as ApiKey from "@sightline/domain/ApiKey"
import { keyInvalid, refuse, unauthorized } from "@sightline/server/http/Refusal"
import { readJson } from "@sightline/server/http/RequestBody"
import { RequestId } from "@sightline/server/http/RequestId"
import type { Responding } from "@sightline/server/http/Respond"
import { refuseUnexpectedInput } from "@sightline/server/http/UnexpectedInput"
import { Principal } from "@sightline/store/Principal"
import { RateLimits } from "@sightline/store/RateLimits"
import { Effect, Layer, Option, Result } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { checkBucketOf } from "./CheckBucket.ts"
import { Keyring } from "./Keyring.ts"
import { keyOf, sessionOf } from "./Credentials.ts"
import { rateLimitHeaders, RateLimitShown } from "./RateLimit.ts"
import { mayChange } from "./SessionCookie.ts"

/** 401: no key, or nothing like one. Only check has a code of its own for it. Source: decisions K5. */
const refuseMissing = (group: string) =>
  unauthorized(
    "Send `Authorization: Bearer <API key>`, with the key as it was shown.",
    group === "check" ? "missing_authorization" : "unauthorized"
  )

const changes = (method: string): boolean => method !== "GET" && method !== "HEAD"

/** The bucket to show until the body is read: the mode in a check's body selects another one. */
const bucketOf = ({ group: { identifier }, endpoint: { method } }: Called): BucketName =>
  changes(method) && (identifier === "compare" || identifier === "discover" || identifier === "ask")
    ? identifier
    : "default"

/** Why the caller may not make the request, if it may not. `token` is its session, if it has one. */
const forbiddance = (request: HttpServerRequest.HttpServerRequest, caller: ApiKey.Caller, token?: string) => {
  if (!changes(request.method)) return undefined
  if (token !== undefined && !mayChange(request, token))
    return "With a session, changes are made by the dashboard's own page: send its Origin and the session's CSRF token."
  return caller.readOnly ? "This key is read-only." : undefined
}

/** Selects the bucket to show from the body of a check that was refused before its body was read. */
const nameCheckBucket = Effect.gen(function* () {
  const shown = yield* RateLimitShown
  if (shown.bucket !== "default") return
  const json = yield* readJson(yield* HttpServerRequest.HttpServerRequest)
  if (Result.isSuccess(json)) shown.bucket = checkBucketOf(json.success)
})

/** The endpoint a request is for. */
interface Called {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
}

/**
 * Turns the bearer key of a request, or without an Authorization header the session of its cookie, into its `Caller`.
 * Refuses requests that the caller may not make, and a query or body that the endpoint does not take. Adds the caller's
 * rate-limit headers to every answer, including those to an invalid query and to a defect.
 */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const buckets = yield* RateLimits

    const answerAs = Effect.fnUntraced(
      function* <E, R>(caller: ApiKey.Caller, called: Called, app: Responding<E, R>, token?: string) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const shown = yield* RateLimitShown
        // Added last, because a query that does not decode is answered outside this middleware.
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.map(rateLimitHeaders(buckets, caller, shown), (headers) =>
            HttpServerResponse.setHeaders(response, headers)
          )
        )
        const forbidden = forbiddance(request, caller, token)
        const kind = token === undefined ? "key" : "session"
        const principal: Principal = { kind, keyId: caller.keyId, requestId: yield* RequestId }
        const answer =
          forbidden === undefined
            ? refuseUnexpectedInput(
                { request, endpoint: called.endpoint },
                Effect.provideService(app, Principal, principal)
              )
            : refuse(403, "forbidden", forbidden)
        return yield* called.group.identifier === "check" ? Effect.tap(answer, () => nameCheckBucket) : answer
      },
      (answer, caller, called) =>
        answer.pipe(
          Effect.provideService(Caller, caller),
          Effect.provideService(RateLimits, buckets),
          Effect.provideService(RateLimitShown, { bucket: bucketOf(called), allowance: undefined })
        )
    )

    return Authorization.of({
      bearer: Effect.fnUntraced(function* (app, called) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const token = sessionOf(request)
        if (token !== undefined) {
          const session = yield* keyring.findSession(token)
          return Option.isNone(session)
            ? yield* unauthorized("This session has ended. Sign in again.")
            : yield* answerAs(session.value.caller, called, app, token)
        }
        const key = keyOf(request)
        if (key === undefined) return yield* refuseMissing(called.group.identifier)
        const caller = yield* keyring.find(key)
        return Option.isNone(caller) ? yield* keyInvalid : yield* answerAs(caller.value, called, app)
      })
    })
  })
)
