/**
 * Refusals that neither a handler of ours nor Node gives a body: they are JSON all the same.
 *
 * Planted and seen red: Node's own response class; a refusal in place of the
 * answer that was under way; a second answer to a request that had one; each status taken for another, half as long a
 * head; a refusal with a wrong length, without a precaution, or after which the connection is kept; a stopping server that
 * waits for idle connections, or longer than it was told; a connection kept for 5 s.
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

/** A listener with these routes, its port, and how to stop it. */
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

/** Sends a request as it is written and returns what comes back before the server closes the connection. */
const raw = async (port: number, request: string) => {
  const socket = connect(port, "127.0.0.1")
  socket.write(request.replaceAll("\n", "\r\n"))
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n")
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body }
}

const post = (path: string, more = "") => `POST ${path} HTTP/1.1\nHost: h\nContent-Length: 0\n${more}\n`

/** The status and code of a refusal that is as the contract has it. */
const refusalOf = ({ status, head, body }: Awaited<ReturnType<typeof raw>>) => {
  assert.include(head, "content-type: application/json")
  const { error, request_id, ...more } = JSON.parse(body)
  assert.isEmpty(more)
  assert.isNotEmpty(error.message)
  assert.match(request_id, /^[0-9a-f-]{36}$/)
  return [status, error.code]
}

/** The same of one that is all there is on a connection: it says how long it is, that it is the last, and is nobody else's. */
const lastRefusalOf = (answer: Awaited<ReturnType<typeof raw>>) => {
  const length = `content-length: ${Buffer.byteLength(answer.body)}`
  for (const line of [length, "connection: close", "x-content-type-options: nosniff", "cache-control: no-store"])
    assert.include(answer.head.split("\r\n"), line)
  return refusalOf(answer)
}

it("400 for what cannot be read comes after the answer to the call before it, which is whole", async () => {
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

it("400 for what cannot be read on a connection whose calls are all answered", async () => {
  const { port, stop } = await listening(() => undefined)
  const socket = connect(port, "127.0.0.1")
  socket.write(post("/empty").replaceAll("\n", "\r\n"))
  const [answer] = await once(socket, "data")
  assert.match(String(answer), /^HTTP\/1\.1 204 /)
  socket.write("WHAT\r\n\r\n")
  assert.match(await text(socket), /^HTTP\/1\.1 400 /)
  await stop()
})

it("a request is answered once, also when it is answered before the rest of it turns out to be unreadable", async () => {
  const { port, stop } = await listening(() => undefined)
  const { head, body } = await raw(port, "POST /empty HTTP/1.1\nHost: h\nTransfer-Encoding: identity\n\nWHAT")
  assert.match(head, /^http\/1\.1 204 /)
  assert.strictEqual(body, "")
  await stop()
})

it("400 for what is no HTTP or gives its length twice, 413 for what comes beside a body's pieces, 431 for a head of more than 16 KiB and not for less", async () => {
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

it("a stopping server answers the call under way, and lets nobody keep the connection it came on", async () => {
  const arrived = Promise.withResolvers<void>()
  const { port, stop } = await listening(arrived.resolve, "1 hour")
  const answer = raw(port, post("/late"))
  await arrived.promise
  await stop()
  const { status, head, body } = await answer
  assert.deepEqual([status, body], [200, "late"])
  // Longer than proxies before us keep one, which would else send on a connection that we are about to close.
  assert.include(head, "keep-alive: timeout=65")
})

it("417: an expectation that nobody knows", async () => {
  const { port, stop } = await listening(() => undefined)
  assert.deepEqual(lastRefusalOf(await raw(port, post("/empty", "Expect: cake\n"))), [417, "request_failed"])
  await stop()
})

it("what is no refusal, or answers a HEAD, has no body, and a refusal with words of its own has those", async () => {
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
