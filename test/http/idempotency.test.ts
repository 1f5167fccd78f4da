/**
 * `Idempotency-Key` with two processes on one database and one NATS.
 *
 * Planted and seen red:
 * - a fingerprint that depends on the order of members;
 * - the claim kept after a 402;
 * - a duplicate that runs instead of waiting;
 * - a replay rendered with the current balance;
 * - a replay for another body;
 * - a key shared by all accounts, by both environments of one, or by all endpoints;
 * - the length of a key in bytes, or in code units.
 */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, customer, installation, operator, overNats, type Program, startProgram } from "./program.ts"
import { startUpstreams, type Upstreams } from "./upstreams.ts"

let one: Program
let two: Program
let upstreams: Upstreams
let admin: ReturnType<typeof operator>
let token: string

beforeAll(async () => {
  upstreams = await startUpstreams(false)
  const own = await installation()
  token = own.ADMIN_TOKEN
  const env = { ...own, ...upstreams.env, ...overNats }
  one = await startProgram(env)
  two = await startProgram(env)
  admin = operator(one, token)
})
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()])
  await upstreams.stop()
})

const live = { environment: "live" }

const newCustomer = async (credits: number) => {
  const own = await customer(one, token, 0, live)
  if (credits > 0) await admin.topUp(own.account, credits, "live")
  return own
}

const check = (program: Program, key: string, body: object, idempotencyKey: string) =>
  call(`${program.base}/v1/check`, { key, body, headers: { "idempotency-key": idempotencyKey } })

/** A text as UTF-8 bytes, as programs other than browsers send it in a header. */
const inUtf8 = (text: string) => Buffer.from(text).toString("latin1")

const sha = (text: string) => createHash("sha256").update(text).digest("hex")

const debits = async (account: string) =>
  (await admin.ledger(account)).entries.filter(({ kind }: { kind: string }) => kind === "capture" || kind === "charge")

describe("idempotency", () => {
  it("200: a replay has the same bytes and headers from any process, and is charged once", async () => {
    const { account, key } = await newCustomer(1000)
    const body = { query: "what is replayed", brand: "Acme" }
    const first = await check(one, key, body, "k1")
    await admin.topUp(account, 5, "live")
    const again = await check(two, key, { brand: "Acme", query: "what is replayed" }, "k1")
    assert.strictEqual(first.status, 200)
    assert.strictEqual(again.text, first.text)
    for (const name of ["x-request-id", "x-mode", "x-cost-cents", "x-balance-after-cents", "x-cache-status"])
      assert.strictEqual(again.headers.get(name), first.headers.get(name))
    assert.isNull(first.headers.get("idempotency-replay"))
    assert.strictEqual(again.headers.get("idempotency-replay"), "true")
    assert.lengthOf(await debits(account), 1)
  })

  it("200: fifty identical concurrent calls to two processes ask once, are charged once and have the same response", async () => {
    const { account, key } = await newCustomer(1000)
    const asked = upstreams.asked()
    const body = { query: "what fifty ask at once", brand: "Acme" }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => check(n % 2 === 0 ? one : two, key, body, "burst"))
    )
    assert.strictEqual(new Set(answers.map(({ status, text }) => `${status} ${sha(text)}`)).size, 1)
    assert.lengthOf(
      answers.filter(({ headers }) => headers.get("idempotency-replay") === null),
      1
    )
    assert.isUndefined(answers[0]?.body.errors)
    assert.strictEqual(upstreams.asked() - asked, 4)
    assert.lengthOf(await debits(account), 1)
  })

  it("200: without a key, identical concurrent calls share their questions; one pays the fresh price, the others the cached", async () => {
    const { key } = await newCustomer(100_000)
    const asked = upstreams.asked()
    const body = { query: "what a crowd asks", brand: "Acme" }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => call(`${(n % 2 === 0 ? one : two).base}/v1/check`, { key, body }))
    )
    assert.strictEqual(upstreams.asked() - asked, 4)
    const costs = answers.map((answer) => answer.body.cost_cents)
    assert.sameMembers([...new Set(costs)], [150, 5])
    for (const { body: answer, headers } of answers) {
      assert.strictEqual(answer.cost_cents, answer.cache_hit ? 5 : 150)
      assert.strictEqual(headers.get("x-cache-status") === "miss", !answer.cache_hit)
    }
  })

  it("422: the same key with another body, whether or not the first call has finished", async () => {
    const { key } = await newCustomer(1000)
    await check(one, key, { query: "first body", brand: "Acme" }, "k2")
    const other = await check(two, key, { query: "second body", brand: "Acme" }, "k2")
    assert.strictEqual(other.status, 422)
    assert.strictEqual(other.body.error.code, "idempotency_body_mismatch")
    const atOnce = await Promise.all([
      check(one, key, { query: "third body", brand: "Acme" }, "k2-at-once"),
      check(two, key, { query: "fourth body", brand: "Acme" }, "k2-at-once")
    ])
    assert.sameMembers(
      atOnce.map(({ status }) => status),
      [200, 422]
    )
  })

  it("402, then 200: a refused call releases its key", async () => {
    const { account, key } = await newCustomer(0)
    const body = { query: "what comes after a top-up", brand: "Acme" }
    assert.strictEqual((await check(one, key, body, "k3")).status, 402)
    await admin.topUp(account, 1000, "live")
    const after = await check(two, key, body, "k3")
    assert.strictEqual(after.status, 200)
    assert.isNull(after.headers.get("idempotency-replay"))
  })

  it("keys are scoped to an account, an environment and an endpoint", async () => {
    const [a, b] = [await newCustomer(1000), await newCustomer(1000)]
    await admin.topUp(a.account, 1000, "test")
    const { key: played } = await admin.key(a.account)
    const body = { query: "whose key is it", brand: "Acme" }
    const headers = { "idempotency-key": "shared" }
    await check(one, a.key, body, "shared")
    const others = [
      await check(one, b.key, body, "shared"),
      await check(one, played, body, "shared"),
      await call(`${one.base}/v1/ask`, { key: a.key, body: { prompt: body.query }, headers })
    ]
    for (const other of others)
      assert.deepStrictEqual([other.status, other.headers.get("idempotency-replay")], [200, null])
  })

  it("400: a key must have 1 to 200 characters", async () => {
    const { key } = await newCustomer(1000)
    for (const none of ["x".repeat(201), "", inUtf8("é".repeat(201)), inUtf8("👟".repeat(201)), "é".repeat(201)]) {
      const { status, body } = await check(one, key, { query: "q", brand: "b" }, none)
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error.message, "`Idempotency-Key` must have 1 to 200 characters.")
      assert.deepEqual(body.error.details.issues, [
        { path: "Idempotency-Key", message: "must have 1 to 200 characters" }
      ])
    }
  })

  it("200: the length of a key counts characters, in UTF-8 as in Latin-1, and the longest keys are stored in full", async () => {
    const { key } = await newCustomer(10_000)
    const body = { query: "how long is a key", brand: "Acme" }
    const longest = ["x".repeat(200), inUtf8("é".repeat(200)), inUtf8("👟".repeat(200)), "é".repeat(200)]
    for (const replayed of [null, "true"])
      for (const one of longest) {
        const { status, headers } = await check(two, key, body, one)
        assert.deepStrictEqual([status, headers.get("idempotency-replay")], [200, replayed])
      }
  })

  it("the audit finds no difference after these calls", async () => {
    assert.deepEqual((await admin.audit()).differences, [])
  })
})
