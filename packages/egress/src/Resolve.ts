import { Effect } from "effect"
import { Resolver } from "node:dns/promises"

/** Finds all addresses of a name, in one look-up; an unknown name has none. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>>

/**
 * How long to wait for one family of addresses (IPv4, IPv6) once there are some of the other: a name server without addresses
 * of a family may not reply at all. It is shorter than any deadline, so that the addresses found by then are used.
 */
const otherFamilyMillis = 1000

/** The addresses of a name from the DNS servers of this machine. Its hosts file and search domains are not used. */
export const resolveByDns: Resolve = (name) =>
  Effect.promise(async (signal) => {
    const resolver = new Resolver()
    const giveUp = () => resolver.cancel()
    signal.addEventListener("abort", giveUp)
    let timer: NodeJS.Timeout | undefined
    const families = [resolver.resolve4(name), resolver.resolve6(name)].map(async (asked) => {
      const addresses = await asked.catch(() => [])
      if (addresses.length > 0) timer ??= setTimeout(giveUp, otherFamilyMillis)
      return addresses
    })
    const found = await Promise.all(families)
    clearTimeout(timer)
    return found.flat()
  })
