/**
 * `/v1/wallet`, `/v1/ledger` and `/v1/charges` as a customer sees them, against the whole program.
 *
 * Planted and seen red: a page that begins with the last charge of the previous one; a charge of the other environment found by its id;
 * charges and ledger of both environments in one list; the `sum` of a cached call with the fresh price; a comparison or a fresh discovery
 * reported as cached, or a cached one as fresh; a charge without its end, or whose end is shown as its start.
 */
import { assert, describe, it } from "vitest"
import { InvalidRequest, NotFound } from "@sightline/contract/Problem"
import { ChargeFound, ChargeList, WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import { exactly } from "../services/exactly.ts"
import { call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"

const { env, program } = await started()
const api = operator(program, env.ADMIN_TOKEN)

const decode = {
  wallet: exactly(WalletFound),
  ledger: exactly(WalletLedger),
  charges: exactly(ChargeList),
  charge: exactly(ChargeFound),
  invalid: exactly(InvalidRequest),
  notFound: exactly(NotFound)
}

const get = (key: string, path: string) => call(`${program.base}${path}`, { key })
const post = (key: string, path: string, body: object) => call(`${program.base}${path}`, { key, body })

const wallet = async (key: string) => decode.wallet((await get(key, "/v1/wallet")).body)
const ledger = async (key: string, query = "") => decode.ledger((await get(key, `/v1/ledger${query}`)).body)
const charges = async (key: string, query = "") => decode.charges((await get(key, `/v1/charges${query}`)).body)

/** Follows a list from page to page. */
const pages = async <A>(page: (query: string) => Promise<{ rows: ReadonlyArray<A>; next: string | null }>) => {
  const all: Array<A> = []
  for (let query: string | null = ""; query !== null;) {
    const { rows, next }: { rows: ReadonlyArray<A>; next: string | null } = await page(query)
    all.push(...rows)
    query = next === null ? null : `&cursor=${encodeURIComponent(next)}`
  }
  return all
}

// A simulated engine leaves one question in 120 without an answer. The costs here are those of answered questions.
const answered = "[[sandbox:answer]]"

/** A customer with a call of every kind, oldest first. */
const busy = async () => {
  const one = await customer(program, env.ADMIN_TOKEN, 2000)
  const shoes = `best running shoes for ${one.account}`
  const question = { query: `${shoes} ${answered}`, brand: "Nike" }
  await post(one.key, "/v1/check", { ...question, query: `${shoes} [[sandbox:openai:status=500]] ${answered}` })
  await post(one.key, "/v1/check", question)
  await post(one.key, "/v1/check", { ...question, providers: ["claude", "gemini"] })
  const crm = `best crm for ${one.account}`
  await post(one.key, "/v1/check", { query: `${crm} ${answered}`, brand: "HubSpot", mode: "all_live" })
  const sides = { brand_a: "HubSpot", brand_b: "Salesforce" }
  await post(one.key, "/v1/compare", { query: `${crm} [[sandbox:gemini:status=500]] ${answered}`, ...sides })
  for (let time = 0; time < 2; time++)
    await post(one.key, "/v1/discover", { brand: `Acme ${one.account} ${answered}`, count: 3 })
  await post(one.key, "/v1/discover", { brand: `Acme ${one.account} [[sandbox:status=401]]`, count: 3 })
  const ask = { prompt: `What is new for ${one.account}? ${answered}` }
  await post(one.key, "/v1/ask", { ...ask, providers: ["openai"] })
  await post(one.key, "/v1/ask", { ...ask, providers: ["openai", "anthropic", "gemini"] })
  return one
}

describe("GET /v1/wallet", () => {
  it("200 is the balance of the key's own environment, with the top-up page", async () => {
    const { account, key } = await customer(program, env.ADMIN_TOKEN, 120)
    const live = await api.key(account, { environment: "live" })
    await api.topUp(account, 7.5, "live")
    await post(key, "/v1/check", { query: `what is left of ${account}`, brand: "Acme" })
    const { request_id: _, ...found } = await wallet(key)
    assert.deepStrictEqual(found, {
      environment: "test",
      account: { id: account, name: "customer" },
      balance_cents: 120,
      held_cents: 0,
      topup_url: `${program.base}/billing`
    })
    assert.deepInclude(await wallet(live.key), { environment: "live", balance_cents: 7.5 })
  })

  it("200 shows the money held by a running call, and its charge without a `sum`", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 1000)
    const body = { prompt: "later [[sandbox:latency=30s]]", providers: ["openai"], mode: "standard" }
    assert.strictEqual((await post(key, "/v1/ask", body)).status, 202)
    assert.deepInclude(await wallet(key), { balance_cents: 993, held_cents: 7 })
    const [held] = (await charges(key)).charges
    assert.deepInclude(held, { state: "held", price_cents: 7, charged_cents: null, refunded_cents: null, sum: null })
    assert.deepStrictEqual(held?.outcomes, [{ platform: "chatgpt", outcome: null }])
  })
})

describe("GET /v1/ledger", () => {
  it("200 lists every movement of the wallet once, newest first, as the operator sees it", async () => {
    const { account, key } = await busy()
    await api.topUp(account, 5, "live")
    const entries = await pages(async (query) => {
      const { entries: rows, next_cursor: next } = await ledger(key, `?limit=3${query}`)
      return { rows, next }
    })
    const { entries: all } = await api.ledger(account)
    const expected = all.filter((entry: { environment: string }) => entry.environment === "test")
    for (const entry of expected) delete entry.environment
    assert.deepStrictEqual(entries, expected)
    assert.isAbove(entries.length, 12)
    assert.strictEqual(entries[0]?.available_after_cents, (await wallet(key)).balance_cents)
  })
})

