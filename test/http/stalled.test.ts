/**
 * Clients that do not read their response.
 *
 * Planted and seen red: no limit, so that the response is held for ever; a limit on every silence, so that a slow call is cut off.
 */
import { Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { connect } from "node:net"
import { assert, it } from "vitest"
import { served } from "./served.ts"

const letGo = Promise.withResolvers<void>()

/** More than any system buffers for a client. */
const endless = Stream.forever(Stream.succeed(new Uint8Array(64 * 1024))).pipe(
  Stream.onExit(() => Effect.sync(letGo.resolve))
)

const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/endless", HttpServerResponse.stream(endless)),
  HttpRouter.add("GET", "/late", Effect.as(Effect.sleep("14 seconds"), HttpServerResponse.text("late")))
)

const base = served(routes)

it("a response of which nothing is read for 12 s is aborted; a call that takes longer to respond is not", async () => {
  const late = fetch(new URL("/late", base())).then((response) => response.text())
  const reader = connect(Number(base().port), base().hostname).pause()
  reader.on("error", () => undefined)
  const asked = Date.now()
  reader.write("GET /endless HTTP/1.1\r\nHost: h\r\n\r\n")
  await letGo.promise
  assert.isAtLeast(Date.now() - asked, 12_000)
  reader.destroy()
  assert.strictEqual(await late, "late")
})
