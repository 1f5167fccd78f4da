import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "./Api.ts"
import { Authorization } from "./Authorization.ts"

/** Where the API is and who calls: by the text of a key, or in a browser by its session's cookie and CSRF token. */
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

/**
 * The contract's client: one function per endpoint, by group, such as `client.check.run({ payload, headers: {} })`.
 *
 * Errors: what the endpoint may be refused with, as the contract's problems; and those of HTTP.
 */
export const make = (options: ClientOptions) =>
  HttpApiClient.make(Api, { transformClient: connect(options) }).pipe(
    Effect.provide(HttpApiMiddleware.layerClient(Authorization, ({ next, request }) => next(request)))
  )
export type Client = Effect.Success<ReturnType<typeof make>>
