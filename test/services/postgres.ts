import { Effect, Exit, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "@sightline/store/EmbeddedPostgres"

/**
 * Vitest's global set-up: one embedded Postgres for the whole run, with its socket in `SIGHTLINE_TEST_POSTGRES`.
 * It runs without fsync, because test data need not survive a crash.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), "sightline-test-"))
  const scope = Scope.makeUnsafe()
  const address = await Effect.runPromise(Scope.provide(start({ dataDir, durable: false }), scope))
  if ("socket" in address) process.env["SIGHTLINE_TEST_POSTGRES"] = address.socket
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(dataDir, { recursive: true, force: true })
  }
}
