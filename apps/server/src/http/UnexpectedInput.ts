import { Effect, Result, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { FieldIssue } from "@sightline/contract/Problem"
import { refuseField } from "./Refusal.ts"
import { decodeJson, isBodiless, readJson } from "./RequestBody.ts"

/** Decodes the query or body of an endpoint that takes none: an object without members. Every member is an unknown field. */
const decodeNothing = decodeJson(
  Schema.Record(Schema.String, Schema.Never.annotate({ message: "is not a known field" }))
)

/** Checks a query: each parameter may be given once. */
const decodeOnce = decodeJson(
  Schema.Record(
    Schema.String,
    Schema.Unknown.check(Schema.makeFilter((value) => !Array.isArray(value) || "is given more than once"))
  )
)

/** Whether the percent-encoded bytes in a query are UTF-8. A `%` that is not an escape stands for itself. */
const isUtf8 = (escaped: string): boolean =>
  Result.isSuccess(Result.try(() => decodeURIComponent(escaped.replace(/%(?![\da-f]{2})/gi, "%25"))))

/** The issue of a query that is not UTF-8, if any: the parser replaces invalid bytes by U+FFFD, so that a search finds nothing. */
const encodingIssue = (url: string): FieldIssue | undefined => {
  const part = url
    .slice(url.indexOf("?") + 1)
    .split("&")
    .find((part) => !isUtf8(part))
  if (part === undefined) return undefined
  const [path = ""] = new URLSearchParams(part).keys()
  return { path, message: "must be UTF-8" }
}

const idempotencyKeyMax = 200

/** Counts the characters of a header. Node gives its bytes as latin1; they are read as UTF-8, and an invalid byte counts as one. */
const charactersIn = (header: string): number => Array.from(Buffer.from(header, "latin1").toString()).length

/** The issue of an idempotency key that is empty or too long, if any. */
const idempotencyKeyIssue = (key: string | undefined): FieldIssue | undefined =>
  key === undefined || (key !== "" && charactersIn(key) <= idempotencyKeyMax)
    ? undefined
    : { path: "Idempotency-Key", message: `must have 1 to ${idempotencyKeyMax} characters` }

/** What an endpoint takes. Shape: the only header that an endpoint declares is the idempotency key. */
type AcceptedInput = Pick<HttpApiEndpoint.Top, "headers" | "payload" | "query">

/** The refusal of a request whose query, idempotency key or body its endpoint does not take; undefined if there is none. */
const unexpectedInputOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { headers, payload, query }: AcceptedInput
): Effect.fn.Return<HttpServerResponse.HttpServerResponse | undefined, never, HttpServerRequest.ParsedSearchParams> {
  const parameters = yield* HttpServerRequest.ParsedSearchParams
  if (Object.keys(parameters).length > 0) {
    const asked = yield* query === undefined ? decodeNothing(parameters) : decodeOnce(parameters)
    if (Result.isFailure(asked)) return asked.failure
    const issue = encodingIssue(request.url)
    if (issue !== undefined) return yield* refuseField(issue)
  }
  const issue = headers === undefined ? undefined : idempotencyKeyIssue(request.headers["idempotency-key"])
  if (issue !== undefined) return yield* refuseField(issue)
  if (payload.size > 0 || request.method === "GET" || request.method === "HEAD") return undefined
  if (yield* isBodiless(request)) return undefined
  const json = yield* readJson(request)
  if (Result.isFailure(json)) return json.failure
  const body = yield* decodeNothing(json.success)
  return Result.isFailure(body) ? body.failure : undefined
})

/** A request, and the endpoint it is for. */
interface RoutedRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly endpoint: AcceptedInput
}

/**
 * Refuses a request with a query or a body that its endpoint does not take, with a repeated parameter, with a parameter
 * that is not UTF-8, or with an idempotency key that is empty or too long.
 *
 * Errors: as for any body, and 400 `invalid_request` that names the parameter or the header. Source: decisions C1, E1.
 */
export const refuseUnexpectedInput = <A, E, R>({ request, endpoint }: RoutedRequest, answer: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    unexpectedInputOf(request, endpoint),
    (refusal): Effect.Effect<A | HttpServerResponse.HttpServerResponse, E, R> =>
      refusal === undefined ? answer : Effect.succeed(refusal)
  )
