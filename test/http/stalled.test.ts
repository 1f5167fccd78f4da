/**
 * Readers that take nothing of what they asked for.
 *
 * Planted and seen red: no limit (the answer is held for ever), a limit on every silence (the call is cut off).
 */
import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { connect } from "node:net"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as NodeServer from "@sightline/server/NodeServer"

const letGo = Promise.withResolvers<void>()

/** More than any system keeps for a reader. */
const endless = Stream.forever(Stream.succeed(new Uint8Array(64 * 1024))).pipe(
  Stream.onExit(() => Effect.sync(letGo.resolve))
)

const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/endless", HttpServerResponse.stream(endless)),
  HttpRouter.add("GET", "/late", Effect.as(Effect.sleep("14 seconds"), HttpServerResponse.text("late")))
)

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

it("an answer of which nothing is taken for 12 s is given up; a call that takes longer to answer is not", async () => {
  const late = fetch(new URL("/late", base)).then((response) => response.text())
  const reader = connect(Number(base.port), base.hostname).pause()
  reader.on("error", () => undefined)
  const asked = Date.now()
  reader.write("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n")
  await letGo.promise
  assert.isAtLeast(Date.now() - asked, 12_000)
  reader.destroy()
  assert.strictEqual(await late, "late")
})
