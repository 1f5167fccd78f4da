/**
 * The cache tiers of asks, their fields and their price, with several processes on one database.
 *
 * Planted and seen red: private answers shared with all accounts, or with all that use private answers; the warmest tier reported; failures
 * counted in the tier; an ask that joins a running question reported as fresh; cached answers charged as fresh, and fresh ones as cached; a
 * queued ask that ignores the cache.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { asking } from "./asking.ts"
import { customer, installation, operator, type Program, startProgram } from "./program.ts"
import { sqlOn } from "./sqlOn.ts"

let here: Program
let there: Program
let env: Awaited<ReturnType<typeof installation>>
let own: Awaited<ReturnType<typeof customer>>

beforeAll(async () => {
  env = await installation()
  here = await startProgram(env)
  there = await startProgram(env)
  own = await customer(here, env.ADMIN_TOKEN)
})
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()])
})

const at = (program: Program) => asking(program, own.key)

/** The cache fields of a response, and its cost. */
const told = ({ cached, cache_tier, usage }: Awaited<ReturnType<ReturnType<typeof asking>["answered"]>>) => [
  cached,
  cache_tier,
  usage.cost_cents
]

/** Ages every cached answer by two hours. */
const age = () => sqlOn(env.DATABASE_URL, (sql) => sql`UPDATE answers SET stored_at = stored_at - interval '2 hours'`)

const asked = (words: string, ...providers: ReadonlyArray<string>) => ({
  prompt: `best ${words} [[sandbox:answer]]`,
  providers
})

describe("tiers", () => {
  it("200: a fresh answer is `miss` at 10; a cached one costs 1: `l1` from this process, `l2` from another, `l3` if older", async () => {
    const body = asked("tiers", "gemini", "openai")
    const fresh = await at(here).answered(body)
    assert.deepEqual(told(fresh), [false, "miss", 20])
    const again = await at(here).answered(body)
    assert.deepEqual(told(again), [true, "l1", 2])
    const answers = (each: typeof fresh) => each.providers.map((slot) => ({ ...slot, latency_ms: 0 }))
    assert.deepEqual(answers(again), answers(fresh))
    assert.notStrictEqual(again.id, fresh.id)
    assert.deepEqual(told(await at(there).answered(body)), [true, "l2", 2])
    assert.deepEqual(told(await at(there).answered(body)), [true, "l1", 2])
    await age()
    await there.stop()
    there = await startProgram(env)
    assert.deepEqual(told(await at(there).answered(body)), [true, "l3", 2])
  })

  it("200: the coldest tier is reported, each answer is charged by its own tier, and one fresh answer makes it a `miss`", async () => {
    await at(here).answered(asked("mixture", "gemini"))
    await at(there).answered(asked("mixture", "openai"))
    // Gemini's answer is in the store, OpenAI's in this process.
    assert.deepEqual(told(await at(there).answered(asked("mixture", "openai", "gemini"))), [true, "l2", 2])
    const mixed = asked("mixture", "openai", "gemini", "anthropic")
    assert.deepEqual(told(await at(there).answered(mixed)), [false, "miss", 1 + 1 + 10])
  })

  it("200: a provider that fails does not count for the tier, and is asked again", async () => {
    const body = { ...asked("failures", "gemini"), prompt: "best failures [[sandbox:openai:status=500;times=4]]" }
    await at(here).answered(body)
    const both = { ...body, providers: ["gemini", "openai"] }
    const half = await at(here).answered(both)
    assert.deepEqual([...told(half), half.usage.billable_units], [true, "l1", 1, 1])
    const tries = [await at(here).answered(both), await at(here).answered(both)]
    assert.deepEqual(told(tries.at(-1) ?? half), [false, "miss", 11])
  })

  it("200: of identical concurrent calls one is fresh and the others report `l1`", async () => {
    const body = { prompt: "best moment [[sandbox:latency=1s;answer]]", providers: ["perplexity"] }
    const answers = await Promise.all(Array.from({ length: 5 }, () => at(here).answered(body)))
    const [misses, hits] = ["miss", "l1"].map((tier) => answers.filter(({ cache_tier }) => cache_tier === tier))
    assert.deepEqual(misses?.map(told), [[false, "miss", 10]])
    assert.deepEqual(
      hits?.map(told),
      Array.from({ length: 4 }, () => [true, "l1", 1])
    )
  })

  it("200: a queued ask uses the cache at the same price", async () => {
    const body = asked("queue", "gemini", "anthropic")
    await at(here).answered(body)
    const { ask_id } = await at(here).queued({ ...body, mode: "standard" })
    const { cached, usage } = await at(here).finished(ask_id)
    assert.deepEqual([cached, usage.cost_cents], [true, 2])
  })
})

describe("scope", () => {
  it("200: shared answers serve every account, private answers only their own account, and neither serves the other scope", async () => {
    const stranger = asking(here, (await customer(here, env.ADMIN_TOKEN)).key)
    const shared = asked("scopes", "gemini")
    const hidden = { ...shared, cache_scope: "private" }
    const tierOf = async (api: typeof stranger, body: object) => (await api.answered(body)).cache_tier
    assert.strictEqual(await tierOf(at(here), hidden), "miss")
    assert.strictEqual(await tierOf(at(here), hidden), "l1")
    assert.strictEqual(await tierOf(stranger, hidden), "miss")
    assert.strictEqual(await tierOf(stranger, shared), "miss")
    assert.strictEqual(await tierOf(at(here), shared), "l1")
    assert.strictEqual(await tierOf(at(there), hidden), "l2")
  })

  it("200: any field that could change the answer is part of the cache key; tracked brands are not", async () => {
    const body = asked("differences", "gemini")
    await at(here).answered(body)
    for (const more of [
      { system_message: "Be brief." },
      { web_search: false },
      { model: { gemini: "gemini-2.5-pro" } },
      { params: { temperature: 1 } },
      { params: { max_tokens: 4000 } },
      {
        messages: [
          { role: "user", content: "Hello." },
          { role: "assistant", content: "Hi." },
          { role: "user", content: body.prompt }
        ]
      }
    ]) {
      const { prompt: _, ...rest } = body
      const other = "messages" in more ? { ...rest, ...more } : { ...body, ...more }
      assert.strictEqual((await at(here).answered(other)).cache_tier, "miss", JSON.stringify(more))
    }
    const { prompt, providers } = body
    for (const same of [
      { messages: [{ role: "user", content: prompt }], providers },
      { ...body, track_brands: ["Nike"] }
    ])
      assert.strictEqual((await at(here).answered(same)).cache_tier, "l1", JSON.stringify(same))
  })

  it("the audit recomputes every ask of this file", async () => {
    assert.deepEqual((await operator(here, env.ADMIN_TOKEN).audit()).differences, [])
  })
})
