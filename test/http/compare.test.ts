/**
 * `POST /v1/compare` as a customer sees it, against the whole program.
 *
 * Planted and seen red:
 * - a question missing from the price list;
 * - sides swapped in the response;
 * - the rate of one side taken for both;
 * - a citation twice;
 * - the attempted shape wrong or left out;
 * - unknown fields and longer brands accepted;
 * - a mode of checks;
 * - the default bucket shown or used;
 * - the idempotency key ignored;
 * - work that ends with its caller;
 * - one question asked for each side;
 * - no 501.
 */
import { assert, describe, it } from "vitest"
import { CompareResponse } from "@sightline/contract/CompareApi"
import { InsufficientBalance, InvalidRequest, ModeNotYetAvailable } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, generous, installation, operator, startProgram } from "./program.ts"
import { started } from "./started.ts"
import { startUpstreams } from "./upstreams.ts"

const { env, program } = await started()
const key = (await customer(program, env.ADMIN_TOKEN)).key

const compare = (body: object, headers = {}) => call(`${program.base}/v1/compare`, { key, body, headers })
const decode = exactly(CompareResponse)
const answered = async (body: object) => {
  const answer = decode((await compare(body)).body)
  const sides = Object.values(answer.providers)
  const rate = (side: "a" | "b") => {
    const seen = sides.flatMap((both) => both[side] ?? [])
    return seen.filter(({ mentioned }) => mentioned).length / Math.max(seen.length, 1)
  }
  const [a, b] = [rate("a"), rate("b")]
  // The verdict follows from the sides of the response.
  assert.strictEqual(answer.winner, a > b ? "a" : a < b ? "b" : "tie")
  assert.closeTo(answer.delta_pct, a === b ? 0 : ((a - b) / Math.max(a, b)) * 100, 0.05)
  return answer
}

const twoBrands = { query: "best running shoes [[sandbox:answer]]", brand_a: "Nike", brand_b: "Hoka" }
const twoPairs = { query_a: "q", query_b: "q", brand_a: "b", brand_b: "b" }

describe("200", () => {
  it("200: two brands on one query are searched for in the same four answers", async () => {
    const answer = await answered(twoBrands)
    assert.deepEqual(Object.keys(answer.providers), ["chatgpt", "claude", "gemini", "perplexity"])
    assert.strictEqual(answer.mode, "compare")
    assert.deepEqual([answer.query_a, answer.query_b], [twoBrands.query, twoBrands.query])
    assert.deepEqual([answer.brand_a, answer.brand_b], ["Nike", "Hoka"])
    assert.strictEqual(answer.cost_cents, 150)
    for (const sides of Object.values(answer.providers)) {
      for (const side of [sides.a, sides.b]) assert.strictEqual(side?.mentioned, side?.context !== "")
    }
    assert.strictEqual(new Set(answer.citations.map(({ url }) => url)).size, answer.citations.length)
    assert.include(answer.interpretation, "“Nike”")
  })

  it("200: swapping the sides negates delta and swaps the winner", async () => {
    const one = await answered(twoBrands)
    const other = await answered({ ...twoBrands, brand_a: "Hoka", brand_b: "Nike" })
    assert.isTrue(one.delta_pct === -other.delta_pct)
    assert.strictEqual(one.winner, { a: "b", b: "a", tie: "tie" }[other.winner])
    const swapped = Object.values(other.providers).map(({ a, b }) => ({ a: b, b: a }))
    assert.deepEqual(Object.values(one.providers), swapped)
  })

  it("200: a brand that no answer names loses by 100", async () => {
    const answer = await answered({ ...twoBrands, brand_b: "Zzyzxquorum" })
    assert.deepInclude(answer, { delta_pct: 100, winner: "a" })
    assert.match(
      answer.interpretation,
      /^“Nike” was named in 4 of 4 answers, “Zzyzxquorum” was named in 0 of 4 answers\./
    )
  })

  it("200: two identical sides tie", async () => {
    const answer = await answered({ ...twoBrands, brand_b: "Nike" })
    assert.deepInclude(answer, { delta_pct: 0, winner: "tie" })
  })

  it("200: one brand on two queries, and two of each", async () => {
    const queries = { query_a: "best crm [[sandbox:answer]]", query_b: "best email marketing [[sandbox:answer]]" }
    const one = await answered({ ...queries, brand: "HubSpot" })
    assert.deepInclude(one, { ...queries, brand_a: "HubSpot", brand_b: "HubSpot" })
    const two = await answered({ ...queries, brand_a: "HubSpot", brand_b: "Mailchimp" })
    assert.deepInclude(two, { ...queries, brand_a: "HubSpot", brand_b: "Mailchimp" })
  })

  it("200: a failed platform is null on its side, is listed in `errors` and refunded: the cost is 150 × k / 8", async () => {
    const answer = await answered({
      query_a: "best tea [[sandbox:openai:status=500]]",
      query_b: "best tea [[sandbox:answer]]",
      brand: "Acme"
    })
    assert.isNull(answer.providers.chatgpt?.a)
    assert.isNotNull(answer.providers.chatgpt?.b)
    assert.strictEqual(answer.errors?.chatgpt?.a?.code, "provider_unavailable")
    assert.notProperty(answer.errors?.chatgpt, "b")
    const answers = Object.values(answer.providers)
      .flatMap(({ a, b }) => [a, b])
      .filter((side) => side !== null)
    assert.strictEqual(answer.cost_cents, (150 * answers.length) / 8)
  })

  it("200: if one side has no answer, half of the price is refunded", async () => {
    const answer = await answered({
      query_a: "best tea [[sandbox:status=401]]",
      query_b: "best tea [[sandbox:answer]]",
      brand_a: "Acme",
      brand_b: "Twinings"
    })
    assert.strictEqual(answer.cost_cents, 75)
    assert.isAtMost(answer.delta_pct, 0)
  })

  it("200: without any answer it costs nothing and ties", async () => {
    const answer = await answered({ ...twoBrands, query: "best tea [[sandbox:status=401]]" })
    assert.deepInclude(answer, { cost_cents: 0, delta_pct: 0, winner: "tie", citations: [] })
  })

  it("200: perplexity_live asks each side once", async () => {
    const answer = await answered({ ...twoBrands, mode: "perplexity_live" })
    assert.deepEqual(Object.keys(answer.providers), ["perplexity"])
    assert.strictEqual(answer.cost_cents, 150)
  })

  it("200: the same Idempotency-Key has the same response and is charged once", async () => {
    const headers = { "idempotency-key": "compare-once" }
    const first = await compare(twoBrands, headers)
    const second = await compare(twoBrands, headers)
    assert.strictEqual(second.text, first.text)
    assert.strictEqual(second.headers.get("idempotency-replay"), "true")
    assert.strictEqual((await compare({ ...twoBrands, brand_b: "Brooks" }, headers)).status, 422)
  })
})

