import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** How many processes of one test run may ask at once without being told the same. */
const shares = 16

/** This process's share, as Vitest numbers those that run at once. */
const share = Number(process.env["VITEST_POOL_ID"] ?? 0) % shares

const given = new Set<number>()

/**
 * A port that was free a moment ago, for a process that is about to take it: given to nobody else of the test run meanwhile.
 * Choice: none of those the system gives to whoever asks for any, which it would give away meanwhile.
 */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const again = () => resolve(freePort())
    const port = randomInt(10_000 / shares, 32_768 / shares) * shares + share
    if (given.has(port)) return again()
    given.add(port)
    const probe = createServer()
    probe.once("error", again)
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)))
  })
