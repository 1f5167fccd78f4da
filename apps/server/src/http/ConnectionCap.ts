import type { Server } from "node:net"

/** Sockets one remote address may hold. Loopback is exempt: it is where a reverse proxy on the same host comes from. */
const connectionsPerAddressMax = 200

const isLoopback = (address: string): boolean =>
  address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.")

/** Turns away what one remote address opens beyond its share. */
export const capConnections = (server: Server): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    if (isLoopback(address)) return
    const count = (open.get(address) ?? 0) + 1
    if (count > connectionsPerAddressMax) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
