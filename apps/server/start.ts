/**
 * Runs the program as it was built, which is done first where a source has changed.
 *
 * Shape: `node apps/server/start.ts`, from any folder; settings come from the environment.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { isFresh, program } from "./Bundle.ts"
import type { run } from "./src/Program.ts"

if (!isFresh()) {
  // In a process of its own: what builds it takes memory that the program would keep.
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" })
  if (status !== 0) process.exit(1)
}
const built: { readonly run: typeof run } = await import(program)
built.run()
