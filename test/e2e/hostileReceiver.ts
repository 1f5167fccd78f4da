import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { hostileText } from "./payloads.ts"
import { listen } from "../services/listen.ts"

const fixture = (name: string) => readFileSync(new URL(`../fixtures/egress/${name}`, import.meta.url))

/** A receiver of webhooks that answers each delivery with another hostile text, and refuses every second one. */
export const startHostileReceiver = async () => {
  let count = 0
  const server = createServer({ key: fixture("acme.key"), cert: fixture("acme.crt") }, (request, response) => {
    request.resume()
    request.on("end", () => {
      response.writeHead(count % 2 === 0 ? 200 : 500, { "content-type": "text/html" }).end(hostileText(count++))
    })
  })
  const port = await listen(server, "127.9.0.1")
  return {
    url: `https://127.9.0.1:${port}/<script>alert(1)</script>`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