describe("upstream", () => {
  it("200: two brands on one query need four questions, even if the caller hangs up, and are charged once", async () => {
    const own = await installation()
    const hold = await startUpstreams(true)
    const held = await startProgram({ ...own, ...hold.env })
    const api = operator(held, own.ADMIN_TOKEN)
    const { account } = await customer(held, own.ADMIN_TOKEN, 0)
    await api.topUp(account, 1000, "live")
    const live = await api.key(account, { environment: "live", rate_limits: generous })
    const body = { query: "who hangs up", brand_a: "Acme", brand_b: "Globex" }
    const headers = { "idempotency-key": "hung-up" }
    const abort = new AbortController()
    const gone = fetch(`${held.base}/v1/compare`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...headers, authorization: `Bearer ${live.key}`, "content-type": "application/json" },
      signal: abort.signal
    }).catch(() => "gone")
    await hold.arrived(4)
    abort.abort()
    assert.strictEqual(await gone, "gone")
    const again = call(`${held.base}/v1/compare`, { key: live.key, body, headers })
    hold.letGo()
    const { headers: replayed, text } = await again
    assert.strictEqual(replayed.get("idempotency-replay"), "true")
    assert.deepInclude(decode(JSON.parse(text)), { cost_cents: 150, balance_after_cents: 850 })
    assert.strictEqual(hold.asked(), 4)
    await held.stop()
    await hold.stop()
  })
})

