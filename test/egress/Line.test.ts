/**
 * One request over a connection that is open already, to a receiver in the clear.
 *
 * Planted faults, each seen red: the end told again when the socket is closed for it.
 */
import { Result } from "effect"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { afterAll, assert, it } from "vitest"
import { exchange, type ExchangeEnd, lineOver, type Outgoing, silence } from "@sightline/egress/Line"
import { parsePublicUrl } from "@sightline/egress/PublicUrl"
import { listen } from "../services/listen.ts"

const target = Result.getOrThrow(parsePublicUrl("https://hooks.acme.com/", () => false))

const head = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"
const receiver = createServer((socket) => {
  socket.on("error", () => undefined)
  socket.once("data", () => socket.write(head + "x".repeat(500_000)))
})
const port = await listen(receiver)
afterAll(() => void receiver.close())

const nothing = () => ({})

it.each<readonly [string, Outgoing]>([
  ["a GET, of whose answer only the head is read", { method: "GET", headers: nothing, body: null }],
  ["a POST, of whose answer 64 KiB are read", { method: "POST", headers: nothing, body: Buffer.from("{}") }]
])("%s ends once", async (_, outgoing) => {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined)
  await once(socket, "connect")
  const ends: Array<ExchangeEnd> = []
  exchange(lineOver(socket, "127.0.0.1", target), target, outgoing, silence(), (end) => ends.push(end))
  await once(socket, "close")
  assert.deepStrictEqual(ends, ["heard"])
})
