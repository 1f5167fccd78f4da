import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * A port that was free a moment ago, for a process that is about to take it.
 * Choice: none of those the system gives to whoever asks for any, which it would give away meanwhile.
 */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(freePort()))
    const port = randomInt(10_000, 32_768)
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)))
  })
