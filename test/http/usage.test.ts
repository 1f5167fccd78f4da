/**
 * `GET /v1/usage` and `GET /v1/models` as a customer sees them, against the whole program.
 *
 * Planted and seen red:
 * - unknown parameters accepted;
 * - dates that do not exist;
 * - a year that the database cannot read;
 * - a token taken for a refused query;
 * - no rate limit on a GET;
 * - no maximum window;
 * - no issues in the details;
 * - 365 or 367 days;
 * - an empty window;
 * - free calls not counted;
 * - the filter by mode ignored;
 * - a report that ends by the program's own clock;
 * - the old name of a mode unknown;
 * - a route not described;
 * - expired models listed;
 * - another granularity named than the one of the series.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { ModelsResponse, UsageResponse } from "@sightline/contract/AccountApi"
import { InvalidRequest } from "@sightline/contract/Problem"
import { LlmPlatform } from "@sightline/domain/Platform"
import { exactly } from "../services/exactly.ts"
import { call, customer, operator, startProgram } from "./program.ts"
import { started } from "./started.ts"

const { env, program } = await started()

const decodeUsage = exactly(UsageResponse)
const decodeModels = exactly(ModelsResponse)

const usage = async (key: string, query = "") =>
  decodeUsage((await call(`${program.base}/v1/usage${query}`, { key })).body)
const post = (key: string, path: string, body: object, headers = {}) =>
  call(`${program.base}${path}`, { key, body, headers })

interface Entry {
  readonly kind: string
  readonly amount_cents: number
  readonly created_at: string
}

const sum = (values: ReadonlyArray<number>) =>
  Math.round(values.reduce((total, value) => total + value, 0) * 1000) / 1000

let customers = 0

/** A customer with calls of every kind: fresh, cached, prorated, free, replayed and refused. */
const busy = async () => {
  const { key, account } = await customer(program, env.ADMIN_TOKEN, 2000)
  customers += 1
  const question = { query: `best running shoes for ${customers} runners [[sandbox:answer]]`, brand: "Nike" }
  await post(key, "/v1/check", question)
  await post(key, "/v1/check", question)
  await post(key, "/v1/check", { query: `best crm for ${customers} [[sandbox:openai:status=500]]`, brand: "HubSpot" })
  await post(key, "/v1/check", { query: "best tea [[sandbox:status=401]]", brand: "Acme" })
  await post(key, "/v1/check", question, { "idempotency-key": "once" })
  await post(key, "/v1/check", question, { "idempotency-key": "once" })
  await post(key, "/v1/check", { query: "", brand: "" })
  await post(key, "/v1/compare", {
    query: "best crm [[sandbox:gemini:status=500]]",
    brand_a: "HubSpot",
    brand_b: "Zoho"
  })
  await post(key, "/v1/discover", { brand: "Sony [[sandbox:answer]]", count: 5 })
  return { key, account }
}

const entriesOf = async (account: string): Promise<ReadonlyArray<Entry>> =>
  (await operator(program, env.ADMIN_TOKEN).ledger(account)).entries

const isCharge = ({ kind }: Entry) => kind === "capture" || kind === "charge"

