import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder that paths of sources start from. */
export const repository = join(import.meta.dirname, "..")

/** One sum of what these files are called and hold, by which a build tells whether it was made of the same. */
export const digestOf = (paths: ReadonlyArray<string>): string => {
  const sum = createHash("sha256")
  for (const path of paths)
    sum
      .update(`${path}\0`)
      .update(readFileSync(join(repository, path)))
      .update("\0")
  return sum.digest("hex")
}
