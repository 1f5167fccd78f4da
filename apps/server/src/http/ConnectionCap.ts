import { isPublicAddress } from "@sightline/egress/PublicAddress"
import type { Server } from "node:net"

/** Sockets one public address may hold. Any other is where a reverse proxy comes from, with everybody's connections. */
const connectionsPerAddressMax = 200

/** Turns away what one public address opens beyond its share. */
export const capConnections = (server: Server): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    if (!isPublicAddress(address)) return
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
