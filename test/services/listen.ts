import type { Server } from "node:net"

/** Makes a server listen on a free port, and returns the port. */
export const listen = (server: Server, host = "127.0.0.1"): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, host, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
