/**
 * `POST /v1/check` as a customer sees it, against the whole program.
 *
 * Planted and seen red: a cached check priced at 150; `fan_out` left out; `X-Cost-Cents` from before the refund; rate-limit headers only on
 * 200, or of another bucket if the body was not read; a failed provider that is charged; the city left out of the cache key.
 */
import { assert, describe, it } from "vitest"
import { CheckResponse } from "@sightline/contract/CheckApi"
import { InsufficientBalance, InvalidModel, InvalidRequest, ModeRoadmap } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"

const { env, program } = await started()
const key = (await customer(program, env.ADMIN_TOKEN)).key

const check = (body: object, headers = {}) => call(`${program.base}/v1/check`, { key, body, headers })
const decode = {
  answer: exactly(CheckResponse),
  invalid: exactly(InvalidRequest),
  model: exactly(InvalidModel),
  balance: exactly(InsufficientBalance),
  roadmap: exactly(ModeRoadmap)
}

describe("200", () => {
  it("200: a quick check has the fields and headers of the contract, and no others", async () => {
    const { status, headers, body } = await check({ query: "best running shoes", brand: "Nike", mode: "quick" })
    assert.strictEqual(status, 200)
    const answer = decode.answer(body)
    assert.strictEqual(answer.mode, "quick")
    assert.isFalse(answer.cache_hit)
    const answered = Object.values(answer.providers)
    for (const slot of answered) {
      assert.deepEqual(slot?.fan_out, [])
      assert.notProperty(slot, "raw")
      for (const ofLiveModes of ["sponsored", "brand_entities", "surface_present"])
        assert.notProperty(slot, ofLiveModes)
      assert.strictEqual(slot?.mentioned, slot?.rank !== null)
      for (const citation of slot?.citations ?? []) assert.notProperty(citation, "branding")
    }
    assert.strictEqual(answer.cost_cents, (150 * answered.length) / 4)
    assert.strictEqual(headers.get("x-request-id"), answer.request_id)
    assert.strictEqual(headers.get("x-mode"), "quick")
    assert.strictEqual(headers.get("x-cost-cents"), String(answer.cost_cents))
    assert.strictEqual(headers.get("x-balance-after-cents"), String(answer.balance_after_cents))
    assert.strictEqual(headers.get("x-cache-status"), "miss")
    assert.isNotNull(headers.get("x-ratelimit-limit"))
    assert.isNotNull(headers.get("x-ratelimit-remaining"))
    assert.isNull(headers.get("retry-after"))
  })

  it("200: the same body again, or another brand with the same query, comes from cache at 5", async () => {
    const question = { query: "best coffee grinder for espresso", mode: "quick" }
    const first = await check({ ...question, brand: "Acme" })
    assert.deepEqual(Object.keys(first.body.providers).length, 4)
    for (const brand of ["Acme", "Another"]) {
      const { headers, body } = await check({ ...question, brand })
      assert.isTrue(body.cache_hit)
      assert.strictEqual(body.cost_cents, 5)
      assert.strictEqual(headers.get("x-cache-status"), "hit-l1")
    }
  })

  it("a refused check has its id in a header; refusals of other routes do not", async () => {
    const refused = await check({ query: "", brand: "Acme" })
    assert.strictEqual(refused.status, 400)
    assert.strictEqual(refused.headers.get("x-request-id"), refused.body.request_id)
    const compared = await call(`${program.base}/v1/compare`, { key, body: {} })
    assert.deepEqual([compared.status, compared.headers.get("x-request-id")], [400, null])
  })

  it("200: a subset of providers costs its share, fresh and cached", async () => {
    const body = { query: "best crm for startups", brand: "Acme", providers: ["chatgpt", "gemini"] }
    const fresh = await check(body)
    assert.sameMembers(Object.keys(fresh.body.providers), ["chatgpt", "gemini"])
    assert.strictEqual(fresh.body.cost_cents, 75)
    assert.strictEqual((await check(body)).body.cost_cents, 2.5)
  })

  it("200: a city has its own cache entry, apart from its country", async () => {
    const body = { query: "best bank for freelancers", brand: "Acme", region: "uk", providers: ["claude"] }
    await check(body)
    assert.isFalse((await check({ ...body, city: "Leeds" })).body.cache_hit)
    assert.isTrue((await check({ ...body, city: "Leeds" })).body.cache_hit)
  })

  it("200: `include` adds the full answer and each citation's site", async () => {
    const { body } = await check({ query: "best laptops", brand: "Acme", include: ["raw", "branding"] })
    const answer = decode.answer(body)
    for (const slot of Object.values(answer.providers)) {
      assert.isAbove(slot?.raw?.length ?? 0, 0)
      for (const citation of slot?.citations ?? []) assert.property(citation, "branding")
    }
  })

  it("200: a failed provider is listed in `errors` with its code and costs nothing", async () => {
    const { status, headers, body } = await check({ query: "best crm [[sandbox:openai:status=500]]", brand: "Acme" })
    assert.strictEqual(status, 200)
    const answer = decode.answer(body)
    assert.strictEqual(answer.errors?.chatgpt?.code, "provider_unavailable")
    assert.notProperty(answer.providers, "chatgpt")
    assert.strictEqual(answer.cost_cents, 112.5)
    assert.strictEqual(headers.get("x-cost-cents"), "112.5")
  })

  it("200: when every provider fails nothing is charged", async () => {
    const before = (await check({ query: "best tea", brand: "Acme" })).body.balance_after_cents
    const { body } = await check({ query: "best tea [[sandbox:status=401]]", brand: "Acme" })
    assert.deepEqual(body.providers, {})
    assert.strictEqual(body.cost_cents, 0)
    assert.strictEqual(body.balance_after_cents, before)
    assert.deepEqual(
      Object.values<{ readonly code: string }>(body.errors).map(({ code }) => code),
      Array(4).fill("provider_auth_failed")
    )
  })
})

