import { createServer } from "node:https"
import { hostileText } from "./payloads.ts"
import { home, identity } from "../engine/receivers.ts"
import { listen } from "../services/listen.ts"

/** A webhook receiver that answers each delivery with another hostile text, and refuses every second one. */
export const startHostileReceiver = async () => {
  let count = 0
  const server = createServer(identity, (request, response) => {
    request.resume()
    request.on("end", () => {
      response.writeHead(count % 2 === 0 ? 200 : 500, { "content-type": "text/html" }).end(hostileText(count++))
    })
  })
  const port = await listen(server, home)
  return {
    url: `https://${home}:${port}/<script>alert(1)</script>`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
