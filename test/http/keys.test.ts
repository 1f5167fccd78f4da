/**
 * Keys, with two processes on one database and one NATS.
 *
 * Planted and seen red:
 * - a key cached for 10 s;
 * - the notice of a revocation not published;
 * - the keys of a detached account left valid;
 * - a wrong key refused as a missing one, and a missing one as wrong;
 * - only check tells how a key is sent;
 * - a read-only key that spends;
 * - live calls paid from the test wallet;
 * - a key logged as it is, or a vendor key that the vendor sends back;
 * - the operator token logged;
 * - a logger that does not redact;
 * - a revoked key printed;
 * - a HEAD request treated as a change;
 * - a key printed in production.
 */
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { redactor } from "@sightline/server/Logging"
import { call, customer, installation, lastLetIn, operator, overNats, type Program, startProgram } from "./program.ts"
import { listen } from "../services/listen.ts"

let one: Program
let two: Program
let admin: ReturnType<typeof operator>
let token: string
let own: Awaited<ReturnType<typeof installation>>

beforeAll(async () => {
  own = await installation()
  token = own.ADMIN_TOKEN
  const env = { ...own, ...overNats }
  one = await startProgram(env)
  two = await startProgram(env)
  admin = operator(one, token)
})
afterAll(() => Promise.all([one.stop(), two.stop()]))

// A cheap call: its body is refused after the key has been accepted.
const probe = (program: Program, key: string) => call(`${program.base}/v1/check`, { key, body: {} })

const refusedEverywhere = (key: string, since: number) =>
  lastLetIn(since, () => Promise.all([one, two].map(async (program) => (await probe(program, key)).status)))

