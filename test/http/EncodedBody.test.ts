/**
 * The bytes that a client receives of a text: of one that is encoded in advance, and of one that Node encodes.
 *
 * Planted and seen red: a text always sent as Latin-1, or encoded a second time, by the listener or for code that reads the bytes; a body
 * written separately from its head.
 */
import { EncodedBody } from "@sightline/server/http/EncodedBody"
import { utf8 } from "@sightline/store/Utf8"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as fc from "fast-check"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Socket } from "node:net"
import { assert, it, vi } from "vitest"
import { served } from "./served.ts"

let text = ""

const encoded = () => HttpServerResponse.setBody(HttpServerResponse.empty({ status: 200 }), new EncodedBody(utf8(text)))

const base = served(
  Layer.mergeAll(
    HttpRouter.add("GET", "/encoded", Effect.sync(encoded)),
    HttpRouter.add(
      "GET",
      "/plain",
      Effect.sync(() => HttpServerResponse.text(text, { contentType: "application/json" }))
    )
  )
)

const texts = fc
  .oneof(fc.string({ unit: "grapheme" }), fc.string(), fc.string({ unit: fc.constantFrom("a", "é", "ÿ", "–", "👟") }))
  .map((said) => JSON.stringify({ said }))

it.each(["/encoded", "/plain"])(
  "the body of %s is the text in UTF-8, and content-length is its number of bytes",
  (path) =>
    fc.assert(
      fc.asyncProperty(texts, async (given) => {
        text = given
        const response = await fetch(new URL(path, base()))
        const bytes = Buffer.from(await response.arrayBuffer())
        assert.deepStrictEqual(bytes, Buffer.from(given))
        assert.strictEqual(response.headers.get("content-length"), String(bytes.length))
        assert.strictEqual(response.headers.get("content-type"), "application/json")
      })
    )
)

it("code that reads the bytes of an encoded body gets the text in UTF-8", () =>
  fc.assert(
    fc.property(texts, (given) => {
      assert.deepStrictEqual(Buffer.from(new EncodedBody(utf8(given)).body), Buffer.from(given))
    })
  ))

it("an encoded body is sent in one write with its head", async () => {
  text = "{–}"
  const written: Array<unknown> = []
  const watch = (started: unknown) => {
    const socket: unknown = Object(started).socket
    assert.instanceOf(socket, Socket)
    const write = socket.write.bind(socket)
    vi.spyOn(socket, "write").mockImplementation((...given: Parameters<Socket["write"]>) => {
      written.push(given[0])
      return write(...given)
    })
  }
  subscribe("http.server.request.start", watch)
  await (await fetch(new URL("/encoded", base()), { headers: { connection: "close" } })).text()
  unsubscribe("http.server.request.start", watch)
  assert.lengthOf(written, 1)
})
