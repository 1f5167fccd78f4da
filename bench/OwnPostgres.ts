import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "@sightline/store/EmbeddedPostgres"

/** Runs a measurement on an embedded Postgres of its own, with fsync. Passes it the socket and a folder to work in. */
export const onPostgres = async <A>(measure: (socket: string, directory: string) => Promise<A>): Promise<A> => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  const scope = Scope.makeUnsafe()
  try {
    const address = await Effect.runPromise(Scope.provide(start({ dataDir: directory }), scope))
    if (!("socket" in address)) throw new Error("the embedded Postgres has no socket")
    return await measure(address.socket, directory)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(directory, { recursive: true, force: true })
  }
}