describe("usage", () => {
  it("200: total = Σ series = Σ of each breakdown = ledger, for any mix of calls and any window", async () => {
    const { key, account } = await busy()
    const entries = await entriesOf(account)
    const charged = entries.filter(isCharge)
    const moments = entries.map(({ created_at }) => created_at).toSorted()
    const windows = [
      "",
      ...["total", "day", "hour"].map((granularity) => `?granularity=${granularity}`),
      `?start=${moments[2]}&end=${moments[6]}&granularity=hour`,
      `?start=${moments[0]}&end=${moments.at(-1)}`
    ]
    for (const query of windows) {
      const { window, total, series } = await usage(key, query)
      assert.strictEqual(sum(series.map(({ cost_cents }) => cost_cents)), total.cost_cents)
      assert.strictEqual(sum(series.map(({ calls }) => calls)), total.calls)
      assert.strictEqual(sum(Object.values(total.cost_by_endpoint)), total.cost_cents)
      assert.strictEqual(sum(Object.values(total.cost_by_mode)), total.cost_cents)
      const [start, end] = query.includes("start=")
        ? [moments[query.includes("hour") ? 2 : 0], query.includes("hour") ? moments[6] : moments.at(-1)]
        : [window.start, "9"]
      const within = charged.filter(({ created_at }) => created_at >= (start ?? "") && created_at < (end ?? ""))
      assert.strictEqual(total.cost_cents, sum(within.map(({ amount_cents }) => amount_cents)), query)
    }
  })

  it("200: counts answered calls, but not replays and refusals", async () => {
    const { account, key } = await busy()
    const { total, series, window } = await usage(key)
    assert.strictEqual(total.calls, 7)
    assert.deepEqual(total.cost_by_endpoint, { check: 150 + 5 + 112.5 + 0 + 5, compare: (150 * 6) / 8, discover: 50 })
    // One, unless midnight falls between the calls.
    const days = new Set((await entriesOf(account)).filter(isCharge).map(({ created_at }) => created_at.slice(0, 10)))
    assert.lengthOf(series, days.size)
    assert.strictEqual(window.granularity, "day")
    assert.strictEqual(Date.parse(window.end) - Date.parse(window.start), 30 * 86_400_000)
  })

  it("200: includes the latest charges, also from a program whose clock is ten minutes behind", async () => {
    const late = "--import=data:text/javascript,const{now}=Date;Date.now=()=>now()-6e5"
    const behind = await startProgram({ ...env, NODE_OPTIONS: late })
    try {
      const { key } = await busy()
      const read = async (path: string) => (await call(`${behind.base}${path}`, { key })).body
      const pair = "brand=HubSpot&query=best%20crm%20for%20"
      assert.strictEqual((await read("/v1/usage")).total.calls, 7)
      assert.strictEqual((await read(`/v1/visibility?${pair}${customers}%20[[sandbox:openai:status=500]]`)).checks, 1)
    } finally {
      await behind.stop()
    }
  })

  it("200: can be filtered by endpoint or mode", async () => {
    const { key } = await busy()
    assert.deepEqual((await usage(key, "?endpoint=discover")).total.cost_by_endpoint, { discover: 50 })
    assert.strictEqual((await usage(key, "?mode=ai_mode")).total.calls, 0)
    const { series, window } = await usage(key, "?mode=quick&granularity=total")
    assert.deepEqual([series.length, window.granularity], [1, "total"])
    await post(key, "/v1/check", { query: "best bank [[sandbox:answer]]", brand: "Acme", mode: "realistic" })
    const [old, now] = [await usage(key, "?mode=realistic"), await usage(key, "?mode=perplexity_live")]
    assert.deepEqual([old.total, now.total.cost_by_mode], [now.total, { perplexity_live: 85 }])
  })

  it("200: an account without calls has zeros", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 0)
    assert.deepInclude(await usage(key), {
      total: { calls: 0, cost_cents: 0, cost_by_endpoint: {}, cost_by_mode: {} },
      series: []
    })
  })

  it.each([
    ["?start=2026-11-02&end=2026-11-01", ["start"]],
    ["?start=2026-11-01&end=2026-11-01", ["start"]],
    ["?start=yesterday", ["start"]],
    ["?start=", ["start"]],
    ["?start=2026-13-01", ["start"]],
    ["?start=2026-02-30", ["start"]],
    ["?start=2026-02-01&end=2026-04-31T00:00:00Z", ["end"]],
    ["?end=2026-11-01T00:00:00", ["end"]],
    ["?end=%00", ["end"]],
    ["?start=2024-01-01&end=2025-01-02", ["start"]],
    ["?start=2026-11-01&start=2026-11-02", ["start"]],
    ["?granularity=week", ["granularity"]],
    ["?endpoint=nothing", ["endpoint"]],
    ["?mode=deep&granularity=month", ["mode", "granularity"]],
    ["?since=2026-11-01", ["since"]],
    ["?start[]=2026-11-01", ["start[]"]],
    ["?end=2026-11-01T00:00:00Z&start=2026-11-01T00:00:00%2B00:00", ["start"]]
  ])("400: %s names %j, and takes no token", async (query, paths) => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 0, {
      rate_limits: { default: { burst: 9, per_second: 1 } }
    })
    const { status, body, headers } = await call(`${program.base}/v1/usage${query}`, { key })
    assert.strictEqual(status, 400)
    const { error } = exactly(InvalidRequest)(body)
    assert.sameMembers(error.details?.issues.map(({ path }) => path) ?? [], paths)
    assert.isTrue(paths.some((path) => error.message.startsWith(`\`${path}\` `)))
    assert.deepEqual([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], ["9", "9"])
  })

  it("401: the key is checked before the query", async () => {
    assert.strictEqual((await call(`${program.base}/v1/usage?granularity=week`)).status, 401)
  })

  it.each([
    "?start=0000-01-01&end=0000-02-29",
    "?start=9999-12-01&end=9999-12-31T23:59:59-23:59",
    "?start=2024-02-29&end=2024-02-29T00:00:00.001Z"
  ])("200: %s is a valid window", async (query) => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 0)
    assert.strictEqual((await usage(key, query)).total.calls, 0)
  })

  it.each(["/v1/usage", "/v1/models"])("%s: HEAD as GET, 405 for other methods, one token per call", async (path) => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 0, {
      rate_limits: { default: { burst: 9, per_second: 0.001 } }
    })
    const head = await call(`${program.base}${path}`, { key, method: "HEAD" })
    assert.deepEqual([head.status, head.text, head.headers.get("x-ratelimit-remaining")], [200, "", "8"])
    const get = await call(`${program.base}${path}`, { key })
    assert.deepEqual([get.status, get.headers.get("x-ratelimit-remaining")], [200, "7"])
    for (const method of ["OPTIONS", "POST", "DELETE"]) {
      const { status, headers } = await call(`${program.base}${path}`, { key, method })
      assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD"])
    }
  })

  it("200: the longest window is 366 days, and a read-only key may read", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 0, { read_only: true })
    assert.strictEqual((await usage(key, "?start=2024-01-01&end=2025-01-01")).window.start, "2024-01-01T00:00:00.000Z")
  })

  it("401: without a key", async () => {
    const { status, body } = await call(`${program.base}/v1/usage`)
    assert.deepEqual([status, body.error.code], [401, "unauthorized"])
  })
})

