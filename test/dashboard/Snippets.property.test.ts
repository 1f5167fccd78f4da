/**
 * Calls written down for a shell: a real one hands curl the body and runs nothing of it.
 *
 * Planted and seen red: quotes not escaped, JSON in double quotes, characters that turn the direction of writing left as
 * they are.
 */
import { execFileSync } from "node:child_process"
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

/** What curl's last argument is, by a shell in which `curl` only says it. */
const handed = (command: string): string =>
  execFileSync("sh", ["-c", `uuidgen() { echo 1; }\ncurl() { for last; do :; done; printf %s "$last"; }\n${command}`], {
    encoding: "utf8"
  })

const snippet = (sent: unknown) => ({ path: "/v1/check" as const, body: sent, origin: "http://127.0.0.1:8080" })

it("a shell hands curl exactly the body", () =>
  fc.assert(
    fc.property(body, (sent) => {
      assert.deepEqual(JSON.parse(handed(curlOf(snippet(sent)))), sent)
    }),
    { numRuns: 40 }
  ))

it("nothing of a call is unseen", () =>
  fc.assert(
    fc.property(body, (sent) => {
      for (const written of [curlOf(snippet(sent)), typescriptOf(snippet(sent))])
        assert.notMatch(written.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    })
  ))

it("a program is one of the contract's client with the body as its payload", () => {
  const program = typescriptOf(snippet({ query: 'a ` ${x} " b', brand: "Acme" }))
  assert.include(program, "client.check.run(")
  assert.include(program, String.raw`"query": "a ${"`"} ${"${x}"} \" b"`)
})
