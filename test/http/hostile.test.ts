/**
 * Malformed and hostile requests to the check, compare, ask, watch and webhook endpoints, and to the HTTP layer below them.
 *
 * Planted and seen red:
 * - no `clientError` handler;
 * - no depth limit;
 * - lenient UTF-8;
 * - lengths in code units;
 * - a repeated Authorization header accepted;
 * - a method refused that the path has;
 * - a body with any transfer encoding accepted;
 * - a connection kept open after an ambiguous request;
 * - a repeated content type accepted;
 * - a host required from HTTP/1.0.
 */
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { asking } from "./asking.ts"
import { type Case, send } from "./hostile.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { silent, watching } from "./watching.ts"

const corpus: { readonly cases: ReadonlyArray<Case> } = JSON.parse(
  readFileSync("test/fixtures/http/bad-requests.json", "utf8")
)

const concerned = (one: Case): boolean => {
  const target =
    one.kind === "http"
      ? (one.path ?? "")
      : (one.raw ?? one.raw_gen?.head ?? one.raw_gen?.repeat ?? one.raw_slow?.text ?? "")
  return (
    one.kind === "raw" ||
    target === "/v1/check" ||
    target === "/v1/compare" ||
    target === "/v1/ask" ||
    target.startsWith("/v1/watch") ||
    target.startsWith("/v1/webhooks") ||
    one.id === "bad-165" ||
    one.id === "bad-171"
  )
}

const repeated: Case = {
  id: "repeated",
  category: "headers",
  kind: "raw",
  why: "a header twice",
  expect: { status: [400], code: [] }
}

