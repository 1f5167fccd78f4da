import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { AdminApi } from "@sightline/contract/AdminApi"
import { AdminAuthorization } from "@sightline/contract/AdminAuthorization"
import * as Client from "@sightline/contract/Client"
import { AdminUrl, readAddress, keySetting, Url } from "./Settings.ts"

const options = Effect.fnUntraced(function* () {
  const baseUrl = yield* readAddress(yield* Url)
  return { baseUrl, headers: Client.bearer(yield* keySetting("SIGHTLINE_API_KEY")) }
})

/** A client of the API with the key from the environment. Errors: an address or a key that is missing or malformed. */
export const customer = Effect.flatMap(options(), Client.make)

/** A client of the API without a key, for endpoints that need none. */
export const anyone = Url.pipe(
  Effect.flatMap(readAddress),
  Effect.flatMap((baseUrl) => Client.make({ baseUrl, headers: {} }))
)

/** An `HttpClient` for the API with the key from the environment, for calls whose progress is followed. */
export const following = Effect.gen(function* () {
  return Client.connect(yield* options())(yield* HttpClient.HttpClient)
})

/** The services that a call of the public API needs. */
export type Reach = Effect.Services<typeof customer>

/** A client of the operator API with the token from the environment. */
export const operator = Effect.gen(function* () {
  const baseUrl = yield* readAddress(yield* AdminUrl)
  const headers = Client.bearer(yield* keySetting("ADMIN_TOKEN"))
  return yield* HttpApiClient.make(AdminApi, { transformClient: Client.connect({ baseUrl, headers }) }).pipe(
    Effect.provide(HttpApiMiddleware.layerClient(AdminAuthorization, ({ next, request }) => next(request)))
  )
})
