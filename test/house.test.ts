/**
 * The rules of this repository that no linter checks: allowed imports between packages, one file per driver, and the maximum length of a
 * file.
 *
 * Planted and seen red:
 * - an engine import in `store`, with names and for its side effects;
 * - `node:http` outside its file, in both ways;
 * - a file of 251 lines;
 * - a `../` import;
 * - a folder of the machine named in a comment;
 * - a generator function that is created at each call;
 * - a service named after another file.
 */
import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

/** The packages that each package may import. `ARCHITECTURE.md` draws this table. */
const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: [],
  actor: [],
  egress: [],
  contract: ["domain"],
  store: ["domain"],
  sandbox: ["domain"],
  platforms: ["domain", "actor", "egress"],
  engine: ["domain", "actor", "egress", "store", "platforms"],
  server: ["domain", "actor", "egress", "store", "platforms", "engine", "contract", "sandbox"],
  cli: ["domain", "contract"],
  dashboard: ["domain", "contract"]
}

/** Each library or built-in that does I/O, and the only files that may import it. */
const doors: ReadonlyArray<readonly [pattern: RegExp, ...doors: ReadonlyArray<string>]> = [
  // One connection, and the protocols over it.
  [
    /^@nats-io\//,
    ...["Nats", "NatsBus", "NatsStreams", "NatsWorkQueue"].map((file) => `packages/actor/src/${file}.ts`)
  ],
  [/^@effect\/sql-pg/, "packages/store/src/Postgres.ts"],
  // One for vendors, one for addresses from customers, one for an operator whose calls may take any time.
  [
    /^undici|platform-node\/NodeHttpClient|platform-node\/Undici/,
    "packages/platforms/src/Transport.ts",
    "packages/egress/src/Connection.ts",
    "apps/cli/src/AuditCommand.ts"
  ],
  [/^playwright-core/, "packages/platforms/src/Browser.ts"],
  [/platform-node\/NodeHttpServer$/, "apps/server/src/http/NodeServer.ts"],
  [/^@modelcontextprotocol\/server/, "apps/cli/src/McpServer.ts"],
  // Only the server listens, and only the egress guard connects.
  [/^node:https?$/, "apps/server/src/http/NodeServer.ts"],
  [/^node:tls$/, "packages/egress/src/Dial.ts"],
  [/^node:dns(?:\/promises)?$/, "packages/egress/src/Resolve.ts"]
]

/** The maximum number of lines of a source file. A longer one must be split. */
const linesMax = 250

const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx}").map((path) => {
  const text = readFileSync(path, "utf8")
  const imports = Array.from(text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g), (match) => match[1] ?? "")
  return { path, home: path.split("/")[1] ?? "", lines: text.split("\n").length - 1, imports, text }
})

/** A function that returns `Effect.gen` of a generator that it creates at each call. */
const makesGenerator =
  /\bconst (\w+) = (?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)(?::[^=;]*(?:=>[^=;]*)*?)?\s*=>\s*Effect\.gen\(/g

/** Code that serves many calls. The command line serves only one. */
const serving = files.filter(({ home }) => home !== "cli" && home !== "dashboard")

it("the source files are found", () => {
  assert.isAbove(files.length, 30)
})

/** The key of a service: the import path of its file, followed by its own name if the file is named after something else. */
const serviceKey = /(?<!\bimport)\(\s*"(@sightline\/[^"]+)"/g

describe.each(files)("$path", ({ path, home, lines, imports, text }) => {
  it("imports only what its package may", () => {
    const ours = imports.filter((name) => name.startsWith("@sightline/")).map((name) => name.split("/")[1] ?? "")
    assert.includeMembers([home, ...(mayImport[home] ?? [])], ours)
    assert.notInclude(imports.join(" "), "../")
  })

  it("names its services after the file", () => {
    const own = path.replace(/^\w+\/(\w+)\/src\/(.*)\.tsx?$/, "@sightline/$1/$2")
    const named = Array.from(text.matchAll(serviceKey), ([, key = ""]) => key)
    assert.deepEqual(
      named.filter((key) => key !== own && key.slice(0, key.lastIndexOf("/")) !== own),
      []
    )
  })

  it("does I/O only through the one file for it", () => {
    const closed = doors.filter(([, ...behind]) => !behind.includes(path))
    assert.deepEqual(
      imports.filter((name) => closed.some(([pattern]) => pattern.test(name))),
      []
    )
  })

  it(`has at most ${linesMax} lines`, () => {
    assert.isAtMost(lines, linesMax)
  })
})

it("no file names the machine's own folders", () => {
  const named = globSync("{packages,apps,test,bench,docs,infra}/**/*.{ts,tsx,md,json,yaml}", {
    exclude: (name) => name.includes("node_modules")
  }).filter((path) => /\.\.\/shared\b/.test(readFileSync(path, "utf8")))
  assert.deepEqual(
    named.filter((path) => path !== "test/house.test.ts"),
    []
  )
})

it("the index of decisions lists each decision", () => {
  const pages = globSync("[0-9]*.md", { cwd: "docs/decisions" })
  const index = readFileSync("docs/decisions/README.md", "utf8")
  const linked = Array.from(index.matchAll(/\]\(([^)]+)\)/g), ([, page]) => page)
  assert.sameMembers(linked, pages)
})

// Decision 18: each call of a generator function leaves a hidden class in the old generation of the heap.
it.each(serving)("$path creates its generators once, with Effect.fnUntraced", ({ text }) => {
  assert.deepEqual(
    Array.from(text.matchAll(makesGenerator), ([, name]) => name),
    []
  )
})
