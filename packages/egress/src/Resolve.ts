import { Effect } from "effect"
import { Resolver } from "node:dns/promises"

/** Finds all addresses of a name, in one look-up; an unknown name has none. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>>

/**
 * How long one family of addresses is waited for when there are some of the other: name servers that know none of a family may say
 * nothing at all. Less than any deadline, so that what is known by then counts.
 */
const otherFamilyMillis = 1000

/** The addresses of a name by the machine's own DNS servers: neither its hosts file nor its search domains count. */
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
