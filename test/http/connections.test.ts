/**
 * How many connections one network may hold.
 *
 * Planted and seen red: no bound, one more or less; loopback or a private network bounded, in each of its spellings; an address
 * that is never let in again, or counted from nought once one of its connections is gone; an address of IPv6 counted apart from the others
 * of its network.
 */
import { HttpRouter, HttpServerResponse } from "effect/http"
import { EventEmitter } from "node:events"
import { Server } from "node:http"
import { connect, Socket } from "node:net"
import { afterAll, afterEach, assert, beforeAll, it, vi } from "vitest"
import { served } from "./served.ts"
import { waitFor } from "./waiting.ts"

const most = 200

const base = served(HttpRouter.add("GET", "/", HttpServerResponse.text("here")))

/** Where the next connections seem to come from. A machine has no address of its own but loopback for sure. */
let seen = ""
beforeAll(() => {
  vi.spyOn(Server.prototype, "emit").mockImplementation(function (
    this: Server,
    event: string,
    ...rest: ReadonlyArray<unknown>
  ) {
    const [socket] = rest
    if (event === "connection" && socket instanceof Socket)
      Object.defineProperty(socket, "remoteAddress", { value: seen })
    return EventEmitter.prototype.emit.call(this, event, ...rest)
  })
})
afterAll(() => vi.restoreAllMocks())

const open: Array<Socket> = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy()
})

/** Connects, as the server sees it from this address. The connection, once it was answered on, or undefined when it is closed. */
const connectFrom = (address: string): Promise<Socket | undefined> => {
  seen = address
  return new Promise((resolve) => {
    const socket = connect(Number(base().port), base().hostname)
    socket.on("error", () => undefined)
    socket.once("close", () => resolve(undefined)).once("data", () => resolve(socket))
    socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    open.push(socket)
  })
}

const connectAll = async (address: string, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => connectFrom(address)))).filter(
    (socket) => socket !== undefined
  )

it(`a public address may hold ${most} connections, and a new one for each that it gives up`, async () => {
  const held = await connectAll("93.184.215.1", most + 3)
  assert.lengthOf(held, most)
  for (const socket of held.slice(0, 2)) {
    socket.destroy()
    await waitFor("a place", () => connectFrom("93.184.215.1"))
    assert.isUndefined(await connectFrom("93.184.215.1"))
  }
  assert.isDefined(await connectFrom("93.184.215.2"))
})

it(`addresses of one IPv6 network hold ${most} connections together, those of the next as many`, async () => {
  const open = await Promise.all([connectAll("2606:4700:1::1", most / 2), connectAll("2606:4700:1::2", most / 2)])
  assert.lengthOf(open.flat(), most)
  assert.isUndefined(await connectFrom("2606:4700:1:0:a:b:c:d"))
  assert.isDefined(await connectFrom("2606:4700:1:1::1"))
})

it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "10.89.0.1", "::ffff:172.18.0.1", "fd00::1"])(
  "%s, where a proxy may be, holds as many as it likes",
  async (address) => {
    assert.lengthOf(await connectAll(address, most + 1), most + 1)
  }
)
