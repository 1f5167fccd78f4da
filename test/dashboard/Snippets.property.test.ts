/**
 * Calls written for a shell: a real shell passes the body to curl and runs nothing of it.
 *
 * Planted and seen red: quotes are not escaped; JSON is in double quotes; characters that change the text direction are left; the key
 * is made with `uuidgen`, which many systems lack.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { curlOf, typescriptOf } from "@sightline/dashboard/calls/Snippets"

const hostile = fc.constantFrom(
  "'",
  '"',
  "$(id)",
  "`id`",
  "\\",
  "\n",
  "\u202e",
  "\u009b",
  "\u2028",
  "'\"'",
  "!!",
  "; id",
  "@"
)
const text = fc
  .array(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join("").toWellFormed())
const body = fc.record({ query: text, brand: text })

/** The last argument of curl, according to a shell in which `curl` only prints it. */
const handed = (command: string): string =>
  execFileSync("sh", ["-c", `curl() { for last; do :; done; printf %s "$last"; }\n${command}`], { encoding: "utf8" })

const snippet = (sent: unknown) => ({ path: "/v1/check" as const, body: sent, origin: "http://127.0.0.1:8080" })

it("a shell passes exactly the body to curl", () =>
  fc.assert(
    fc.property(body, (sent) => {
      assert.deepEqual(JSON.parse(handed(curlOf(snippet(sent)))), sent)
    }),
    { numRuns: 40 }
  ))

it("each run of a call has a key of its own, made with standard tools, here and in the guide", () => {
  const programs = mkdtempSync(join(tmpdir(), "posix-"))
  symlinkSync(execFileSync("sh", ["-c", "command -v od"], { encoding: "utf8" }).trim(), join(programs, "od"))
  const guide = readFileSync("docs/customers/start.md", "utf8")
  for (const command of [curlOf(snippet({})), /```sh\n([\s\S]*?)```/.exec(guide)?.[1] ?? ""]) {
    const sent = [1, 2].map(() => {
      const run = `PATH=${programs}\ncurl() { printf '%s\\n' "$@"; }\n${command}`
      return /^Idempotency-Key: +([0-9a-f]{16})$/m.exec(execFileSync("sh", ["-c", run], { encoding: "utf8" }))?.[1]
    })
    assert.isString(sent[0], command)
    assert.strictEqual(new Set(sent).size, 2)
  }
})

it("a call contains no invisible characters", () =>
  fc.assert(
    fc.property(body, (sent) => {
      for (const written of [curlOf(snippet(sent)), typescriptOf(snippet(sent))])
        assert.notMatch(written.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    })
  ))

it("a program uses the contract's client, with the body as its payload", () => {
  const program = typescriptOf(snippet({ query: 'a ` ${x} " b', brand: "Acme" }))
  assert.include(program, "client.check.run(")
  assert.include(program, String.raw`"query": "a ${"`"} ${"${x}"} \" b"`)
})
