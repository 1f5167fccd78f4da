import { isPublicAddress, networkOf } from "@sightline/egress/PublicAddress"
import type { Server } from "node:net"

/** Open sockets of one public network. A private address may be a reverse proxy with the connections of all customers: no limit. */
const connectionsPerNetworkMax = 200

/** Closes connections of one public network beyond its limit. */
export const capConnections = (server: Server): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    if (!isPublicAddress(address)) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    if (count > connectionsPerNetworkMax) {
      socket.destroy()
      return
    }
    open.set(network, count)
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}