describe("GET /v1/charges", () => {
  it("200 lists the cost of each call and how it is computed", async () => {
    const { key } = await busy()
    const found = (await charges(key)).charges
    assert.deepStrictEqual(
      found.map(({ endpoint, mode, sum, price_cents, charged_cents }) => [
        endpoint,
        mode,
        sum,
        price_cents,
        charged_cents
      ]),
      [
        ["ask", "live", "2 × 10 + 1 × 1 = 21", 30, 21],
        ["ask", "live", "1 × 10 = 10", 10, 10],
        ["discover", "quick", "0", 50, 0],
        ["discover", "quick", "50 = 50", 50, 50],
        ["discover", "quick", "50 = 50", 50, 50],
        ["compare", "quick", "150 × 6 / 8 = 112.5", 150, 112.5],
        ["check", "all_live", "165 × 6 / 6 = 165", 165, 165],
        ["check", "quick", "5 × 2 / 4 = 2.5", 75, 2.5],
        ["check", "quick", "150 × 4 / 4 = 150", 150, 150],
        ["check", "quick", "150 × 3 / 4 = 112.5", 150, 112.5]
      ]
    )
    for (const { created_at, finished_at } of found)
      assert.isAtMost(Date.parse(created_at), Date.parse(finished_at ?? ""))
    // The engines were asked in between.
    assert.isTrue((found[6]?.created_at ?? "") < (found[6]?.finished_at ?? ""))
    for (const { charged_cents: charged, price_cents: price, refunded_cents: refunded, state } of found) {
      assert.strictEqual(price, (charged ?? 0) + (refunded ?? 0))
      assert.strictEqual(state, charged === 0 ? "voided" : "settled")
    }
    assert.deepStrictEqual(found[7]?.outcomes, [
      { platform: "claude", outcome: "ok" },
      { platform: "gemini", outcome: "ok" }
    ])
    const cached = found.flatMap(({ cached }, index) => (cached ? [index] : []))
    assert.deepStrictEqual(cached, [3, 7])
    const failed = (index: number) => found[index]?.outcomes.filter(({ outcome }) => outcome !== "ok")
    assert.deepStrictEqual(failed(5), [
      { platform: "gemini", side: "a", outcome: "provider_unavailable" },
      { platform: "gemini", side: "b", outcome: "provider_unavailable" }
    ])
    assert.deepStrictEqual(failed(9), [{ platform: "chatgpt", outcome: "provider_unavailable" }])
    const left = (await wallet(key)).balance_cents
    assert.strictEqual(
      2000 - left,
      found.reduce((sum, { charged_cents }) => sum + (charged_cents ?? 0), 0)
    )
  })

  it("200 lists each charge once for any page size, and finds each by its id", async () => {
    const { key } = await busy()
    const whole = (await charges(key)).charges
    for (const limit of [1, 4, 9, 10]) {
      const all = await pages(async (query) => {
        const { charges: rows, next_cursor: next } = await charges(key, `?limit=${limit}${query}`)
        return { rows, next }
      })
      assert.deepStrictEqual(all, whole)
    }
    for (const charge of whole)
      assert.deepStrictEqual(decode.charge((await get(key, `/v1/charges/${charge.id}`)).body).charge, charge)
  })

  it("200 shows a released hold as a voided charge of 0", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 1000)
    const body = { prompt: "never [[sandbox:latency=30s]]", providers: ["openai"], mode: "standard" }
    await post(key, "/v1/ask", body)
    const [held] = (await charges(key)).charges
    const movement = JSON.stringify([{ kind: "void", charge_id: held?.id, amount: 0 }])
    await sqlOn(env.DATABASE_URL, (sql) => sql`SELECT * FROM post_movements(${movement}::json)`)
    const [voided] = (await charges(key)).charges
    assert.deepInclude(voided, { state: "voided", charged_cents: 0, refunded_cents: 7, sum: "0 × 7 = 0" })
  })

  it("400 for an invalid cursor, limit or parameter, which is named", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 0)
    for (const path of ["/v1/charges", "/v1/ledger"])
      for (const [field, value] of [
        ["cursor", "x"],
        ["limit", "0"],
        ["limit", "201"],
        ["other", "1"]
      ]) {
        const { status, body } = await get(key, `${path}?${field}=${value}`)
        assert.strictEqual(status, 400)
        assert.strictEqual(decode.invalid(body).error.details?.issues[0]?.path, field)
      }
  })

  it("404 with one message for a charge of another account or environment, an unknown id and a malformed id", async () => {
    const { account, key } = await customer(program, env.ADMIN_TOKEN, 1000)
    await post(key, "/v1/check", { query: `whose charge is ${account}`, brand: "Acme" })
    const id = (await charges(key)).charges[0]?.id ?? ""
    const live = await api.key(account, { environment: "live", rate_limits: generous })
    const stranger = await customer(program, env.ADMIN_TOKEN, 0)
    const tries = [
      [live.key, id],
      [stranger.key, id],
      [key, crypto.randomUUID()],
      [key, id.toUpperCase().replace(/\w$/, "g")],
      [key, "%00"],
      [key, "1"]
    ] as const
    for (const [who, which] of tries) {
      const { status, body } = await get(who, `/v1/charges/${which}`)
      assert.strictEqual(status, 404)
      assert.strictEqual(decode.notFound(body).error.message, "There is no such charge.")
    }
    assert.deepStrictEqual((await charges(live.key)).charges, [])
    assert.deepStrictEqual((await charges(stranger.key)).charges, [])
    assert.deepStrictEqual((await ledger(stranger.key)).entries, [])
    assert.strictEqual((await get(key, `/v1/charges/${id}`)).status, 200)
  })
})
