/**
 * Builds the program into `build/server`, unless the bundle there was made of the same sources.
 *
 * Shape: `node apps/server/build.ts`, from any folder.
 */
import { bundle, isFresh } from "./Bundle.ts"

if (!isFresh()) await bundle()
