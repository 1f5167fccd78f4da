/**
 * Senders that never come to an end: 500 at once, byte by byte, half of whom go on when they were told to leave.
 *
 * Planted and seen red: 20 s for a request to arrive, looked at once a second; a connection that is ended on our side alone; an
 * offer to go on in another protocol that is taken up.
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

/** When the server took each connection, by the port it came from: the kernel connects whoever waits for that, 500 for seconds under load. */
const takenAt = new Map<number | undefined, number>()
subscribe("net.server.socket", (message) => {
  if (Predicate.hasProperty(message, "socket") && message.socket instanceof Socket)
    takenAt.set(message.socket.remotePort, performance.now())
})

const open = (allowHalfOpen: boolean) => connect({ port: Number(base().port), host: base().hostname, allowHalfOpen })

const post = (path: string, size: string) =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${size}\r\n\r\n`

const sized = (path: string) => post(path, "Content-Length: 100000")

/** How each kind begins, what it repeats then, and whether it is told why it has to leave. */
const kinds = [
  { first: "POST /read HTTP/1.1\r\nHost: h\r\n", more: "X-A: b\r\n", isTold: true },
  { first: sized("/read"), more: "x", isTold: true },
  { first: post("/read", "Transfer-Encoding: chunked"), more: "1\r\nx\r\n", isTold: true },
  { first: `${post("/read", "Content-Length: 2")}{}${sized("/read")}`, more: "x", isTold: true },
  { first: post("/read", "Content-Length: 100000\r\nConnection: Upgrade\r\nUpgrade: h2c"), more: "x", isTold: true },
  { first: sized("/unread"), more: "x", isTold: false }
]

it("whose request goes on for ever is told and gone within 20 s of its first byte, also when it goes on all the same", async () => {
  const drips = Array.from({ length: 500 }, (_, nth) => {
    const { first, isTold, more } = kinds[nth % kinds.length] ?? assert.fail("there are kinds")
    const socket = open(nth < 250)
    // Not when it is connected: the rest, which does not wait for that, would come before it where the process stands still.
    socket.write(first)
    let heard = ""
    const gone = new Promise<number>((resolve) => {
      socket.once("connect", () => {
        const port = socket.localPort
        socket.once("close", () => resolve(performance.now() - (takenAt.get(port) ?? NaN)))
      })
    })
    // Whoever goes on sending to nobody learns it from an error.
    socket.on("error", () => undefined).on("data", (chunk) => (heard += String(chunk)))
    return { socket, more, gone, wasTold: () => heard.includes("HTTP/1.1 408 ") === isTold }
  })
  // Server and senders are one process: how long it stood still besides is not the server's doing.
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

it("who takes 15 s for a request is answered", async () => {
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
