/**
 * The live modes as a customer sees them, against the whole program. Test keys use the formats of the vendors here.
 *
 * Planted and seen red: all_live prorated over fewer than its six surfaces; an absence not charged; `sponsored` left out where adverts are
 * looked for; `realistic` reported under its own name; a 501 that takes no token; the health of test keys published.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Samples } from "@sightline/contract/CapturesApi"
import { CheckResponse } from "@sightline/contract/CheckApi"
import { HealthResponse } from "@sightline/contract/HealthApi"
import { ModeNotYetAvailable } from "@sightline/contract/Problem"
import { LiveSurface, slotOf } from "@sightline/domain/Platform"
import { exactly } from "../services/exactly.ts"
import { call, customer, installation, operator, type Program, startProgram } from "./program.ts"
import { startUpstreams, type Upstreams } from "./upstreams.ts"
import { waitUntil } from "./waiting.ts"

const decode = {
  answer: exactly(CheckResponse),
  notYet: exactly(ModeNotYetAvailable),
  health: exactly(HealthResponse),
  samples: exactly(Samples)
}

const prices = {
  perplexity_live: 85,
  chatgpt_live: 35,
  gemini_live: 35,
  ai_overview: 15,
  ai_mode: 35,
  bing_copilot: 15
} as const satisfies Record<LiveSurface, number>

const wide = { burst: 10_000, per_second: 1000 }
const generous = {
  ...Object.fromEntries([...LiveSurface.literals, "all_live", "quick"].map((mode) => [`check:${mode}`, wide])),
  default: wide
}

let program: Program
let upstreams: Upstreams
let env: Awaited<ReturnType<typeof installation>>
let key: string
let account: string

beforeAll(async () => {
  env = await installation()
  upstreams = await startUpstreams(false)
  program = await startProgram({ ...env, ...upstreams.env })
  ;({ key, account } = await customer(program, env.ADMIN_TOKEN, 100_000, { rate_limits: generous }))
})
afterAll(async () => {
  await program.stop()
  await upstreams.stop()
})

const check = (body: object, headers = {}) => call(`${program.base}/v1/check`, { key, body, headers })

const failing = (surfaces: ReadonlyArray<string>) =>
  surfaces.map((surface) => `[[sandbox:${surface}:status=500]]`).join("")

describe("200", () => {
  it("200: all_live fills six slots with the fields of the contract, at 165", async () => {
    const { status, headers, body } = await check({
      query: "best running shoes [[sandbox:answer]]",
      brand: "Nike",
      mode: "all_live",
      include: ["raw"]
    })
    assert.strictEqual(status, 200)
    const answer = decode.answer(body)
    assert.sameMembers(Object.keys(answer.providers), LiveSurface.literals.map(slotOf))
    assert.notProperty(answer, "errors")
    for (const [slot, said] of Object.entries(answer.providers)) {
      assert.isArray(said.brand_entities)
      assert.notProperty(said, "surface_present")
      assert.isAbove(said.raw?.length ?? 0, 0)
      assert.strictEqual("sponsored" in said, slot !== "gemini" && slot !== "perplexity")
    }
    assert.isAbove(answer.providers.perplexity?.fan_out.length ?? 0, 2)
    assert.strictEqual(answer.cost_cents, 165)
    assert.isFalse(answer.cache_hit)
    assert.strictEqual(headers.get("x-mode"), "all_live")
    assert.strictEqual(headers.get("x-cost-cents"), "165")
    assert.strictEqual(headers.get("x-cache-status"), "miss")
  })

  it("200: all_live with answers from k surfaces costs k × 27.5, for every k", async () => {
    const runs = Array.from({ length: 7 }, async (_, k) => {
      const surfaces = LiveSurface.literals.slice(k)
      const query = `best tea kettle ${k} [[sandbox:answer]]`
      const body = { query: `${failing(surfaces)}${query}`, brand: "Acme", mode: "all_live" }
      const { status, body: got, headers } = await check(body)
      const answer = decode.answer(got)
      assert.strictEqual(status, 200)
      assert.strictEqual(answer.cost_cents, 27.5 * k)
      assert.strictEqual(headers.get("x-cost-cents"), String(27.5 * k))
      assert.lengthOf(Object.keys(answer.providers), k)
      assert.sameMembers(Object.keys(answer.errors ?? {}), surfaces.map(slotOf))
      for (const { code } of Object.values(answer.errors ?? {})) assert.strictEqual(code, "upstream_unavailable")
    })
    await Promise.all(runs)
    const { ok, differences } = await operator(program, env.ADMIN_TOKEN).audit()
    assert.deepEqual([ok, differences], [true, []])
  })

  it("200: a single live mode has its own price, and costs nothing when it fails", async () => {
    for (const mode of LiveSurface.literals) {
      const { body } = await check({ query: "best crm [[sandbox:answer]]", brand: "Acme", mode })
      assert.deepEqual(Object.keys(decode.answer(body).providers), [slotOf(mode)])
      assert.strictEqual(body.cost_cents, prices[mode])
      const failed = await check({ query: `best crm ${failing([mode])}`, brand: "Acme", mode })
      assert.strictEqual(failed.status, 200)
      assert.deepEqual(failed.body.providers, {})
      assert.strictEqual(failed.body.cost_cents, 0)
      assert.strictEqual(failed.body.balance_after_cents, body.balance_after_cents)
      assert.strictEqual(failed.body.errors[slotOf(mode)].code, "upstream_unavailable")
    }
  })

  it("200: the same live query again is asked and charged again", async () => {
    const body = { query: "best coffee grinder [[sandbox:answer]]", brand: "Acme", mode: "ai_mode" }
    for (let turn = 0; turn < 2; turn++) {
      const { headers, body: answer } = await check(body)
      assert.deepEqual([answer.cost_cents, answer.cache_hit, headers.get("x-cache-status")], [35, false, "miss"])
    }
  })

  it("200: a surface that shows no answer counts as checked, and is charged", async () => {
    const { body } = await check({ query: "best tv [[sandbox:no-answer]]", brand: "Acme", mode: "ai_overview" })
    const slot = decode.answer(body).providers.ai_overview
    assert.deepInclude(slot, { surface_present: false, mentioned: false, rank: null, context: "", sponsored: [] })
    assert.strictEqual(body.cost_cents, 15)
  })

  it("200: `realistic` runs and is reported as perplexity_live", async () => {
    const { headers, body } = await check({ query: "best bank [[sandbox:answer]]", brand: "Acme", mode: "realistic" })
    assert.strictEqual(decode.answer(body).mode, "perplexity_live")
    assert.strictEqual(headers.get("x-mode"), "perplexity_live")
    assert.strictEqual(body.cost_cents, 85)
  })

  it("200: a surface with a rate limit is not asked in that region for 30 s, and not charged", async () => {
    const question = { query: "best laptop", brand: "Acme", mode: "ai_mode", region: "ca" }
    const limited = await check({ ...question, query: "best laptop [[sandbox:captcha]]" })
    assert.deepInclude(limited.body.errors.ai_mode, { code: "upstream_rate_limited", retry_after_s: 30 })
    const resting = await check({ ...question, query: "best laptop [[sandbox:answer]]" })
    assert.strictEqual(resting.body.errors.ai_mode.code, "upstream_rate_limited")
    assert.isTrue(resting.body.errors.ai_mode.retry_after_s <= 30 && resting.body.errors.ai_mode.retry_after_s > 20)
    assert.strictEqual(resting.body.cost_cents, 0)
    const elsewhere = await check({ ...question, region: "au", query: "best laptop [[sandbox:answer]]" })
    assert.strictEqual(elsewhere.body.cost_cents, 35)
  })

  it("200: a region that a surface does not serve is an error in `errors`", async () => {
    const { body } = await check({
      query: "best phone [[sandbox:region]]",
      brand: "Acme",
      mode: "ai_mode",
      region: "uk"
    })
    assert.strictEqual(body.errors.ai_mode.code, "surface_unavailable_in_region")
    assert.strictEqual(body.cost_cents, 0)
  })

  it("200: providers, models and city are ignored", async () => {
    const { status, body } = await check({
      query: "best beds [[sandbox:answer]]",
      brand: "Acme",
      mode: "bing_copilot",
      providers: ["claude"],
      models: { claude: "no-such-model" },
      city: "Leeds"
    })
    assert.strictEqual(status, 200)
    assert.deepEqual(Object.keys(body.providers), ["bing_copilot"])
  })
})

describe("live keys without a configured capture", () => {
  it("501: every live mode takes a token of its bucket, but neither holds money nor stores an idempotent reply", async () => {
    const api = operator(program, env.ADMIN_TOKEN)
    const live = await api.key(account, { environment: "live" })
    for (const mode of [...LiveSurface.literals, "all_live"]) {
      const ask = () =>
        call(`${program.base}/v1/check`, {
          key: live.key,
          body: { query: "q", brand: "b", mode },
          headers: { "idempotency-key": `again ${mode}` }
        })
      const { status, body, headers } = await ask()
      assert.strictEqual(status, 501)
      assert.strictEqual(decode.notYet(body).error.code, "mode_not_yet_available")
      const limit = mode === "all_live" ? 10 : 20
      assert.strictEqual(headers.get("x-ratelimit-remaining"), String(limit - 1))
      // Nothing is stored under the key.
      assert.isNull((await ask()).headers.get("idempotency-replay"))
    }
    const entries: ReadonlyArray<{ environment: string }> = (await api.ledger(account)).entries
    assert.isFalse(entries.some(({ environment }) => environment === "live"))
  })
})

describe("health", () => {
  const health = async () => decode.health((await call(`${program.base}/v1/health`)).body).platforms

  it("200: needs no key, is described, and does not count captures of test keys", async () => {
    const platforms = await health()
    assert.lengthOf(Object.keys(platforms), 10)
    for (const platform of Object.values(platforms))
      assert.deepEqual(platform, { status: "unknown", success_rate_7d: null, p95_latency_ms: null, sample_size_7d: 0 })
    const { body } = await call(`${program.base}/openapi.json`)
    assert.property(body.paths, "/v1/health")
    assert.strictEqual((await call(`${program.base}/v1/health`, { body: {} })).status, 405)
  })

  it("200: has status, rate and latency from 20 captures of live keys on", async () => {
    const live = await customer(program, env.ADMIN_TOKEN, 0, { environment: "live", rate_limits: generous })
    await operator(program, env.ADMIN_TOKEN).topUp(live.account, 100_000, "live")
    const ask = (nth: number, provider: string) =>
      call(`${program.base}/v1/check`, {
        key: live.key,
        body: { query: `question ${nth}`, brand: "Acme", providers: [provider] }
      })
    await Promise.all(Array.from({ length: 20 }, (_, nth) => ask(nth, "claude")))
    await Promise.all(Array.from({ length: 19 }, (_, nth) => ask(nth, "gemini")))
    // Counts are written every few seconds, and the response is cached for as long.
    await waitUntil("all are counted", async () => {
      const { claude, gemini } = await health()
      return claude.sample_size_7d + gemini.sample_size_7d >= 39
    })
    const platforms = await health()
    assert.deepInclude(platforms.claude, { status: "ok", success_rate_7d: 1, sample_size_7d: 20 })
    assert.isAbove(platforms.claude.p95_latency_ms ?? 0, 0)
    assert.deepInclude(platforms.gemini, { status: "unknown", success_rate_7d: null, sample_size_7d: 19 })
    assert.strictEqual(platforms.ai_mode.sample_size_7d, 0)
  })
})

describe("operators", () => {
  it("the start prints how test keys capture live surfaces", () => {
    assert.include(program.output(), "Live modes test keys go through simulated vendors")
  })

  it("200: captures are counted by platform and ending", async () => {
    const metrics = await (await fetch(`${program.admin}/metrics`)).text()
    assert.match(metrics, /sightline_capture_duration_seconds_count\{platform="test-ai_mode",ending="ok"\} \d+/)
    assert.match(
      metrics,
      /sightline_capture_duration_seconds_count\{platform="test-ai_overview",ending="no_answer"\} \d+/
    )
  })

  it("200: samples of unread pages need the operator token; an unknown platform is 400", async () => {
    const api = operator(program, env.ADMIN_TOKEN)
    assert.deepEqual(decode.samples((await api.admin("/captures/samples?platform=ai_mode")).body).samples, [])
    assert.deepEqual(decode.samples((await api.admin("/captures/samples")).body).samples, [])
    assert.strictEqual((await api.admin("/captures/samples?platform=altavista")).status, 400)
    assert.strictEqual((await call(`${program.admin}/admin/captures/samples`)).status, 401)
  })
})
