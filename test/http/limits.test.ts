/**
 * The limits by balance and by bucket, with two processes on one database and one NATS.
 *
 * Planted and seen red: a hold that ignores the balance; a bucket per process; a refused call that runs, and is charged, all the same.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, customer, generous, installation, operator, overNats, type Program, startProgram } from "./program.ts"
import { startUpstreams, type Upstreams } from "./upstreams.ts"

let programs: readonly [Program, Program]
let upstreams: Upstreams
let admin: ReturnType<typeof operator>
let token: string

beforeAll(async () => {
  upstreams = await startUpstreams(true)
  const own = await installation()
  token = own.ADMIN_TOKEN
  const env = { ...own, ...upstreams.env, ...overNats }
  programs = [await startProgram(env), await startProgram(env)]
  admin = operator(programs[0], token)
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await upstreams.stop()
})

const either = (n: number): string => programs[n % 2 === 0 ? 0 : 1].base

describe("limits", () => {
  it("402: of 500 concurrent calls a balance of 1000 admits exactly 6, and never goes below zero", async () => {
    const { account, key } = await customer(programs[0], token, 0, { environment: "live" })
    await admin.topUp(account, 1000, "live")
    // The engines answer the six only after all other calls have been refused.
    let refusals = 0
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, n) => {
        const answer = await call(`${either(n)}/v1/check`, { key, body: { query: `question ${n}`, brand: "Acme" } })
        if (answer.status === 402 && ++refusals === 494) upstreams.letGo()
        return answer
      })
    )
    assert.strictEqual(upstreams.asked(), 24)
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      6
    )
    assert.lengthOf(
      answers.filter(({ status }) => status === 402),
      494
    )
    const { entries } = await admin.ledger(account)
    for (const { available_after_cents, held_after_cents } of entries) {
      assert.isAtLeast(available_after_cents, 0)
      assert.isAtLeast(held_after_cents, 0)
    }
    assert.deepInclude(entries[0], { available_after_cents: 100, held_after_cents: 0 })
    assert.deepEqual((await admin.audit()).differences, [])
  })

  it("429: both processes share one bucket; a refusal has a Retry-After and costs nothing", async () => {
    const slow = { ...generous, "check:quick": { burst: 5, per_second: 0.01 } }
    const { account, key } = await customer(programs[0], token, 1000, { rate_limits: slow })
    const headers = { "idempotency-key": "after-429" }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call(`${either(n)}/v1/check`, { key, body: { query: "q", brand: "b", models: { claude: "nope" } }, headers })
      )
    )
    const refused = answers.filter(({ status }) => status === 429)
    assert.lengthOf(refused, 15)
    for (const { body, headers: shown } of refused) {
      assert.strictEqual(body.error.code, "rate_limited")
      assert.strictEqual(shown.get("x-ratelimit-limit"), "5")
      assert.strictEqual(shown.get("x-ratelimit-remaining"), "0")
      assert.isAbove(Number(shown.get("retry-after")), 0)
    }
    const body = { query: "what is refused", brand: "b" }
    assert.strictEqual((await call(`${either(0)}/v1/check`, { key, body, headers })).status, 429)
    assert.lengthOf((await admin.ledger(account)).entries, 1)
    // A refusal claims no idempotency key either: once there are tokens, any body may use it.
    const other = await admin.key(account, { rate_limits: generous })
    const after = { query: "what comes after", brand: "b" }
    assert.strictEqual((await call(`${either(1)}/v1/check`, { key: other.key, body: after, headers })).status, 200)
  })
})