describe("keys", () => {
  it("401 on every process within 2 s of a revocation", async () => {
    const delays: Array<number> = []
    for (let n = 0; n < 10; n++) {
      const { key, keyId } = await customer(one, token, 0)
      assert.deepEqual([(await probe(one, key)).status, (await probe(two, key)).status], [400, 400])
      assert.strictEqual((await admin.admin(`/keys/${keyId}`, undefined, "DELETE")).status, 204)
      delays.push(await refusedEverywhere(key, Date.now()))
    }
    assert.isAtMost(Math.max(...delays), 2000)
    // With the notice, the refusal comes long before the cached key expires.
    assert.isBelow(Math.min(...delays), 700)
  })

  it("401 on every process within 2 s of a revocation whose notice is lost", async () => {
    const { key, keyId } = await customer(one, token, 0)
    const mute = await startProgram(own)
    assert.deepEqual([(await probe(one, key)).status, (await probe(two, key)).status], [400, 400])
    await operator(mute, token).admin(`/keys/${keyId}`, undefined, "DELETE")
    const delay = await refusedEverywhere(key, Date.now())
    await mute.stop()
    assert.isAtMost(delay, 2000)
  })

  it("401 on every process within 2 s of detaching the account", async () => {
    const { account, key } = await customer(one, token, 0)
    await probe(two, key)
    await admin.admin(`/accounts/${account}`, undefined, "DELETE")
    assert.isAtMost(await refusedEverywhere(key, Date.now()), 2000)
  })

  it("401: a request without a key, or with nothing like one, is told how to send it, on every endpoint", async () => {
    const { key } = await customer(one, token, 0)
    for (const headers of [{}, { authorization: key }, { authorization: "Bearer lvk_test_short" }])
      for (const [path, body] of [["wallet"], ["check", {}], ["ask", {}]] as const) {
        const answer = await call(`${one.base}/v1/${path}`, { headers, body })
        assert.strictEqual(answer.status, 401)
        assert.strictEqual(
          answer.body.error.message,
          "Send `Authorization: Bearer <API key>`, with the key as it was shown."
        )
      }
  })

  it("401: check distinguishes a missing header from a wrong key", async () => {
    const code = async (authorization: string | undefined) => {
      const headers = authorization === undefined ? {} : { authorization }
      const {
        headers: said,
        status,
        body
      } = await call(`${one.base}/v1/check`, { body: { query: "q", brand: "b" }, headers })
      assert.deepStrictEqual([status, said.get("www-authenticate")], [401, "Bearer"])
      return body.error.code
    }
    assert.strictEqual(await code(undefined), "missing_authorization")
    assert.strictEqual(await code("Bearer"), "missing_authorization")
    assert.strictEqual(await code("Basic bHZrOng="), "missing_authorization")
    assert.strictEqual(await code("Bearer sk_live_0123456789abcdef"), "missing_authorization")
    assert.strictEqual(await code(`Bearer lvk_live_${"A".repeat(32)}`), "unauthorized")
  })

  it("200: a read-only key may read, also with HEAD", async () => {
    const { key } = await customer(one, token, 1000, { read_only: true })
    for (const method of ["GET", "HEAD"])
      assert.strictEqual((await call(`${one.base}/v1/wallet`, { key, method })).status, 200, method)
  })

  it("403: a read-only key may not spend, and nothing is charged", async () => {
    const { account, key } = await customer(one, token, 1000, { read_only: true })
    const { status, body, headers } = await call(`${one.base}/v1/check`, { key, body: { query: "q", brand: "b" } })
    assert.strictEqual(status, 403)
    assert.strictEqual(body.error.code, "forbidden")
    assert.isNotNull(headers.get("x-ratelimit-remaining"))
    assert.lengthOf((await admin.ledger(account)).entries, 1)
  })

  it("a live key and a test key of one account each spend from their own wallet", async () => {
    const { account, key } = await customer(one, token, 1000)
    const live = await admin.key(account, { environment: "live" })
    const body = { query: "whose money", brand: "Acme" }
    assert.strictEqual((await call(`${one.base}/v1/check`, { key, body })).status, 200)
    const poor = await call(`${one.base}/v1/check`, { key: live.key, body })
    assert.strictEqual(poor.status, 402)
    assert.strictEqual(poor.body.balance_cents, 0)
  })

  it("200: a live key without vendor credentials gets `provider_auth_failed` in each slot and pays nothing", async () => {
    const { account, key } = await customer(one, token, 0, { environment: "live" })
    await admin.topUp(account, 1000, "live")
    const { status, body } = await call(`${one.base}/v1/check`, { key, body: { query: "q", brand: "b" } })
    assert.strictEqual(status, 200)
    assert.strictEqual(body.cost_cents, 0)
    for (const { code } of Object.values<{ code: string }>(body.errors))
      assert.strictEqual(code, "provider_auth_failed")
  })

  it("no log line contains a key or the operator token", async () => {
    const { key } = await customer(one, token)
    await call(`${one.base}/v1/check`, { key, body: { query: "q [[sandbox:reset]]", brand: "b" } })
    for (const program of [one, two]) {
      const logged = program.output().replaceAll(/Test key .*\n|curl .*\n/g, "")
      assert.notMatch(logged, /lvk_(live|test)_[A-Za-z0-9]/)
      assert.notInclude(logged, token)
    }
    // The logger would redact them in any line.
    const redact = redactor(["short", 'with "quotes"'])
    assert.notInclude(redact(`refused ${key}`), key)
    assert.notInclude(redact(`Authorization: Bearer ${token}`), token)
    assert.strictEqual(redact(JSON.stringify({ a: 'with "quotes"', b: "short" })), '{"a":"…","b":"short"}')
  })

  it("no log line contains a vendor key, even if the vendor sends it back as request id or error code", async () => {
    const echo = createServer((request, response) => {
      const key = request.headers.authorization?.slice("Bearer ".length) ?? ""
      response.writeHead(401, { "content-type": "application/json", "x-request-id": key })
      response.end(JSON.stringify({ error: { code: key, message: key } }))
    })
    const secret = "sk-hunter2hunter2"
    const upstream = { OPENAI_API_KEY: secret, OPENAI_BASE_URL: `http://127.0.0.1:${await listen(echo)}` }
    const program = await startProgram({ ...own, ...upstream })
    const { account, key } = await customer(program, token, 0, { environment: "live" })
    await operator(program, token).topUp(account, 1000, "live")
    await call(`${program.base}/v1/check`, { key, body: { query: "q", brand: "b", providers: ["chatgpt"] } })
    await program.stop()
    echo.close()
    assert.include(program.output(), "Upstream call failed")
    assert.notInclude(program.output(), secret)
  })

  it("the printed key is the same at each start; after its revocation it is another key of the same account", async () => {
    const printed = (program: Program) =>
      /lvk_test_\w+/.exec(program.output())?.[0] ?? assert.fail("no key was printed")
    const key = printed(one)
    assert.strictEqual(printed(two), key)
    const { body } = await call(`${one.base}/v1/keys`, { key })
    const [{ id }] = body.keys
    assert.strictEqual((await call(`${one.base}/v1/keys/${id}`, { key, method: "DELETE" })).status, 204)
    const nextKeys: Array<string> = []
    for (let start = 0; start < 2; start++) {
      const program = await startProgram(own)
      nextKeys.push(printed(program))
      const keys = await call(`${program.base}/v1/keys`, { key: nextKeys[start] ?? "" })
      await program.stop()
      assert.include(
        keys.body.keys.map((one: { id: string }) => one.id),
        id
      )
    }
    assert.strictEqual(new Set([key, ...nextKeys]).size, 2)
  })

  it("no key is made or printed in production", async () => {
    const real = await installation()
    const program = await startProgram({ ...real, NODE_ENV: "production" })
    const { body } = await operator(program, real.ADMIN_TOKEN).admin("/actions")
    await program.stop()
    assert.deepStrictEqual(body.actions, [])
    assert.notMatch(program.output(), /lvk_|curl/)
  })
})
