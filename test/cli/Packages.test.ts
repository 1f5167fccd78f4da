/**
 * The published packages as users install them: below `node_modules`, where Node strips no types, with `effect` beside them.
 *
 * Planted and seen red: imports by our packages' names; declarations that import `.ts` files, which staging itself refuses; a path of
 * the command that begins with `./`, of which npm says that it "was invalid and removed".
 */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { customer, installation, startProgram, type Program } from "../http/program.ts"

let program: Program
let env: Record<string, string>
let home: string

/** Runs a command in the folder of a user who has installed the packages. */
const run = (command: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(command, args, { cwd: home, env: { PATH: process.env["PATH"], ...env }, encoding: "utf8" })

/** Packs the staged package and installs the tarball, with its dependencies taken from our own `node_modules`. */
const install = (staged: string, name: string) => {
  const [packed] = JSON.parse(run("npm", "pack", staged, "--json", "--pack-destination", home))
  const folder = join(home, "node_modules", name)
  mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["-xzf", join(home, packed.filename), "-C", folder, "--strip-components=1"])
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  for (const dependency of [...Object.keys(dependencies), "@types/node"]) {
    const link = join(home, "node_modules", dependency)
    mkdirSync(dirname(link), { recursive: true })
    if (globSync(link).length === 0) symlinkSync(resolve("node_modules", dependency), link)
  }
  return { folder, dependencies: Object.keys(dependencies) }
}

beforeAll(async () => {
  const settings = await installation()
  program = await startProgram(settings)
  const { key } = await customer(program, settings.ADMIN_TOKEN)
  env = { SIGHTLINE_URL: program.base, SIGHTLINE_API_KEY: key }
  home = mkdtempSync(join(tmpdir(), "sightline-installed-"))
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module", private: true }))
  execFileSync(process.execPath, ["infra/stage.ts", join(home, "staged")])
})

afterAll(async () => {
  rmSync(home, { recursive: true, force: true })
  await program.stop()
})

it("the client package depends on effect alone; its example runs on plain Node and fits its declarations", () => {
  const { folder, dependencies } = install(join(home, "staged/contract"), "@sightline/contract")
  assert.deepEqual(dependencies, ["effect"])
  cpSync(join(folder, "example/check.ts"), join(home, "check.ts"))
  const output = run(process.execPath, "check.ts")
  assert.match(output, /^chatgpt (?:names it, rank|does not name it)/m)
  assert.match(output, /^cost 150$/m)
  assert.match(output, /^answered with 200$/m)
  assert.match(output, /^refused with unauthorized$/m)
  writeFileSync(
    join(home, "wrong.ts"),
    `import * as Client from "@sightline/contract/Client"
export const wrong = (client: Client.Client) => client.check.run({ headers: {}, payload: { query: 1 } })
`
  )
  const compilerOptions = {
    module: "nodenext",
    target: "es2024",
    lib: ["es2024", "esnext.array", "esnext.collection"],
    types: ["node"],
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true
  }
  /** The compiler's errors in the program or the package; errors in other declarations are not counted. */
  const mistakes = (file: string): ReadonlyArray<string> => {
    writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }))
    const tsc = resolve("node_modules/typescript/bin/tsc")
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: home, encoding: "utf8" })
    return stdout.split("\n").filter((line) => line.startsWith(file) || line.includes("@sightline"))
  }
  assert.deepEqual(mistakes("check.ts"), [])
  assert.isNotEmpty(mistakes("wrong.ts"))
})

it("the packages import nothing from outside themselves, and contain no TypeScript source", () => {
  const files = globSync("staged/**/*.{js,ts}", { cwd: home, exclude: ["**/example/**"] })
  assert.isAbove(files.length, 100)
  for (const file of files) {
    assert.match(file, /\.(?:js|d\.ts)$/)
    assert.notMatch(readFileSync(join(home, file), "utf8"), /\b(?:from|import\()\s*"(?:@sightline\/|[^"]*\.ts")/, file)
  }
})

it("the command line runs from its package", () => {
  const { folder } = install(join(home, "staged/sightline"), "sightline")
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const output = run(process.execPath, join(folder, bin.sightline), "check", "best crm", "--brand", "HubSpot")
  assert.match(output, /^cost +150 credits$/m)
})

it("the command's path is in the form that npm writes", () => {
  const { bin } = JSON.parse(readFileSync(join(home, "staged", "sightline", "package.json"), "utf8"))
  assert.deepEqual(bin, { sightline: "cli/main.js" })
})

it("the documentation gives npm the folder to publish with `./`, without which npm takes it for a GitHub repository", () => {
  const page = readFileSync("docs/customers/client.md", "utf8")
  const named = Array.from(page.matchAll(/npm (?:publish|pack|install) ([^\s;]+)/g), ([, path]) => path)
  assert.deepEqual(named, ["./build/contract", "./build/contract", "./sightline-contract-0.1.0.tgz"])
})

it("the package's README and the guide name the version of effect that its types come from", () => {
  const { dependencies } = JSON.parse(readFileSync(join(home, "staged/contract/package.json"), "utf8"))
  const page = readFileSync(join(home, "staged/contract/README.md"), "utf8")
  assert.include(page, `npm install @sightline/contract effect@${dependencies.effect}\n`)
  assert.include(readFileSync("docs/customers/client.md", "utf8"), `\`effect\` (${dependencies.effect}, pinned`)
})
