import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { assert, it } from "vitest"

it("the image's own files are enough to build the dashboard as its Dockerfile does", () => {
  const steps = readFileSync("infra/Dockerfile", "utf8")
  const image = mkdtempSync(join(tmpdir(), "sightline-image-"))
  try {
    for (const [, sources = "", target = ""] of steps.matchAll(/^COPY (.+) (\S+)$/gm))
      for (const source of sources.split(" "))
        cpSync(source, join(image, sources.includes(" ") ? join(target, source) : target), { recursive: true })
    symlinkSync(resolve("node_modules"), join(image, "node_modules"))
    const [, program = ""] = /^RUN node (\S+)$/m.exec(steps) ?? []
    execFileSync(process.execPath, [program], { cwd: image, stdio: "pipe" })
    assert.isTrue(existsSync(join(image, "build/dashboard/index.html")))
  } finally {
    rmSync(image, { recursive: true, force: true })
  }
})