const { env, program } = await started()
const admin = operator(program, env.ADMIN_TOKEN)
const own = await customer(program, env.ADMIN_TOKEN)
const second = await customer(program, env.ADMIN_TOKEN)
const revoked = await customer(program, env.ADMIN_TOKEN)
await admin.admin(`/keys/${revoked.keyId}`, undefined, "DELETE")
const detached = await customer(program, env.ADMIN_TOKEN)
await admin.admin(`/accounts/${detached.account}`, undefined, "DELETE")
const account = own.account
const tokens: Record<string, string> = {
  HOST: new URL(program.base).host,
  KEY: own.key,
  KEY2: second.key,
  FOREIGN_WATCH_ID: (await watching(program, second.key).create({ trigger_on: silent })).id,
  REVOKED_KEY: revoked.key,
  DETACHED_KEY: detached.key,
  WEBHOOK_ID: await asking(program, own.key).endpoint(),
  FOREIGN_WEBHOOK_ID: await asking(program, second.key).endpoint(),
  KEY_SWAPCASE: own.key.replaceAll(/[a-zA-Z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  )
}

const fill = (one: Case): Case => {
  const own = { ...tokens }
  return JSON.parse(
    JSON.stringify(one).replaceAll(/\{\{([A-Z0-9_]+)\}\}/g, (_, name: string) => (own[name] ??= randomUUID()))
  )
}

const entries = async () => (await admin.ledger(account)).entries.length

/** The limit for an immediate response, even on a slow machine: the server's own timeouts close a connection after 10 s. */
const atOnceMaxMillis = 9000

describe("hostile requests", () => {
  it.each(corpus.cases.filter(concerned))(
    "$id: $why",
    async (template) => {
      const one = fill(template)
      for (const { body_json, headers, status } of one.setup ?? []) {
        const first = await call(`${program.base}/v1/check`, { key: tokens["KEY"] ?? "", body: body_json, headers })
        assert.include(status, first.status)
      }
      const before = await entries()
      const { status, headers, text, millis } = await send(program.base, one)
      assert.isBelow(millis, Math.max(one.expect.max_ms ?? 0, atOnceMaxMillis))
      if (status === undefined) assert.isTrue(one.expect.close_ok, "closed without an answer")
      else {
        assert.include(one.expect.status, status, text)
        if (status >= 400) {
          assert.match(String(headers["content-type"]), /^application\/json/)
          const body = JSON.parse(text)
          assert.isString(body.request_id)
          if (one.expect.code.length > 0) assert.include(one.expect.code, body.error.code ?? body.error)
          // The issues of an invalid request are listed.
          if (body.error.code === "invalid_request") assert.isNotEmpty(body.error.details.issues)
          for (const field of one.expect.body_has ?? []) assert.include(text, `"${field}"`)
          assert.strictEqual(await entries(), before)
        }
        for (const name of one.expect.not_header ?? []) assert.notProperty(headers, name)
        for (const secret of one.expect.must_not_contain ?? []) assert.notInclude(text, secret)
        assert.notMatch(text, /\bat .+\.ts:\d+|node_modules|SELECT |INSERT /)
      }
      assert.strictEqual((await call(`${program.base}/readyz`)).status, 200)
      assert.notInclude(program.output(), tokens["KEY"] ?? "no key")
    },
    120_000
  )

  it("400: a body nested deeper than 32 levels is refused for its depth, whatever else is wrong", async () => {
    const query = Array.from({ length: 32 }).reduce<unknown>((inner) => [inner], "deep")
    const { status, body } = await call(`${program.base}/v1/check`, { key: tokens["KEY"] ?? "", body: { query } })
    assert.strictEqual(status, 400)
    assert.include(body.error.message, "is nested deeper than 32 levels")
  })

  it("400: a repeated header is refused if two readers could interpret the request differently", async () => {
    const lines = [
      ["Authorization", `Bearer ${tokens["KEY"]}`],
      ["Host", tokens["HOST"]],
      ["Idempotency-Key", "twice"],
      ["Content-Type", "application/json"]
    ]
    const body = JSON.stringify({ query: "q", brand: "b" })
    // A header name within a value is no header.
    const fixed = `X-About: authorization\r\nContent-Length: ${body.length}\r\n`
    const sendWith = (twice: string | undefined) => {
      const headers = lines.flatMap(([name, value]) => Array(name === twice ? 2 : 1).fill(`${name}: ${value}\r\n`))
      const raw = `POST /v1/check HTTP/1.1\r\n${headers.join("")}${fixed}\r\n${body}`
      return send(program.base, { ...repeated, raw })
    }
    assert.strictEqual((await sendWith(undefined)).status, 200)
    for (const [name] of lines) {
      const { status, text, headers } = await sendWith(name)
      assert.strictEqual(status, 400, name)
      assert.include(text, "may not be repeated")
      assert.strictEqual(JSON.parse(text).error.code, "request_failed")
      assert.strictEqual(headers["connection"], "close")
    }
  })

  it("200: HTTP/1.0 needs no host", async () => {
    assert.strictEqual((await send(program.base, { ...repeated, raw: "GET /readyz HTTP/1.0\r\n\r\n" })).status, 200)
  })

  it("400: a body in an unsupported transfer encoding is refused, and what follows it is not read", async () => {
    const body = JSON.stringify({ query: "q", brand: "b" })
    const fixed = `Host: ${tokens["HOST"]}\r\nAuthorization: Bearer ${tokens["KEY"]}\r\nContent-Type: application/json\r\n`
    const sendAs = (version: string, encoding: string) => {
      const head = `POST /v1/check HTTP/${version}\r\n${fixed}Transfer-Encoding: ${encoding}\r\n\r\n`
      return send(program.base, { ...repeated, raw: `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` })
    }
    assert.strictEqual((await sendAs("1.1", "Chunked")).status, 200)
    const before = await entries()
    for (const [version, encoding] of [
      ["1.1", "gzip, chunked"],
      ["1.1", "deflate,chunked"],
      ["1.0", "chunked"]
    ] as const) {
      const { status, text, headers } = await sendAs(version, encoding)
      assert.strictEqual(status, 400, text)
      assert.include(text, "transfer encoding")
      assert.strictEqual(JSON.parse(text).error.code, "request_failed")
      assert.strictEqual(headers["connection"], "close")
    }
    assert.strictEqual(await entries(), before)
  })
})