describe("refusals", () => {
  it.each([
    [{}, "query, brand_a, brand_b"],
    [{ query: "q", brand: "b" }, "query, brand_a, brand_b"],
    [{ query: "q", brand_a: "b" }, "query, brand_a, brand_b"],
    [{ query_a: "q", brand: "b" }, "query_a, query_b, brand"],
    [{ query_a: "q", query_b: "q", query: "q", brand: "b" }, "query_a, query_b, brand"],
    [{ query_a: "q", query_b: "q", brand_a: "b" }, "query_a, query_b, brand_a, brand_b"],
    [{ query_a: "q", query_b: "q", brand_a: "b", brand_b: "b", brand: "b" }, "query_a, query_b, brand_a, brand_b"],
    [[], "query, brand_a, brand_b"]
  ])("400: %j is reported as an attempted { %s }", async (body, shape) => {
    const { status, body: problem } = await compare(body)
    assert.strictEqual(status, 400)
    assert.strictEqual(exactly(InvalidRequest)(problem).error.details?.attempted_shape, shape)
  })

  it.each([
    [{ query: "q", brand: "b" }, "brand", "has no place beside `query`, `brand_a`, `brand_b`"],
    [
      { query_a: "q", query_b: "q", brand: "b", query: "q" },
      "query",
      "has no place beside `query_a`, `query_b`, `brand`"
    ],
    [{ ...twoPairs, query: "q" }, "query", "has no place beside `query_a`, `query_b`, `brand_a`, `brand_b`"],
    [{ ...twoPairs, brand: "b" }, "brand", "has no place beside `query_a`, `query_b`, `brand_a`, `brand_b`"]
  ])("400: a field of another shape is distinguished from an unknown one: %j", async (body, path, message) => {
    const { body: problem } = await compare(body)
    assert.deepInclude(exactly(InvalidRequest)(problem).error.details?.issues ?? [], { path, message })
  })

  it.each([
    [{ ...twoBrands, mode: "all_live" }, "mode"],
    [{ ...twoBrands, region: "fr" }, "region"],
    [{ ...twoBrands, brand_a: "x".repeat(121) }, "brand_a"],
    [{ ...twoBrands, query: "x".repeat(501) }, "query"],
    [{ ...twoBrands, extra: 1 }, "extra"]
  ])("400: a wrong field is named: %j", async (body, path) => {
    const { status, body: problem } = await compare(body)
    assert.strictEqual(status, 400)
    assert.include(exactly(InvalidRequest)(problem).error.details?.issues.map((issue) => issue.path) ?? [], path)
  })

  it("200: brands of 120 and queries of 500 characters are valid", async () => {
    const { status } = await compare({ query: "q".repeat(500), brand_a: "a".repeat(120), brand_b: "b" })
    assert.strictEqual(status, 200)
  })

  it("402: below 150 credits nothing is asked, and the response has the shortfall", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 149.999)
    const { status, body } = await call(`${program.base}/v1/compare`, { key: poor.key, body: twoBrands })
    assert.strictEqual(status, 402)
    const problem = exactly(InsufficientBalance)(body)
    assert.deepInclude(problem, { balance_cents: 149.999, required_cents: 150 })
    assert.lengthOf((await operator(program, env.ADMIN_TOKEN).ledger(poor.account)).entries, 1)
  })

  it("402: a wallet that was never topped up has a balance of 0", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 0)
    const { status, body } = await call(`${program.base}/v1/compare`, { key: poor.key, body: twoBrands })
    assert.strictEqual(status, 402)
    assert.deepInclude(exactly(InsufficientBalance)(body), { balance_cents: 0 })
  })

  it("501: perplexity_live for a live key that no capture serves, whatever the balance; the idempotency key stays free", async () => {
    const { account } = await customer(program, env.ADMIN_TOKEN, 0)
    const live = await operator(program, env.ADMIN_TOKEN).key(account, { environment: "live", rate_limits: generous })
    const ask = () =>
      call(`${program.base}/v1/compare`, {
        key: live.key,
        body: { ...twoBrands, mode: "perplexity_live" },
        headers: { "idempotency-key": "nobody" }
      })
    const { status, body } = await ask()
    assert.strictEqual(status, 501)
    assert.strictEqual(exactly(ModeNotYetAvailable)(body).error.code, "mode_not_yet_available")
    const again = await ask()
    assert.deepEqual([again.status, again.headers.get("idempotency-replay")], [501, null])
    assert.lengthOf((await operator(program, env.ADMIN_TOKEN).ledger(account)).entries, 0)
  })

  it("403: a read-only key may not compare, but is shown the bucket of comparisons", async () => {
    const { key: own } = await customer(program, env.ADMIN_TOKEN, 1000, {
      read_only: true,
      rate_limits: { compare: { burst: 7, per_second: 1 } }
    })
    const { status, headers } = await call(`${program.base}/v1/compare`, { key: own, body: twoBrands })
    assert.deepEqual([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], [403, "7", "7"])
  })

  it("400: an invalid body shows the bucket of comparisons but takes no token", async () => {
    const { key: own } = await customer(program, env.ADMIN_TOKEN, 0, {
      rate_limits: { compare: { burst: 7, per_second: 1 } }
    })
    for (const body of [{}, "text", null, 1]) {
      const { status, headers } = await call(`${program.base}/v1/compare`, { key: own, body })
      assert.deepEqual(
        [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")],
        [400, "7", "7"]
      )
    }
  })

  it.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])("405: %s", async (method) => {
    const { status, headers } = await call(`${program.base}/v1/compare`, { key, method })
    assert.deepEqual([status, headers.get("allow")], [405, "POST"])
  })

  it("429: compare has its own bucket", async () => {
    const { key: own } = await customer(program, env.ADMIN_TOKEN, 1000, {
      rate_limits: { compare: { burst: 1, per_second: 0.001 } }
    })
    const first = await call(`${program.base}/v1/compare`, { key: own, body: twoBrands })
    assert.strictEqual(first.headers.get("x-ratelimit-limit"), "1")
    const second = await call(`${program.base}/v1/compare`, { key: own, body: twoBrands })
    assert.strictEqual(second.status, 429)
    assert.isNotNull(second.headers.get("retry-after"))
    assert.strictEqual(
      (await call(`${program.base}/v1/check`, { key: own, body: { query: "q", brand: "b" } })).status,
      200
    )
  })

  it("401: compare has only `unauthorized`", async () => {
    const { status, body } = await call(`${program.base}/v1/compare`, { body: twoBrands })
    assert.deepEqual([status, body.error.code], [401, "unauthorized"])
  })

  it("the audit recomputes every comparison of this file", async () => {
    assert.deepEqual((await operator(program, env.ADMIN_TOKEN).audit()).differences, [])
  })
})
