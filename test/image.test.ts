/**
 * What the installation makes of the sources, and what a start makes of it.
 *
 * Planted faults, each seen red: a bundle always taken for fresh, or never; one taken for fresh although a source was saved while
 * it was made; what it was made in left behind; a start that goes on where nothing could be built.
 */
import { execFile, execFileSync, execSync, spawnSync } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { assert, beforeEach, it, onTestFinished } from "vitest"

const steps = readFileSync("infra/Dockerfile", "utf8")

/** A folder with what the image has before its installation. Libraries are those of the checkout, the packages of ours those of the image. */
let image = ""

beforeEach(() => {
  image = mkdtempSync(join(tmpdir(), "sightline-image-"))
  onTestFinished(() => rmSync(image, { recursive: true, force: true }))
  for (const [, sources = "", target = ""] of steps.matchAll(/^COPY (.+) (\S+)$/gm))
    for (const source of sources.split(" "))
      cpSync(source, join(image, sources.includes(" ") ? join(target, source) : target), { recursive: true })
  mkdirSync(join(image, "node_modules"))
  for (const name of readdirSync("node_modules"))
    if (name === "@sightline")
      cpSync(join("node_modules", name), join(image, "node_modules", name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(resolve("node_modules", name), join(image, "node_modules", name))
})

it("the image's own files are enough for what the installation in it prepares, and a start compiles nothing anew", () => {
  assert.match(steps, /^RUN npm ci /m)
  execFileSync("npm", ["run", "prepare"], { cwd: image, stdio: "pipe" })
  for (const page of ["index.html", "reference/index.html"])
    assert.isTrue(existsSync(join(image, "build/dashboard", page)), page)

  const { scripts } = JSON.parse(readFileSync(join(image, "package.json"), "utf8"))
  const [, flags = assert.fail("no start")] = /exec (env .+) apps\/server\/start\.ts$/.exec(scripts.start) ?? []
  const compiled = () => globSync("build/compiled/*/*", { cwd: image }).sort()
  const prepared = compiled()
  assert.isNotEmpty(prepared)
  execSync(`${flags} build/server/src/Process.js`, { cwd: image, stdio: "pipe" })
  assert.deepStrictEqual(compiled(), prepared)
})

it("a start runs what the sources say now", async () => {
  const start = "apps/server/start.ts"
  const settings = join(image, "apps/server/src/settings/Settings.ts")
  // A wrong setting ends it at once, in the words of the source.
  const said = () =>
    promisify(execFile)(process.execPath, [start], { cwd: image, env: { PORT: "x" } }).then(
      () => assert.fail("started"),
      ({ stderr }: { readonly stderr: string }) => stderr
    )
  assert.strictEqual(await said(), "sightline: PORT must be a port from 0 to 65535\n")
  const built = () => statSync(join(image, "build/server/src/Program.js")).mtimeMs
  const first = built()
  await said()
  assert.strictEqual(built(), first)

  writeFileSync(settings, readFileSync(settings, "utf8").replaceAll("a port from", "a number from"))
  const anew = "sightline: PORT must be a number from 0 to 65535\n"
  assert.deepStrictEqual(await Promise.all([said(), said(), said()]), [anew, anew, anew])
  assert.deepStrictEqual(readdirSync(join(image, "build")), ["server"])

  // Saved after the bundle was begun: what is made is not believed, and made again.
  const later = Date.now() / 1000 + 3600
  utimesSync(settings, later, later)
  rmSync(join(image, "build"), { recursive: true })
  assert.strictEqual(await said(), anew)
  const unbelieved = built()
  assert.strictEqual(await said(), anew)
  assert.isAbove(built(), unbelieved)

  appendFileSync(settings, "const = 1\n")
  const { status, stderr } = spawnSync(process.execPath, [start], { cwd: image, env: { PORT: "x" } })
  assert.strictEqual(status, 1)
  assert.include(String(stderr), "Settings.ts")
  assert.notInclude(String(stderr), "sightline: PORT")
})
