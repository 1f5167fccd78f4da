import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { assert, it } from "vitest"

it("the image's own files are enough to build the dashboard as the installation in it does", () => {
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
    assert.isTrue(existsSync(join(image, "build/dashboard/index.html")))
  } finally {
    rmSync(image, { recursive: true, force: true })
  }
})
