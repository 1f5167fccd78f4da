import { Effect } from "effect"
import { start } from "@sightline/store/EmbeddedPostgres"

/**
 * A process that uses an embedded Postgres, for tests that kill it: `holder.ts <dataDir>`.
 * Prints `ready <socket>` or `failed <message>`. On SIGTERM it closes its scope and prints `closed`. SIGINT does not end it.
 */
const [, , dataDir = ""] = process.argv
const asked = new Promise<void>((resolve) => process.once("SIGTERM", () => resolve()))
process.on("SIGINT", () => process.stdout.write("interrupted\n"))
// Without this the process would have nothing to wait for, and would end.
const alive = setInterval(() => {}, 60_000)
await start({ dataDir, durable: false }).pipe(
  Effect.tap((address) =>
    Effect.sync(() => process.stdout.write("socket" in address ? `ready ${address.socket}\n` : "no socket\n"))
  ),
  Effect.andThen(Effect.promise(() => asked)),
  Effect.scoped,
  Effect.match({
    onSuccess: () => process.stdout.write("closed\n"),
    onFailure: ({ message }) => process.stdout.write(`failed ${message}\n`)
  }),
  Effect.runPromise
)
clearInterval(alive)
