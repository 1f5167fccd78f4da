/**
 * Which Chromium is used, and what operators are told when there is none.
 *
 * Planted and seen red: a program of another name left out; a folder taken for a program; a relative place looked at.
 */
import { assert, beforeAll, afterAll, describe, it } from "vitest"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { findChromium } from "@sightline/platforms/browser/FindChromium"

let root = ""
const program = (path: string, mode = 0o755) => {
  const whole = join(root, path)
  mkdirSync(join(whole, ".."), { recursive: true })
  writeFileSync(whole, "")
  chmodSync(whole, mode)
  return whole
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "sightline-find-"))
})
afterAll(() => {
  rmSync(root, { recursive: true })
})

describe("the Chromium that is used", () => {
  it("is the configured one and no other", () => {
    const given = program("own/chrome")
    program("bin/chromium")
    assert.deepEqual(findChromium(given, join(root, "bin")), { path: given })
    const missing = join(root, "own/none")
    assert.deepEqual(findChromium(missing, join(root, "bin")), {
      missing: `CHROMIUM_PATH: ${missing} is not a program that can be run`
    })
  })

  it("is the leanest build on PATH, wherever it stands there", () => {
    program("one/google-chrome")
    program("two/chromium")
    program("two/chromium-headless-shell", 0o644)
    const searchPath = [join(root, "one"), "relative", join(root, "two")].join(":")
    assert.deepEqual(findChromium(undefined, searchPath), { path: join(root, "two/chromium") })
    const shell = program("one/chromium-headless-shell")
    assert.deepEqual(findChromium(undefined, searchPath), { path: shell })
  })

  it.each(["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])("may be %s", (name) => {
    const path = program(`only-${name}/${name}`)
    assert.deepEqual(findChromium(undefined, join(root, `only-${name}`)), { path })
  })

  it("is neither a folder with its name nor a program at a relative path", () => {
    program("folder/chromium/chromium")
    const searchPath = [join(root, "folder"), relative(process.cwd(), join(root, "folder/chromium"))].join(":")
    assert.property(findChromium(undefined, searchPath), "missing")
  })

  it("is reported as missing in one line that says what to do", () => {
    const found = findChromium(undefined, join(root, "empty"))
    assert.deepEqual(found, {
      missing: "no Chromium found: install the package chromium-headless-shell or set CHROMIUM_PATH"
    })
  })
})
