/**
 * The limit of connections from one network.
 *
 * Planted and seen red: no limit; one connection more or less; loopback or a private network limited, in each of its spellings; an address
 * that is never accepted again, or counted from zero once one of its connections is closed; an IPv6 address counted apart from the others
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

/** The remote address that the next connections appear to have, because a machine reliably has no other address than loopback. */
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

/** Connects from this address, as the server sees it. Returns the connection once it has a response, or undefined if it is closed. */
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

it(`a public address may hold ${most} connections, and a new one for each that it closes`, async () => {
  const held = await connectAll("93.184.215.1", most + 3)
  assert.lengthOf(held, most)
  for (const socket of held.slice(0, 2)) {
    socket.destroy()
    await waitFor("a place", () => connectFrom("93.184.215.1"))
    assert.isUndefined(await connectFrom("93.184.215.1"))
  }
  assert.isDefined(await connectFrom("93.184.215.2"))
})

it(`the addresses of one IPv6 network hold ${most} connections together, and the next network holds as many`, async () => {
  const open = await Promise.all([connectAll("2606:4700:1::1", most / 2), connectAll("2606:4700:1::2", most / 2)])
  assert.lengthOf(open.flat(), most)
  assert.isUndefined(await connectFrom("2606:4700:1:0:a:b:c:d"))
  assert.isDefined(await connectFrom("2606:4700:1:1::1"))
})

it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "10.89.0.1", "::ffff:172.18.0.1", "fd00::1"])(
  "%s, which may be a proxy, has no limit",
  async (address) => {
    assert.lengthOf(await connectAll(address, most + 1), most + 1)
  }
)
