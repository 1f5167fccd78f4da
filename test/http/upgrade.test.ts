/**
 * Requests to go on in another protocol: offers, as of Java's client in the first one of each connection, and CONNECT.
 *
 * Planted and seen red: an offer that is taken up (a body or the connection is gone, and nobody is told who takes too long); no answer
 * to CONNECT; one at once, before those to what came before; nobody who listens to errors of the connection.
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
  "an offer of %s is passed over: the body is read, and the connection goes on",
  async (protocol) => {
    const socket = connect(Number(base().port), base().hostname)
    socket.write(post("first", `Connection: Upgrade\r\nUpgrade: ${protocol}`))
    const [first] = await once(socket, "data")
    assert.match(String(first), /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nfirst$/s)
    socket.write(post("second", "Connection: close"))
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nsecond$/s)
  }
)

it("whoever resets the connection after a request for a tunnel harms nobody", async () => {
  const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"
  const open = () => connect(Number(base().port), base().hostname)
  const refused = open()
  refused.write(tunnel)
  await once(refused, "data")
  refused.resetAndDestroy()
  const hasty = open()
  hasty.write(tunnel, () => hasty.resetAndDestroy())
  await once(hasty, "close")
  const after = open()
  after.write(post("after", "Connection: close"))
  assert.match(await text(after), /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nafter$/s)
})

it("a request for a tunnel is refused after the answers to what came before", async () => {
  const socket = connect(Number(base().port), base().hostname)
  socket.write(`${post("first", "X: y")}CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`)
  const [first, second = "", ...others] = (await text(socket)).split(/(?=HTTP\/1\.1 )/)
  assert.match(first ?? "", /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nfirst$/s)
  assert.match(second, /^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n\{.*"code":"request_failed".*\}$/s)
  assert.lengthOf(others, 0)
})
