import { Effect, Option, Predicate, Schema } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpApiClient, HttpApiMiddleware, HttpApiSchema } from "effect/http-api"
import { Api } from "./Api.ts"
import { Authorization } from "./Authorization.ts"

/** The address of the API and the caller: the text of a key, or in a browser its session's cookie and CSRF token. */
export interface ClientOptions {
  readonly baseUrl?: string
  readonly headers: Readonly<Record<string, string>>
}

/** The header that a key is sent in. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** An `HttpClient` whose requests go to the API with the caller's headers; for `follow`. */
export const connect = ({ baseUrl, headers }: ClientOptions) =>
  HttpClient.mapRequest((request) =>
    HttpClientRequest.setHeaders(
      baseUrl === undefined ? request : HttpClientRequest.prependUrl(request, baseUrl),
      headers
    )
  )

const isRefusal = Schema.is(
  Schema.Struct({
    error: Schema.Union([Schema.String, Schema.Struct({ code: Schema.String, message: Schema.String })]),
    request_id: Schema.String
  })
)

const refused = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const body = Option.getOrUndefined(yield* Effect.option(response.json))
  return yield* isRefusal(body) ? Effect.fail(body) : HttpClientResponse.filterStatusOk(response)
})

/** The body of a response. Errors: the API's refusal, or an HTTP error if the response is not one of the API's. */
const read = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  if (response.status === 204) return undefined
  if (response.status >= 300) return yield* refused(response)
  const body = yield* response.json
  if (Predicate.isObject(body)) return body
  const { request } = response
  const reason = new HttpClientError.DecodeError({ request, response, description: "The answer is no JSON object." })
  return yield* new HttpClientError.HttpClientError({ reason })
})

/** The option of a call of `HttpApiClient` that is used here. */
interface Asked {
  readonly responseMode?: string
}

type Call = (asked: Asked) => Effect.Effect<HttpClientResponse.HttpClientResponse, unknown>

// The body is not decoded by its schema: a value newer than the schema would turn an answer that was paid for into an error.
const asItCame = (call: Call, hasHeaders: boolean) =>
  Effect.fnUntraced(function* (asked?: Asked) {
    const response = yield* call({ ...asked, responseMode: "response-only" })
    if (asked?.responseMode === "response-only") return response
    const body = yield* read(response)
    const value = hasHeaders ? HttpApiSchema.withHeaders({ body, headers: response.headers }) : body
    return asked?.responseMode === "decoded-and-response" ? [value, response] : value
  })

/**
 * The contract's client: one function per endpoint, by group, such as `client.check.run({ payload, headers: {} })`.
 *
 * Shape: what is sent fits the contract; answers are passed on as they arrive, so that a newer API may return more than the
 * types.
 * Errors: the refusals of the endpoint, as the contract's problems, and HTTP errors.
 */
export const make = Effect.fnUntraced(function* (options: ClientOptions) {
  const client = yield* HttpApiClient.make(Api, { transformClient: connect(options) }).pipe(
    Effect.provide(HttpApiMiddleware.layerClient(Authorization, ({ next, request }) => next(request)))
  )
  for (const [group, { endpoints }] of Object.entries(Api.groups)) {
    const calls = Reflect.get(client, group)
    for (const [name, { success }] of Object.entries(endpoints))
      calls[name] = asItCame(calls[name], Array.from(success).some(HttpApiSchema.isWithHeaders))
  }
  return client
})
export type Client = Effect.Success<ReturnType<typeof make>>
