/**
 * Runs the built program. Builds it first if a source has changed.
 *
 * Shape: `node apps/server/start.ts`, from any folder; settings come from the environment.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { isFresh, program } from "./Bundle.ts"
import type { run } from "./src/Program.ts"

if (!isFresh()) {
  // In a process of its own: the build takes memory that this process would not free.
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" })
  if (status !== 0) process.exit(1)
}
const built: { readonly run: typeof run } = await import(program)
built.run()
