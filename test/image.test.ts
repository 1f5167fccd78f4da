/**
 * What the installation builds from the sources, and how a start uses and rebuilds it.
 *
 * Planted and seen red: a bundle always taken as up to date, or never; a bundle taken as up to date although a source was saved during its
 * build; temporary build files left behind; a start that continues after a failed build.
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

/** A folder with the contents of the image before its installation. Libraries come from the checkout, our packages from the image. */
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

it("the image's own files suffice for the build of the installation, and a start compiles nothing", () => {
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

it("a start runs the current sources", async () => {
  const start = "apps/server/start.ts"
  const settings = join(image, "apps/server/src/settings/Settings.ts")
  // An invalid setting ends it immediately, with a message from the source.
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

  // Saved after the build began: the bundle is not taken as up to date, and is built again.
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
