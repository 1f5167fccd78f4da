import { execFileSync, execSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { assert, it } from "vitest"

const startOf = (folder: string): string => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).scripts.start

it("the image's own files are enough for what the installation in it prepares, and a start compiles nothing anew", () => {
  const steps = readFileSync("infra/Dockerfile", "utf8")
  const image = mkdtempSync(join(tmpdir(), "sightline-image-"))
  try {
    for (const [, sources = "", target = ""] of steps.matchAll(/^COPY (.+) (\S+)$/gm))
      for (const source of sources.split(" "))
        cpSync(source, join(image, sources.includes(" ") ? join(target, source) : target), { recursive: true })
    // Libraries are those of the checkout, the packages of ours those of the image.
    mkdirSync(join(image, "node_modules"))
    for (const name of readdirSync("node_modules"))
      if (name === "@sightline")
        cpSync(join("node_modules", name), join(image, "node_modules", name), {
          recursive: true,
          verbatimSymlinks: true
        })
      else symlinkSync(resolve("node_modules", name), join(image, "node_modules", name))
    assert.match(steps, /^RUN npm ci /m)
    execFileSync("npm", ["run", "prepare"], { cwd: image, stdio: "pipe" })
    for (const page of ["index.html", "reference/index.html"])
      assert.isTrue(existsSync(join(image, "build/dashboard", page)), page)

    const compiled = () => globSync("build/compiled/*/*", { cwd: image }).sort()
    const prepared = compiled()
    assert.isNotEmpty(prepared)
    const [, flags = assert.fail("no start")] = /exec (env .+) apps\/server\/src\/main\.ts$/.exec(startOf(image)) ?? []
    execSync(`${flags} apps/server/src/Process.ts`, { cwd: image, stdio: "pipe" })
    assert.deepStrictEqual(compiled(), prepared)
  } finally {
    rmSync(image, { recursive: true, force: true })
  }
})