describe("refusals", () => {
  it("400: every wrong field is named", async () => {
    const { status, body } = await check({ query: "", brand: "x".repeat(101), mode: "QUICK", extra: 1 })
    assert.strictEqual(status, 400)
    const paths = decode.invalid(body).error.details?.issues.map(({ path }) => path)
    assert.includeMembers(paths ?? [], ["query", "brand", "mode", "extra"])
  })

  it("400: an unknown model is named with its provider, before any charge", async () => {
    const { status, body } = await check({ query: "q", brand: "b", models: { claude: "gpt-5" } })
    assert.strictEqual(status, 400)
    assert.deepInclude(decode.model(body).error, { code: "invalid_model", provider: "claude", model: "gpt-5" })
    assert.include(body.error.message, "GET /v1/models")
  })

  it("402: the shortfall is in `details` and at the top level, and nothing is charged", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 149)
    const body = { query: "best running shoes", brand: "Nike" }
    const answer = await call(`${program.base}/v1/check`, { key: poor.key, body })
    assert.strictEqual(answer.status, 402)
    const problem = decode.balance(answer.body)
    assert.deepInclude(problem, { balance_cents: 149, required_cents: 150 })
    assert.deepEqual(problem.error.details, {
      balance_cents: 149,
      required_cents: 150,
      topup_url: `${program.base}/billing`
    })
    assert.lengthOf((await operator(program, env.ADMIN_TOKEN).ledger(poor.account)).entries, 1)
  })

  it("501: a roadmap mode has its own body", async () => {
    for (const mode of ["deep", "change_track"]) {
      const { status, body } = await check({ query: "q", brand: "b", mode })
      assert.strictEqual(status, 501)
      assert.strictEqual(decode.roadmap(body).mode, mode)
      assert.lengthOf(body.available_modes, 8)
    }
  })

  it("every authenticated response shows its bucket, but only a run takes a token", async () => {
    const own = await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: {} })
    const ask = (body: object) => call(`${program.base}/v1/check`, { key: own.key, body })
    const shown = ({ headers }: { headers: Headers }) => [
      headers.get("x-ratelimit-limit"),
      headers.get("x-ratelimit-remaining")
    ]
    assert.deepEqual(shown(await ask({ query: "", brand: "b" })), ["60", "60"])
    assert.deepEqual(shown(await ask({ query: "q", brand: "b", mode: "deep" })), ["120", "120"])
    assert.deepEqual(shown(await ask({ query: "q", brand: "b", mode: "nonsense" })), ["120", "120"])
    assert.deepEqual(shown(await ask({ query: "q", brand: "b", models: { claude: "nope" } })), ["60", "59"])
    assert.deepEqual(shown(await ask({ query: "q", brand: "b", mode: "ai_mode" })), ["20", "19"])
  })

  it("a check refused before its body is validated shows the bucket that its body names", async () => {
    const own = await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: {} })
    const { key: reader } = await operator(program, env.ADMIN_TOKEN).key(own.account, { read_only: true })
    const refused = [
      [403, "", { key: reader }],
      [400, "?mode=quick", { key: own.key }]
    ] as const
    for (const [expected, query, by] of refused)
      for (const [mode, limit] of [
        [undefined, "60"],
        ["ai_mode", "20"],
        ["all_live", "10"],
        ["deep", "120"]
      ]) {
        const body = { query: "q", brand: "b", mode }
        const { headers, status } = await call(`${program.base}/v1/check${query}`, { ...by, body })
        assert.deepEqual(
          [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")],
          [expected, limit, limit],
          mode
        )
      }
    for (const body of [{}, undefined, "text", ["mode"], "x".repeat(200_000)]) {
      const { headers, status } = await call(`${program.base}/v1/check`, { key: reader, method: "POST", body })
      assert.deepEqual(
        [status, headers.get("x-ratelimit-limit")],
        [403, body instanceof Object && !Array.isArray(body) ? "60" : "120"]
      )
    }
  })
})