it("200: the description lists every endpoint, and its HTML page is served", async () => {
  const { body } = await call(`${program.base}/openapi.json`)
  const described = [
    ["/v1/check", "/v1/compare", "/v1/discover", "/v1/ask", "/v1/ask/{id}", "/v1/usage", "/v1/models", "/v1/health"],
    ["/v1/watch", "/v1/watch/{id}", "/v1/watch/{id}/resume", "/v1/watch/{id}/run", "/v1/watch/{id}/runs"],
    ["/v1/webhooks", "/v1/webhooks/{id}", "/v1/deliveries", "/v1/deliveries/{id}", "/v1/deliveries/{id}/replay"],
    ["/v1/checks", "/v1/checks/{id}", "/v1/visibility/pairs", "/v1/visibility"],
    ["/v1/wallet", "/v1/ledger", "/v1/charges", "/v1/charges/{id}", "/v1/keys", "/v1/keys/{id}", "/session"]
  ].flat()
  assert.deepEqual(Object.keys(body.paths), described)
  assert.strictEqual((await fetch(`${program.base}/docs`)).status, 200)
})

describe("models", () => {
  it("200: lists the models of the operator's table, without the expired ones", async () => {
    const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const [gone, going] = [dayFromNow(0), dayFromNow(2)]
    const model = (platform: LlmPlatform, id: string, more: object) => ({
      id,
      platform,
      default: false,
      webSearch: true,
      forcedSearch: true,
      temperature: true,
      ...more
    })
    const directory = mkdtempSync(join(tmpdir(), "models-"))
    const table = [
      ...LlmPlatform.literals.map((platform) => model(platform, "kept", { default: true, temperature: false })),
      model("claude_api", "gone", { expiresAt: gone }),
      model("claude_api", "going", { expiresAt: going })
    ]
    writeFileSync(join(directory, "models.json"), JSON.stringify(table))
    const own = await startProgram({ ...env, MODELS_FILE: join(directory, "models.json") })
    const { key } = await customer(own, env.ADMIN_TOKEN, 0)
    const { models } = decodeModels((await call(`${own.base}/v1/models`, { key })).body)
    await own.stop()
    rmSync(directory, { recursive: true })
    const kept = { id: "kept", default: true, web_search: true, temperature: false }
    assert.deepEqual(models, {
      chatgpt: [kept],
      claude: [kept, { ...kept, id: "going", default: false, temperature: true, expires_at: going }],
      gemini: [kept],
      perplexity: [kept]
    })
  })

  it("200: lists the models of each provider, with one default that works", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 1000)
    const { models } = decodeModels((await call(`${program.base}/v1/models`, { key })).body)
    const today = new Date().toISOString().slice(0, 10)
    for (const list of Object.values(models)) {
      assert.lengthOf(
        list.filter((model) => model.default),
        1
      )
      assert.isTrue(list.every(({ expires_at }) => expires_at === undefined || expires_at > today))
    }
    const [, other] = models.claude
    const body = { query: "q", brand: "b", providers: ["claude"], models: { claude: other?.id } }
    assert.strictEqual((await post(key, "/v1/check", body)).status, 200)
  })
})
