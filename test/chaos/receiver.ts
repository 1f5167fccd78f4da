import { createServer } from "node:https"
import type { Dice } from "@sightline/sandbox/Dice"
import { home, identity } from "../engine/receivers.ts"
import type { Received } from "./history.ts"
import { listen } from "../services/listen.ts"

/** A receiver of webhooks that is fast, slow, failing or disconnecting at random, and the requests it has seen. */
export const startReceiver = async (dice: Dice) => {
  const received: Array<Received> = []
  const server = createServer(identity, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const attempt = String(request.headers["x-svc-delivery-id"])
      const status = dice.chance(0.1) ? 503 : dice.chance(0.1) ? null : 200
      received.push({ attempt, body: Buffer.concat(chunks).toString(), status })
      if (status === null) request.destroy()
      else setTimeout(() => response.writeHead(status).end(), dice.chance(0.3) ? dice.below(1500) : 20)
    })
  })
  const port = await listen(server, home)
  return {
    url: `https://${home}:${port}/in`,
    received: received as ReadonlyArray<Received>,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
