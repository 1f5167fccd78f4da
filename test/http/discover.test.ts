/**
 * `POST /v1/discover` as a customer sees it, against the whole program.
 *
 * Planted and seen red:
 * - candidates invented when no engine answers;
 * - the flat price prorated;
 * - a partial discovery cached;
 * - failures left out;
 * - unknown fields, longer codes and larger counts accepted;
 * - the default bucket shown or used;
 * - the idempotency key ignored.
 */
import { assert, describe, it } from "vitest"
import { DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { InsufficientBalance, InvalidRequest } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"

const { env, program } = await started()
const key = (await customer(program, env.ADMIN_TOKEN)).key

const discover = (body: object, headers = {}) => call(`${program.base}/v1/discover`, { key, body, headers })
const decode = exactly(DiscoverResponse)

describe("200", () => {
  it("200: questions of all engines are listed once each, best first, at the flat price", async () => {
    const answer = decode(
      (await discover({ brand: "Nike [[sandbox:answer]]", industry: "running shoes", count: 10 })).body
    )
    assert.lengthOf(answer.candidates, 10)
    assert.strictEqual(answer.total, 10)
    assert.deepInclude(answer, { industry: "running shoes", language: "en", cached: false, cost_cents: 50 })
    const scores = answer.candidates.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a)
    )
    assert.isTrue(scores.every((score) => score > 0 && score <= 1))
    assert.match(answer.candidates[0]?.rationale ?? "", /^Suggested by 4 of 4 engines/)
  })

  it("200: the same request again comes from cache at the same price; another count has its own entry", async () => {
    const body = { brand: "HubSpot [[sandbox:answer]]", count: 5 }
    const first = decode((await discover(body)).body)
    const again = decode((await discover(body)).body)
    assert.isTrue(again.cached)
    assert.strictEqual(again.cost_cents, 50)
    assert.deepEqual(again.candidates, first.candidates)
    assert.isFalse(decode((await discover({ ...body, count: 6 })).body).cached)
  })

  it("200: an engine that fails is listed in `errors`; the price stays flat, and a partial result is not cached", async () => {
    const body = { brand: "Sony [[sandbox:openai:status=500]]", count: 5 }
    const answer = decode((await discover(body)).body)
    assert.strictEqual(answer.errors?.chatgpt?.code, "provider_unavailable")
    assert.strictEqual(answer.cost_cents, 50)
    assert.isAbove(answer.total, 0)
    assert.isFalse(decode((await discover(body)).body).cached)
  })

  it("200: if every engine fails there are no questions and no charge", async () => {
    const answer = decode((await discover({ brand: "Bose [[sandbox:status=401]]" })).body)
    assert.deepInclude(answer, { candidates: [], total: 0, cost_cents: 0, cached: false })
    assert.lengthOf(Object.keys(answer.errors ?? {}), 4)
  })

  it("200: engines that refuse to answer count as failed", async () => {
    const answer = decode((await discover({ brand: "Acme [[sandbox:refusal]]" })).body)
    assert.deepInclude(answer, { candidates: [], cost_cents: 0 })
    assert.deepEqual(answer.errors?.claude?.code, "provider_error")
  })
})

describe("refusals", () => {
  it.each([
    [{}, "brand"],
    [{ brand: "" }, "brand"],
    [{ brand: "x".repeat(121) }, "brand"],
    [{ brand: "b", industry: "x".repeat(121) }, "industry"],
    [{ brand: "b", count: 0 }, "count"],
    [{ brand: "b", count: 101 }, "count"],
    [{ brand: "b", count: 1.5 }, "count"],
    [{ brand: "b", language: "e" }, "language"],
    [{ brand: "b", language: "englishes" }, "language"],
    [{ brand: "b", extra: 1 }, "extra"]
  ])("400: %j names the field", async (body, path) => {
    const { status, body: problem } = await discover(body)
    assert.strictEqual(status, 400)
    assert.include(exactly(InvalidRequest)(problem).error.details?.issues.map((issue) => issue.path) ?? [], path)
  })

  it("402: below 50 credits nothing is asked", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 49)
    const { status, body } = await call(`${program.base}/v1/discover`, { key: poor.key, body: { brand: "b" } })
    assert.strictEqual(status, 402)
    assert.deepInclude(exactly(InsufficientBalance)(body), {
      balance_cents: 49,
      required_cents: 50
    })
  })

  it("402: a wallet that was never topped up has a balance of 0", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 0)
    const { status, body } = await call(`${program.base}/v1/discover`, { key: poor.key, body: { brand: "b" } })
    assert.strictEqual(status, 402)
    assert.deepInclude(exactly(InsufficientBalance)(body), { balance_cents: 0 })
  })

  it("429: discover has its own bucket; a refused body shows it but takes no token", async () => {
    const { key: own } = await customer(program, env.ADMIN_TOKEN, 1000, {
      rate_limits: { discover: { burst: 1, per_second: 0.001 } }
    })
    const ask = (body: object) => call(`${program.base}/v1/discover`, { key: own, body })
    const shown = ({ status, headers }: Awaited<ReturnType<typeof ask>>) => [
      status,
      headers.get("x-ratelimit-limit"),
      headers.get("x-ratelimit-remaining")
    ]
    assert.deepEqual(shown(await ask({ brand: "" })), [400, "1", "1"])
    assert.deepEqual(shown(await ask({ brand: "b" })), [200, "1", "0"])
    const refused = await ask({ brand: "b" })
    assert.deepEqual(shown(refused), [429, "1", "0"])
    assert.isNotNull(refused.headers.get("retry-after"))
  })

  it("200: the same Idempotency-Key has the same response and is charged once; another body is 422", async () => {
    const headers = { "idempotency-key": "discover-once" }
    const first = await discover({ brand: "Adidas" }, headers)
    const second = await discover({ brand: "Adidas" }, headers)
    assert.strictEqual(second.text, first.text)
    assert.strictEqual(second.headers.get("idempotency-replay"), "true")
    assert.strictEqual((await discover({ brand: "Puma" }, headers)).status, 422)
  })

  it("401: discover has only `unauthorized`", async () => {
    const { status, body } = await call(`${program.base}/v1/discover`, { body: { brand: "b" } })
    assert.deepEqual([status, body.error.code], [401, "unauthorized"])
  })

  it.each(["GET", "HEAD", "OPTIONS"])("405: %s", async (method) => {
    const { status, headers } = await call(`${program.base}/v1/discover`, { key, method })
    assert.deepEqual([status, headers.get("allow")], [405, "POST"])
  })

  it("403: a read-only key may not spend", async () => {
    const { key: own } = await customer(program, env.ADMIN_TOKEN, 100, { read_only: true })
    assert.strictEqual((await call(`${program.base}/v1/discover`, { key: own, body: { brand: "b" } })).status, 403)
  })

  it("the audit recomputes every discovery of this file", async () => {
    assert.deepEqual((await operator(program, env.ADMIN_TOKEN).audit()).differences, [])
  })
})
