/**
 * Stages what is published: the contract's client and the command line, as JavaScript with declarations, because Node
 * strips no types below `node_modules`.
 *
 *     node infra/stage.ts [FOLDER]      FOLDER/contract and FOLDER/sightline; `build` by default
 *     npm publish ./build/contract
 */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const target = resolve(process.argv[2] ?? join(root, "build"))

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))

const { dependencies } = readJson("package.json")

/** The versions that the tests ran with. */
const pinned = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, dependencies[name]]))

/** Inside a package every import of ours is a path: the folders of our packages stand side by side in it, `up` from the file. */
const rewrite = (text: string, up: string): string =>
  text.replaceAll(/"@sightline\/([\w/]+)"/g, `"${up}$1.js"`).replaceAll(/(["'])(\.\.?\/[\w/]+)\.ts\1/g, "$1$2.js$1")

const sourceOf: Readonly<Record<string, string>> = {
  cli: "apps/cli/src",
  contract: "packages/contract/src",
  domain: "packages/domain/src"
}

/** Copies a file, as `contract/Client.js`, and all that it imports of ours; what nobody imports stays out. */
const take = (compiled: string, folder: string, file: string, taken: Set<string>): void => {
  if (taken.has(file)) return
  taken.add(file)
  const [home = "", ...path] = file.split("/")
  const text = rewrite(readFileSync(join(compiled, sourceOf[home] ?? home, ...path), "utf8"), "../".repeat(path.length))
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), text)
  if (file.endsWith(".js")) take(compiled, folder, file.replace(/\.js$/, ".d.ts"), taken)
  for (const [, path = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)) {
    // Declarations need declarations only.
    take(compiled, folder, join(dirname(file), file.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path), taken)
  }
}

const stage = (compiled: string, name: string, entries: ReadonlyArray<string>, manifest: object): string => {
  const folder = join(target, name)
  rmSync(folder, { recursive: true, force: true })
  const taken = new Set<string>()
  for (const entry of entries) take(compiled, folder, entry, taken)
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  process.stdout.write(`${folder}\n`)
  return folder
}

const compiled = mkdtempSync(join(tmpdir(), "sightline-stage-"))
try {
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const options = ["-p", join(root, "infra/tsconfig.stage.json"), "--outDir", compiled]
  execFileSync(process.execPath, [tsc, ...options], { stdio: ["ignore", "inherit", "inherit"] })
  const modules = globSync("*.js", { cwd: join(compiled, "packages/contract/src") }).map((file) => `contract/${file}`)
  const contract = stage(compiled, "contract", modules, {
    name: "@sightline/contract",
    version: readJson("packages/contract/package.json").version,
    description: "The Sightline API as types, and a client made of them",
    type: "module",
    engines: { node: ">=22.19" },
    exports: { "./*": { types: "./contract/*.d.ts", default: "./contract/*.js" } },
    dependencies: pinned("effect")
  })
  for (const extra of ["README.md", "example"]) {
    cpSync(join(root, "packages/contract", extra), join(contract, extra), { recursive: true })
  }
  stage(compiled, "sightline", ["cli/main.js"], {
    name: "sightline",
    version: readJson("apps/cli/package.json").version,
    description: "Whether AI engines name a brand: the command line and MCP server of Sightline",
    type: "module",
    engines: { node: ">=22.19" },
    bin: { sightline: "cli/main.js" },
    dependencies: pinned("effect", "@effect/platform-node", "@modelcontextprotocol/server", "zod")
  })
} finally {
  rmSync(compiled, { recursive: true, force: true })
}
