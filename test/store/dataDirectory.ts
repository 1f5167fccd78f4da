import * as PostgresServer from "@sightline/store/PostgresServer"
import { Effect, Option } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"

/** The cluster directory of the server of `dataDir`. */
const clusterOf = (dataDir: string): string => join(dataDir, "postgres")

/** The embedded Postgres that runs on `dataDir`. */
export const serverIn = (dataDir: string) => PostgresServer.find(clusterOf(dataDir))

/** An empty directory that is removed after the test, together with a server that a failed test left in its `data`. */
export const emptyDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync("/tmp/sightline-embedded-")),
  (path) =>
    Effect.gen(function* () {
      const dataDir = join(path, "data")
      const left = serverIn(dataDir)
      if (Option.isSome(left)) yield* PostgresServer.stop(clusterOf(dataDir), left.value)
      rmSync(path, { recursive: true, force: true })
    })
)

/** A data directory of the embedded Postgres that does not exist yet. */
export const dataDirectory = Effect.map(emptyDirectory, (path) => join(path, "data"))
