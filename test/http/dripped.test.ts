/**
 * Slow senders: 500 connections that send their requests byte by byte without an end. Half of them keep sending after the server has closed
 * its side.
 *
 * Planted and seen red: 20 s for a request to arrive, checked only once a second; a connection closed on the server's side only; an offered
 * protocol upgrade accepted.
 */
import { readJson } from "@sightline/server/http/RequestBody"
import { Effect, Layer, Predicate } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { subscribe } from "node:diagnostics_channel"
import { connect, Socket } from "node:net"
import { assert, it } from "vitest"
import { served } from "./served.ts"

const reading = HttpServerRequest.HttpServerRequest.pipe(
  Effect.flatMap(readJson),
  Effect.as(HttpServerResponse.text("read"))
)

const routes = Layer.mergeAll(
  HttpRouter.add("POST", "/read", reading),
  HttpRouter.add("POST", "/unread", HttpServerResponse.text("unread"))
)

const base = served(routes)

/**
 * When the server accepted each connection, by its remote port. The kernel connects clients before that, under load 500 of them for
 * seconds.
 */
const takenAt = new Map<number | undefined, number>()
subscribe("net.server.socket", (message) => {
  if (Predicate.hasProperty(message, "socket") && message.socket instanceof Socket)
    takenAt.set(message.socket.remotePort, performance.now())
})

const open = (allowHalfOpen: boolean) => connect({ port: Number(base().port), host: base().hostname, allowHalfOpen })

const post = (path: string, size: string) =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${size}\r\n\r\n`

const sized = (path: string) => post(path, "Content-Length: 100000")

/** How each kind begins, what it then repeats, and whether it gets a 408. */
const kinds = [
  { first: "POST /read HTTP/1.1\r\nHost: h\r\n", more: "X-A: b\r\n", isTold: true },
  { first: sized("/read"), more: "x", isTold: true },
  { first: post("/read", "Transfer-Encoding: chunked"), more: "1\r\nx\r\n", isTold: true },
  { first: `${post("/read", "Content-Length: 2")}{}${sized("/read")}`, more: "x", isTold: true },
  { first: post("/read", "Content-Length: 100000\r\nConnection: Upgrade\r\nUpgrade: h2c"), more: "x", isTold: true },
  { first: sized("/unread"), more: "x", isTold: false }
]

it("a request without an end gets a 408 and is disconnected within 20 s of its first byte, even if it keeps coming", async () => {
  const drips = Array.from({ length: 500 }, (_, nth) => {
    const { first, isTold, more } = kinds[nth % kinds.length] ?? assert.fail("there are kinds")
    const socket = open(nth < 250)
    // Written before the connection is up: otherwise a stalled process could send the rest, which does not wait for that, first.
    socket.write(first)
    let heard = ""
    const gone = new Promise<number>((resolve) => {
      socket.once("connect", () => {
        const port = socket.localPort
        socket.once("close", () => resolve(performance.now() - (takenAt.get(port) ?? NaN)))
      })
    })
    // A client that sends to a closed connection gets an error.
    socket.on("error", () => undefined).on("data", (chunk) => (heard += String(chunk)))
    return { socket, more, gone, wasTold: () => heard.includes("HTTP/1.1 408 ") === isTold }
  })
  // Server and senders share one process: the time for which that stalls is not counted against the server.
  let [late, last] = [0, performance.now()]
  const dripping = setInterval(() => {
    late += performance.now() - last - 250
    last = performance.now()
    for (const { more, socket } of drips) if (socket.writable) socket.write(more)
  }, 250)
  const took = await Promise.all(drips.map(({ gone }) => gone))
  clearInterval(dripping)
  assert.isAtMost(Math.max(...took), 20_000 + Math.max(0, late))
  assert.isTrue(drips.every(({ wasTold }) => wasTold()))
}, 90_000)

it("a request that takes 15 s to arrive is answered", async () => {
  const socket = open(false)
  const answer = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(String(chunk))))
  const body = JSON.stringify("x".repeat(28))
  socket.write(post("/read", `Content-Length: ${body.length}`))
  let sent = 0
  const dripping = setInterval(() => socket.write(body.charAt(sent++)), 500)
  assert.match(await answer, /^HTTP\/1\.1 200 /)
  assert.strictEqual(sent, body.length)
  clearInterval(dripping)
  socket.destroy()
}, 60_000)
