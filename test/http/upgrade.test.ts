/**
 * Requests that offer a protocol upgrade, as Java's client does in the first request of each connection.
 *
 * Planted and seen red: an accepted offer, so that a body or the connection is lost, and slow requests get no 408.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { assert, it } from "vitest"
import { served } from "./served.ts"

const echo = HttpServerRequest.HttpServerRequest.pipe(
  Effect.flatMap((request) => request.text),
  Effect.map((body) => HttpServerResponse.text(body))
)

const base = served(HttpRouter.add("POST", "/echo", Effect.orDie(echo)))

const post = (body: string, headers: string) =>
  `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n${headers}\r\n\r\n${body}`

it.each(["h2c", "websocket"])(
  "an offer of %s is ignored: the body is read, and the connection stays open",
  async (protocol) => {
    const socket = connect(Number(base().port), base().hostname)
    socket.write(post("first", `Connection: Upgrade\r\nUpgrade: ${protocol}`))
    const [first] = await once(socket, "data")
    assert.match(String(first), /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nfirst$/s)
    socket.write(post("second", "Connection: close"))
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nsecond$/s)
  }
)
