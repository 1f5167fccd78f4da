import { Effect } from "effect"
import { Resolver } from "node:dns/promises"

/** Finds all addresses of a name, in one look-up; an unknown name has none. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>>

/** The addresses of a name by the machine's own DNS servers: neither its hosts file nor its search domains count. */
export const resolveByDns: Resolve = (name) =>
  Effect.promise(async (signal) => {
    const resolver = new Resolver()
    signal.addEventListener("abort", () => {
      resolver.cancel()
    })
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((family) => (family.status === "fulfilled" ? family.value : []))
  })
