/**
 * Builds the dashboard and the reference into `build/dashboard`, unless what is there was made of the same sources.
 *
 * Shape: `node apps/dashboard/build.ts [--always]`, from any folder; with `--always` it prints what each file weighs.
 */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { digestOf, repository } from "../Digest.ts"

const target = join(repository, "build/dashboard")
const stamp = join(target, ".sources")

// The page's own sources, those of ours that it imports, and the versions of the libraries.
const madeOf = ["apps/dashboard/{src,public}/**/*.*", "apps/dashboard/*.*", "packages/{contract,domain}/src/**/*.*"]

const print = () => {
  const files = globSync("assets/*", { cwd: target }).map((path) => ({ path, bytes: readFileSync(join(target, path)) }))
  const lines = files.map(({ path, bytes }) => ({ path, plain: bytes.length, packed: gzipSync(bytes).length }))
  for (const { path, plain, packed } of lines.sort((a, b) => b.packed - a.packed))
    process.stdout.write(`${(packed / 1000).toFixed(1).padStart(7)} kB of ${(plain / 1000).toFixed(1)}  ${path}\n`)
}

const sources = digestOf([...globSync(madeOf, { cwd: repository }).sort(), "package-lock.json"])
const always = process.argv.includes("--always")
if (always || !existsSync(stamp) || readFileSync(stamp, "utf8") !== sources) {
  // Libraries are loaded only when there is something to build. Built beside and moved at once, so that no half a page is served.
  const [{ build }, { configOf }, { referencePage }] = await Promise.all([
    import("vite"),
    import("./ViteConfig.ts"),
    import("./ReferencePage.ts")
  ])
  process.env["NODE_ENV"] = "production"
  const fresh = `${target}.${process.pid}`
  await build(configOf(fresh))
  mkdirSync(join(fresh, "reference"))
  writeFileSync(join(fresh, "reference/index.html"), await referencePage())
  writeFileSync(join(fresh, ".sources"), sources)
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
}
if (always) print()
