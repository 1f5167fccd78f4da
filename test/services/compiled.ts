import { tmpdir } from "node:os"
import { join } from "node:path"

/** Makes a Node process reuse the code compiled by earlier ones, of any test run: it starts a third faster. */
export const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), "sightline-compile-cache") }
