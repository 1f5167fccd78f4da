/**
 * The rules of the house that no linter knows: who may import whom, one door per driver, and how large a file may be.
 *
 * Planted and seen red: an engine import in `store`, with names and for its effects alone, `node:http` outside its
 * door in both ways, a 251-line file, a `../` import, a folder of the machine named in a comment, a function of a generator that is made anew at each call,
 * a service named after another file.
 */
import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

/** A package sees the names on its line and nothing else of ours. `ARCHITECTURE.md` draws this table. */
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

/** Each library or built-in that reaches the outside world, and the one file that may name it. */
const doors: ReadonlyArray<readonly [pattern: RegExp, ...doors: ReadonlyArray<string>]> = [
  // One connection, and what is said over it.
  [
    /^@nats-io\//,
    ...["Nats", "NatsBus", "NatsStreams", "NatsWorkQueue"].map((file) => `packages/actor/src/${file}.ts`)
  ],
  [/^@effect\/sql-pg/, "packages/store/src/Postgres.ts"],
  // One for vendors, one for strangers, one for an operator who waits for as long as it takes.
  [
    /^undici|platform-node\/NodeHttpClient|platform-node\/Undici/,
    "packages/platforms/src/Transport.ts",
    "packages/egress/src/Line.ts",
    "apps/cli/src/AuditCommand.ts"
  ],
  [/^playwright-core/, "packages/platforms/src/Browser.ts"],
  [/platform-node\/NodeHttpServer$/, "apps/server/src/http/NodeServer.ts"],
  [/^@modelcontextprotocol\/server/, "apps/cli/src/McpServer.ts"],
  // Listening is the server's, calling out is the egress guard's.
  [/^node:https?$/, "apps/server/src/http/NodeServer.ts"],
  [/^node:tls$/, "packages/egress/src/Dial.ts"],
  [/^node:dns(?:\/promises)?$/, "packages/egress/src/Resolve.ts"]
]

/** Lines a file of source may have. A longer one is two files. */
const linesMax = 250

const files = globSync("{packages,apps}/*/src/**/*.{ts,tsx}").map((path) => {
  const text = readFileSync(path, "utf8")
  const imports = Array.from(text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g), (match) => match[1] ?? "")
  return { path, home: path.split("/")[1] ?? "", lines: text.split("\n").length - 1, imports, text }
})

/** A function that answers an effect of a generator which it makes itself. */
const makesGenerator =
  /\bconst (\w+) = (?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)(?::[^=;]*(?:=>[^=;]*)*?)?\s*=>\s*Effect\.gen\(/g

/** What serves many calls; the command line serves one. */
const serving = files.filter(({ home }) => home !== "cli" && home !== "dashboard")

it("there is a house to judge", () => {
  assert.isAbove(files.length, 30)
})

/** The key of a service: the import path of its file, and where the file is named after something else its own name behind that. */
const serviceKey = /(?<!\bimport)\(\s*"(@sightline\/[^"]+)"/g

describe.each(files)("$path", ({ path, home, lines, imports, text }) => {
  it("imports only what its package may", () => {
    const ours = imports.filter((name) => name.startsWith("@sightline/")).map((name) => name.split("/")[1] ?? "")
    assert.includeMembers([home, ...(mayImport[home] ?? [])], ours)
    assert.notInclude(imports.join(" "), "../")
  })

  it("names its services after itself", () => {
    const own = path.replace(/^\w+\/(\w+)\/src\/(.*)\.tsx?$/, "@sightline/$1/$2")
    const named = Array.from(text.matchAll(serviceKey), ([, key = ""]) => key)
    assert.deepEqual(
      named.filter((key) => key !== own && key.slice(0, key.lastIndexOf("/")) !== own),
      []
    )
  })

  it("reaches the outside world only through its door", () => {
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

it("the machine's own folders are named nowhere", () => {
  const named = globSync("{packages,apps,test,bench,docs,infra}/**/*.{ts,tsx,md,json,yaml}", {
    exclude: (name) => name.includes("node_modules")
  }).filter((path) => /\.\.\/shared\b/.test(readFileSync(path, "utf8")))
  assert.deepEqual(
    named.filter((path) => path !== "test/house.test.ts"),
    []
  )
})

it("each decision is in the index of decisions", () => {
  const pages = globSync("[0-9]*.md", { cwd: "docs/decisions" })
  const index = readFileSync("docs/decisions/README.md", "utf8")
  const linked = Array.from(index.matchAll(/\]\(([^)]+)\)/g), ([, page]) => page)
  assert.sameMembers(linked, pages)
})

// Decision 18: each generator function that is called leaves something in the old generation of the heap.
it.each(serving)("$path makes its generators once, by Effect.fnUntraced", ({ text }) => {
  assert.deepEqual(
    Array.from(text.matchAll(makesGenerator), ([, name]) => name),
    []
  )
})
