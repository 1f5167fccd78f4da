/**
 * Refusals that neither a handler of ours nor Node gives a body: they are JSON all the same.
 *
 * Planted and seen red: Node's own response class; a stream that is cut off without its answer; a refusal in place of the answer
 * that was under way; a second answer to a request that had one.
 */
import { Effect, Exit, Layer, Schema, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { assert, it } from "vitest"
import { FinalAnswer } from "@sightline/contract/Progress"
import * as Followed from "@sightline/server/Followed"
import * as NodeServer from "@sightline/server/NodeServer"

const routes = (arrived: () => void) =>
  Layer.mergeAll(
    HttpRouter.add("POST", "/slow", Effect.andThen(Effect.sync(arrived), Effect.never)),
    HttpRouter.add(
      "POST",
      "/late",
      Effect.sync(arrived).pipe(Effect.andThen(Effect.sleep("500 millis")), Effect.as(HttpServerResponse.text("late")))
    ),
    HttpRouter.add("POST", "/v1/ask", Effect.andThen(Effect.sync(arrived), Effect.never)),
    HttpRouter.add("POST", "/empty", HttpServerResponse.empty({ status: 204 })),
    HttpRouter.add("GET", "/teapot", HttpServerResponse.empty({ status: 418 }))
  ).pipe(Layer.provide(Followed.layer))

/** A listener with these routes, its port, and how to stop it. */
const listening = async (arrived: () => void) => {
  const scope = Scope.makeUnsafe()
  const named = { host: "HOST", port: "PORT" }
  const layer = NodeServer.serve(routes(arrived), { settings: named, host: "127.0.0.1", port: 0, grace: "50 millis" })
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

const decodeAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(FinalAnswer), { onExcessProperty: "error" })

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

it("503: a call that a stopping server gives up says so", async () => {
  const arrived = Promise.withResolvers<void>()
  const { port, stop } = await listening(arrived.resolve)
  const answer = raw(port, post("/slow"))
  await arrived.promise
  await stop()
  assert.deepEqual(refusalOf(await answer), [503, "service_unavailable"])
})

it("503: a call that is followed says so in the answer that ends its stream", async () => {
  const arrived = Promise.withResolvers<void>()
  const { port, stop } = await listening(arrived.resolve)
  const answer = raw(port, post("/v1/ask", "Accept: text/event-stream\nConnection: close\n"))
  await arrived.promise
  await stop()
  const { status, head, body } = await answer
  assert.strictEqual(status, 200)
  assert.include(head, "text/event-stream")
  const event = decodeAnswer(/^event: answer\ndata: (.*)$/m.exec(body)?.[1])
  const given = { status: event.status, head: "content-type: application/json", body: JSON.stringify(event.body) }
  assert.deepEqual(refusalOf(given), [503, "service_unavailable"])
  // The chunk that says that the stream is whole.
  assert.match(body, /\r\n0$/)
})

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

it("a request is answered once, also when it is answered before the rest of it turns out to be unreadable", async () => {
  const { port, stop } = await listening(() => undefined)
  const { head, body } = await raw(port, "POST /empty HTTP/1.1\nHost: h\nTransfer-Encoding: identity\n\nWHAT")
  assert.match(head, /^http\/1\.1 204 /)
  assert.strictEqual(body, "")
  await stop()
})

it("417: an expectation that nobody knows", async () => {
  const { port, stop } = await listening(() => undefined)
  assert.deepEqual(refusalOf(await raw(port, post("/empty", "Expect: cake\n"))), [417, "request_failed"])
  await stop()
})

it("what is no refusal, or answers a HEAD, has no body", async () => {
  const { port, stop } = await listening(() => undefined)
  const empty = await raw(port, post("/empty", "Connection: close\n"))
  assert.deepEqual([empty.status, empty.body], [204, ""])
  const head = await raw(port, "HEAD /teapot HTTP/1.1\nHost: h\nConnection: close\n\n")
  assert.deepEqual([head.status, head.body], [418, ""])
  assert.deepEqual(refusalOf(await raw(port, "GET /teapot HTTP/1.1\nHost: h\n\n")), [418, "request_failed"])
  await stop()
})
