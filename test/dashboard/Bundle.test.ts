/**
 * What the browser loads for the first page, and that the page needs no exception in its policy.
 *
 * Planted and seen red: the overview imports the detector at once; an inline script in `index.html`.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Schema } from "effect"
import { build } from "vite"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { configOf } from "../../apps/dashboard/ViteConfig.ts"

const Chunk = Schema.Struct({
  file: Schema.String,
  imports: Schema.optionalKey(Schema.Array(Schema.String))
})
const Manifest = Schema.fromJsonString(Schema.Record(Schema.String, Chunk))

/** Units: bytes after gzip. */
const firstPageMax = 250_000

let folder = ""

const read = (path: string) => readFileSync(join(folder, path))

/** Every file that a page's module imports statically. */
const filesOf = (manifest: typeof Manifest.Type, names: ReadonlyArray<string>): ReadonlySet<string> => {
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the manifest lacks ${name}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  names.forEach(visit)
  return files
}

describe("the built dashboard", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sightline-dashboard-"))
    // Vite uses the libraries' development builds in any other environment.
    vi.stubEnv("NODE_ENV", "production")
    await build(configOf(folder))
  })

  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  it(`loads at most ${firstPageMax / 1000} kB for the overview, styles and page included`, () => {
    const manifest = Schema.decodeSync(Manifest)(read("manifest.json").toString())
    const scripts = filesOf(manifest, ["index.html", "src/visibility/OverviewPage.tsx"])
    const styles = globSync("assets/*.css", { cwd: folder })
    const sizes = [...scripts, ...styles, "index.html"].map((file) => ({ file, bytes: gzipSync(read(file)).length }))
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    assert.isAbove(sizes.length, 3)
    assert.isAtMost(total, firstPageMax, sizes.map(({ file, bytes }) => `${bytes} ${file}`).join("\n"))
  })

  it("has no inline script, inline style or handler in its page", () => {
    const page = read("index.html").toString()
    assert.notMatch(page, /<style|\sstyle=|\son\w+=|javascript:/i)
    for (const [, attributes, body] of page.matchAll(/<script([^>]*)>([^<]*)/g)) {
      assert.match(attributes ?? "", /\ssrc="\/assets\//)
      assert.strictEqual(body, "")
    }
  })

  it("names no address outside its own origin in its page and styles", () => {
    const texts = ["index.html", ...globSync("assets/*.css", { cwd: folder })].map((file) => read(file).toString())
    assert.notMatch(texts.join("\n"), /https?:|data:|\/\/[a-z]/i)
  })
})
