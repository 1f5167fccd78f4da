import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** How many processes of one test run may ask at once without getting the same port. */
const shares = 16

/** This process's share, by the number that Vitest gives to concurrent processes. */
const share = Number(process.env["VITEST_POOL_ID"] ?? 0) % shares

const given = new Set<number>()

/**
 * A port that was free a moment ago, for a process about to be started. No other process of the test run gets it meanwhile.
 * Choice: outside the range from which the system assigns ports, because it could assign this one meanwhile.
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
