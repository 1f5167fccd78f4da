/**
 * Refusals that get no body from a handler or from Node have a JSON body all the same.
 *
 * Planted and seen red:
 * - the response class of Node;
 * - a refusal in place of the response being sent;
 * - a second response to one request;
 * - each status replaced by another;
 * - a limit for heads of half the size;
 * - a refusal with a wrong length, without a security header, or after which the connection is kept open;
 * - a stopping server that waits for idle connections, or longer than its grace;
 * - a connection kept open for 5 s.
 */
import * as NodeServer from "@sightline/server/http/NodeServer"
import { type Duration, Effect, Exit, Layer, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { assert, it } from "vitest"

const routes = (arrived: () => void) =>
  Layer.mergeAll(
    HttpRouter.add("POST", "/slow", Effect.andThen(Effect.sync(arrived), Effect.never)),
    HttpRouter.add(
      "POST",
      "/late",
      Effect.sync(arrived).pipe(Effect.andThen(Effect.sleep("500 millis")), Effect.as(HttpServerResponse.text("late")))
    ),
    HttpRouter.add("POST", "/empty", HttpServerResponse.empty({ status: 204 })),
    HttpRouter.add("GET", "/teapot", HttpServerResponse.empty({ status: 418 })),
    HttpRouter.add("GET", "/told", HttpServerResponse.text("told", { status: 418 }))
  )

/** A listener with these routes: its port, and how to stop it. */
const listening = async (arrived: () => void, grace: Duration.Input = "50 millis") => {
  const scope = Scope.makeUnsafe()
  const named = { host: "HOST", port: "PORT" }
  const layer = NodeServer.serve(routes(arrived), { settings: named, host: "127.0.0.1", port: 0, grace })
  const server = Effect.map(HttpServer.HttpServer, ({ address }) => new URL(HttpServer.formatAddress(address)).port)
  const port = await Effect.runPromise(
    Effect.flatMap(Layer.buildWithScope(layer, scope), (context) => Effect.provideContext(server, context))
  )
  return { port: Number(port), stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Sends a request verbatim, and returns the response once the server has closed the connection. */
const raw = async (port: number, request: string) => {
  const socket = connect(port, "127.0.0.1")
  socket.write(request.replaceAll("\n", "\r\n"))
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n")
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body }
}

const post = (path: string, more = "") => `POST ${path} HTTP/1.1\nHost: h\nContent-Length: 0\n${more}\n`

/** The status and code of a refusal, which must follow the contract. */
const refusalOf = ({ status, head, body }: Awaited<ReturnType<typeof raw>>) => {
  assert.include(head, "content-type: application/json")
  const { error, request_id, ...more } = JSON.parse(body)
  assert.isEmpty(more)
  assert.isNotEmpty(error.message)
  assert.match(request_id, /^[0-9a-f-]{36}$/)
  return [status, error.code]
}

/** The same for the only response on a connection: it has a length, closes the connection, and may not be cached. */
const lastRefusalOf = (answer: Awaited<ReturnType<typeof raw>>) => {
  const length = `content-length: ${Buffer.byteLength(answer.body)}`
  for (const line of [length, "connection: close", "x-content-type-options: nosniff", "cache-control: no-store"])
    assert.include(answer.head.split("\r\n"), line)
  return refusalOf(answer)
}

it("400: an unreadable request is refused after the complete response to the request before it", async () => {
  const arrived = Promise.withResolvers<void>()
  const { port, stop } = await listening(arrived.resolve)
  const socket = connect(port, "127.0.0.1")
  socket.write(post("/late").replaceAll("\n", "\r\n"))
  await arrived.promise
  socket.write("WHAT\r\n\r\n")
  const [first = "", second = ""] = (await text(socket)).split(/(?=HTTP\/1\.1 400)/)
  assert.match(first, /^HTTP\/1\.1 200 [^]*\r\n\r\nlate$/)
  assert.include(second, '"request_failed"')
  await stop()
})

it("400: an unreadable request on a connection whose requests are all answered", async () => {
  const { port, stop } = await listening(() => undefined)
  const socket = connect(port, "127.0.0.1")
  socket.write(post("/empty").replaceAll("\n", "\r\n"))
  const [answer] = await once(socket, "data")
  assert.match(String(answer), /^HTTP\/1\.1 204 /)
  socket.write("WHAT\r\n\r\n")
  assert.match(await text(socket), /^HTTP\/1\.1 400 /)
  await stop()
})

it("a request gets one response, even if its rest turns out to be unreadable after that response", async () => {
  const { port, stop } = await listening(() => undefined)
  const { head, body } = await raw(port, "POST /empty HTTP/1.1\nHost: h\nTransfer-Encoding: identity\n\nWHAT")
  assert.match(head, /^http\/1\.1 204 /)
  assert.strictEqual(body, "")
  await stop()
})

it("400 if not HTTP or for two lengths, 413 for long chunk extensions, 431 for a head over but not under 16 KiB", async () => {
  const { port, stop } = await listening(() => undefined)
  const headOf = (bytes: number) => `GET /teapot HTTP/1.1\nHost: h\nConnection: close\nX-Long: ${"x".repeat(bytes)}\n\n`
  const chunk = `POST /slow HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n1;${"x".repeat(20_000)}\nx\n0\n\n`
  const answers = [
    ["WHAT\n\n", 400],
    [post("/empty", "Content-Length: 0\n"), 400],
    [chunk, 413],
    [headOf(16 * 1024), 431],
    [headOf(16 * 1024 - 100), 418]
  ] as const
  for (const [request, status] of answers)
    assert.deepEqual(lastRefusalOf(await raw(port, request)), [status, "request_failed"])
  await stop()
})

it("a stopping server answers the running call, and closes its connection", async () => {
  const arrived = Promise.withResolvers<void>()
  const { port, stop } = await listening(arrived.resolve, "1 hour")
  const answer = raw(port, post("/late"))
  await arrived.promise
  await stop()
  const { status, head, body } = await answer
  assert.deepEqual([status, body], [200, "late"])
  // Longer than proxies keep a connection; otherwise they would send on one that is about to be closed.
  assert.include(head, "keep-alive: timeout=65")
})

it("417: an unknown expectation", async () => {
  const { port, stop } = await listening(() => undefined)
  assert.deepEqual(lastRefusalOf(await raw(port, post("/empty", "Expect: cake\n"))), [417, "request_failed"])
  await stop()
})

it("a response that is no refusal, or answers HEAD, gets no body; a refusal that has a body keeps it", async () => {
  const { port, stop } = await listening(() => undefined)
  const empty = await raw(port, post("/empty", "Connection: close\n"))
  assert.deepEqual([empty.status, empty.body], [204, ""])
  const head = await raw(port, "HEAD /teapot HTTP/1.1\nHost: h\nConnection: close\n\n")
  assert.deepEqual([head.status, head.body], [418, ""])
  assert.deepEqual(lastRefusalOf(await raw(port, "GET /teapot HTTP/1.1\nHost: h\n\n")), [418, "request_failed"])
  const told = await raw(port, "GET /told HTTP/1.1\nHost: h\nConnection: close\n\n")
  assert.deepEqual([told.status, told.body], [418, "told"])
  await stop()
})
