import * as NodeServer from "@sightline/server/http/NodeServer"
import { Effect, Exit, Layer, Scope } from "effect"
import { type HttpRouter, HttpServer } from "effect/http"
import { afterAll, beforeAll } from "vitest"

/** Serves routes on a separate port for the tests of a file. Returns a function for the address, which is known once the tests run. */
export const served = (routes: Layer.Layer<never, never, HttpRouter.HttpRouter>): (() => URL) => {
  const scope = Scope.makeUnsafe()
  let base: URL
  beforeAll(async () => {
    const settings = { host: "HOST", port: "PORT" }
    const layer = NodeServer.serve(routes, { settings, host: "127.0.0.1", port: 0, grace: "50 millis" })
    const address = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
    base = new URL(
      await Effect.runPromise(
        Effect.flatMap(Layer.buildWithScope(layer, scope), (context) => Effect.provideContext(address, context))
      )
    )
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => base
}
