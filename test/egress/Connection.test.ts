/**
 * One request over an open plain connection to a receiver.
 *
 * Planted and seen red: the end reported again when the socket is closed for it, or reported before the socket is closed; the time of a
 * request not recorded; a tenth of the maximum response.
 */
import { Result } from "effect"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { afterAll, assert, it } from "vitest"
import {
  exchange,
  type ExchangeEnd,
  type Received,
  type Connection,
  makeConnection,
  type Outgoing,
  nothingReceived
} from "@sightline/egress/Connection"
import { parsePublicUrl } from "@sightline/egress/PublicUrl"
import { listen } from "../services/listen.ts"

const target = Result.getOrThrow(parsePublicUrl("https://hooks.acme.com/", () => false))

/** The receiver's response to a request. */
let answer = ""
const receiver = createServer((socket) => {
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    if (/^(?:GET|POST) /.test(chunk.toString())) socket.write(answer)
  })
})
const port = await listen(receiver)
afterAll(() => void receiver.close())

const connected = async () => {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined)
  await once(socket, "connect")
  return socket
}

const nothing = () => ({})
const get: Outgoing = { method: "GET", headers: nothing, body: null }
const post: Outgoing = { method: "POST", headers: nothing, body: Buffer.from("{}") }

/** One exchange, until it has ended. */
const ended = (connection: Connection, outgoing: Outgoing) =>
  new Promise<readonly [ExchangeEnd, Received]>((resolve) => {
    const received = nothingReceived()
    exchange(connection, target, outgoing, received, (end) => resolve([end, received]))
  })

it.each<readonly [string, Outgoing]>([
  ["a GET, which reads only the head of the response", get],
  ["a POST, which reads 64 KiB of the response", post]
])("%s ends once, after its connection is closed", async (_, outgoing) => {
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n" + "x".repeat(500_000)
  const socket = await connected()
  const ends: Array<readonly [ExchangeEnd, isClosed: boolean]> = []
  exchange(makeConnection(socket, "127.0.0.1", target), target, outgoing, nothingReceived(), (end) =>
    ends.push([end, socket.destroyed])
  )
  await once(socket, "close")
  assert.deepStrictEqual(ends, [["answered", true]])
})

it("the age of a connection counts from its last request", async () => {
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
  const connection = makeConnection(await connected(), "127.0.0.1", target)
  await ended(connection, post)
  connection.requestedAt = -Infinity
  const since = performance.now()
  const [end] = await ended(connection, post)
  assert.strictEqual(end, "answered")
  assert.isAtLeast(connection.requestedAt, since)
  connection.socket.destroy()
})

it("a response may have 1 MiB, including everything before it, and not a byte more", async () => {
  const last = "HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n"
  const hint = (bytes: number) => `HTTP/1.1 103 Early Hints\r\nlink: ${"x".repeat(bytes - 36)}\r\n\r\n`
  const rest = 1024 * 1024 - 255 * 4096 - last.length
  const outcomes: Array<unknown> = []
  for (const more of [0, 1]) {
    answer = hint(4096).repeat(255) + hint(rest + more) + last
    const connection = makeConnection(await connected(), "127.0.0.1", target)
    const [end, { status }] = await ended(connection, post)
    outcomes.push([answer.length - 1024 * 1024, typeof end === "string" ? end : end.code, status])
    connection.socket.destroy()
  }
  assert.deepStrictEqual(outcomes, [
    [0, "answered", 201],
    [1, "protocol_error", 0]
  ])
})
