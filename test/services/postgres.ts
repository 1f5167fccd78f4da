import { Effect, Exit, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "@sightline/store/EmbeddedPostgres"

/**
 * Vitest's global set-up: one embedded Postgres for the whole run, its socket in `SIGHTLINE_TEST_POSTGRES`.
 * Without fsync: what a test writes need not outlive the machine.
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
