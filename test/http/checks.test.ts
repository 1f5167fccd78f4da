/**
 * `GET /v1/checks` and `GET /v1/checks/{id}` as a customer sees them, against the whole program.
 *
 * Planted and seen red:
 * - checks of the other environment;
 * - a comparison with a check without any answer;
 * - checks with the same time skipped by the cursor;
 * - the runs of every watch of the pair;
 * - another text than the one that was searched;
 * - a defect for a malformed id;
 * - a comparison with checks of other regions;
 * - a call whose response has the time of its charge;
 * - a mode filter that knows only the new names;
 * - bounds truncated to the millisecond.
 */
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { CheckFound, CheckList } from "@sightline/contract/CheckHistoryApi"
import { InvalidRequest } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, installation, operator, type Program, startProgram } from "./program.ts"
import { startUpstreams, type Upstreams } from "./upstreams.ts"
import { silent, watching } from "./watching.ts"
import { sqlOn } from "./sqlOn.ts"

let program: Program
let env: Awaited<ReturnType<typeof installation>>
let upstreams: Upstreams

beforeAll(async () => {
  env = await installation()
  upstreams = await startUpstreams(false)
  program = await startProgram({ ...env, ...upstreams.env, ROLES: "api,worker" })
})
afterAll(async () => {
  await program.stop()
  await upstreams.stop()
})

const decodeList = exactly(CheckList)
const decodeFound = exactly(CheckFound)

/** The calls of one customer key to the check routes. */
const reading = (key: string) => {
  const get = (path: string) => call(`${program.base}${path}`, { key })
  const list = async (query = "") => {
    const answer = await get(`/v1/checks${query}`)
    assert.strictEqual(answer.status, 200, answer.text)
    return decodeList(answer.body)
  }
  return {
    get,
    list,
    ids: async (query = "") => (await list(query)).checks.map(({ id }) => id),
    find: async (id: string) => {
      const answer = await get(`/v1/checks/${id}`)
      assert.strictEqual(answer.status, 200, answer.text)
      return decodeFound(answer.body).check
    },
    check: async (body: object) => {
      const answer = await call(`${program.base}/v1/check`, { key, body })
      assert.strictEqual(answer.status, 200, answer.text)
      return answer.body
    }
  }
}

const newCustomer = async (environment: "live" | "test" = "test") => {
  const made = await customer(program, env.ADMIN_TOKEN, 0, { environment })
  await operator(program, env.ADMIN_TOKEN).topUp(made.account, 100_000, environment)
  return { ...made, ...reading(made.key) }
}

/** A query that no other test uses, so that no answers are shared. */
let last = 0
const question = (directives = "[[sandbox:answer]]") => `best crm for team ${++last} ${directives}`

const brand = "HubSpot"

/** A watch of a live customer. Its runs are fresh, and the engines say what the test tells them to. */
const watchedBy = async (key: string, more: object = {}) => {
  const { create, run } = watching(program, key)
  const { id } = await create({ query: question(""), brand: "Acme", trigger_on: silent, ...more })
  return { id, run: () => run(id) }
}

const first = "1. **Acme** leads.\n2. **Globex** follows."
const second = "1. **Globex** leads.\n2. **Acme** follows."

describe("GET /v1/checks", () => {
  it("200: calls and watch runs, newest first, each with its cost and the result of every platform", async () => {
    const { check, key, list } = await newCustomer()
    const whole = await check({ query: question(), brand, region: "uk" })
    const half = await check({ query: question("[[sandbox:openai:status=500]] [[sandbox:answer]]"), brand })
    const missing = await check({ query: question("[[sandbox:no-answer]]"), brand, mode: "ai_overview" })
    const watch = await watchedBy(key, { query: question(), brand })
    const run = await watch.run()
    const { checks, next_cursor } = await list()
    assert.isNull(next_cursor)
    assert.deepStrictEqual(
      checks.map(({ id }) => id),
      [run.check_id, missing.id, half.id, whole.id]
    )
    const [ran, absent, torn, full] = checks
    assert.deepInclude(ran ?? {}, { watch_id: watch.id, mode: "quick", cost_cents: 150, region: "us" })
    assert.deepInclude(absent ?? {}, {
      platforms: [{ platform: "ai_overview", mentioned: false, rank: null, surface_present: false }],
      failures: [],
      cost_cents: 15,
      watch_id: null
    })
    assert.deepStrictEqual(torn?.failures, [{ platform: "chatgpt", code: "provider_unavailable" }])
    assert.strictEqual(torn?.cost_cents, 112.5)
    assert.deepInclude(full ?? {}, {
      query: whole.query,
      brand,
      region: "uk",
      duration_ms: whole.duration_ms,
      failures: [],
      platforms: Object.entries<{ mentioned: boolean; rank: number }>(whole.providers).map(
        ([platform, { mentioned, rank }]) => ({ platform, mentioned, rank })
      )
    })
  })

  it("200: only checks of the key's own account and environment, also for a read-only key", async () => {
    const own = await newCustomer()
    const admin = operator(program, env.ADMIN_TOKEN)
    const { id } = await own.check({ query: question(), brand })
    await (await newCustomer()).check({ query: question(), brand })
    await admin.topUp(own.account, 1000, "live")
    const live = reading((await admin.key(own.account, { environment: "live" })).key)
    const alien = await live.check({ query: question(""), brand: "Acme" })
    assert.deepStrictEqual(await own.ids(), [id])
    assert.deepStrictEqual(await live.ids(), [alien.id])
    const reader = reading((await admin.key(own.account, { read_only: true })).key)
    assert.deepStrictEqual(await reader.ids(), [id])
    assert.strictEqual((await reader.find(id)).id, id)
    assert.strictEqual((await reader.get("/v1/visibility")).status, 200)
    assert.strictEqual((await reader.get("/v1/visibility/pairs")).status, 200)
  })

  it("200: a filter selects what it names and nothing else", async () => {
    const { check, ids, key, list } = await newCustomer()
    const [one, other] = [question(), question()]
    const a = await check({ query: one, brand })
    const b = await check({ query: one, brand: "Zoho" })
    const c = await check({ query: other, brand, mode: "ai_mode" })
    const watch = await watchedBy(key, { query: one, brand })
    const d = (await watch.run()).check_id
    const e = (await (await watchedBy(key, { query: one, brand })).run()).check_id
    const asked = (query: Readonly<Record<string, string>>) => ids(`?${new URLSearchParams(query).toString()}`)
    assert.deepStrictEqual(await asked({ brand: "Zoho" }), [b.id])
    assert.deepStrictEqual(await asked({ brand: "zoho" }), [])
    assert.deepStrictEqual(await asked({ query: one }), [e, d, b.id, a.id])
    assert.deepStrictEqual(await asked({ query: one, brand, mode: "quick" }), [e, d, a.id])
    assert.deepStrictEqual(await asked({ mode: "ai_mode" }), [c.id])
    assert.deepStrictEqual(await asked({ watch_id: watch.id }), [d])
    assert.deepStrictEqual(await asked({ watch_id: randomUUID() }), [])
    const moments = (await list()).checks.map(({ created_at }) => created_at)
    const [, fourth = "", third = ""] = moments
    assert.deepStrictEqual(await asked({ start: third, end: fourth }), [c.id])
    assert.deepStrictEqual(await asked({ start: fourth }), [e, d])
    assert.deepStrictEqual(await asked({ end: third }), [b.id, a.id])
    const justAfter = third.replace(
      /\d{6}Z$/,
      (micros) => `${String(Number(micros.slice(0, 6)) + 1).padStart(6, "0")}Z`
    )
    assert.deepStrictEqual(await asked({ end: justAfter }), [c.id, b.id, a.id])
    assert.deepStrictEqual(await asked({ start: justAfter }), [e, d])
    const stranger = await newCustomer()
    assert.deepStrictEqual(await stranger.ids(`?watch_id=${watch.id}`), [])
  })

  it("200: a filter accepts a mode by its old name too", async () => {
    const { check, ids } = await newCustomer()
    const { id } = await check({ query: question(), brand, mode: "realistic" })
    await check({ query: question(), brand })
    assert.deepStrictEqual([await ids("?mode=realistic"), await ids("?mode=perplexity_live")], [[id], [id]])
  })

  it("200: following the pages to the end lists each check once, even if many have the same time", async () => {
    const { account, check, ids, list } = await newCustomer()
    const query = question()
    for (let n = 0; n < 7; n++) await check({ query, brand })
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`UPDATE check_records SET created_at = date_trunc('hour', created_at) WHERE account_id = ${account}`
    )
    const all = await ids()
    assert.lengthOf(all, 7)
    const seen: Array<string> = []
    let cursor: string | null = null
    do {
      const page: CheckList = await list(`?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`)
      seen.push(...page.checks.map(({ id }) => id))
      if (cursor === null) await check({ query, brand })
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.deepStrictEqual(seen, all)
  })

  it("400: an invalid filter names its field and takes no token", async () => {
    const limits = { rate_limits: { default: { burst: 9, per_second: 0.0001 } } }
    const { get } = reading((await customer(program, env.ADMIN_TOKEN, 0, limits)).key)
    const wrong = {
      "start=yesterday": "start",
      "end=2026-02-30": "end",
      "start=2026-11-02&end=2026-11-02": "start",
      "limit=0": "limit",
      "limit=201": "limit",
      "mode=deep": "mode",
      "brand=": "brand",
      "query=": "query",
      "watch_id=7": "watch_id",
      "colour=red": "colour",
      "cursor=abc": "cursor"
    }
    const left: Array<string | null> = []
    for (const [query, field] of Object.entries(wrong)) {
      const answer = await get(`/v1/checks?${query}`)
      assert.strictEqual(answer.status, 400, query)
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(InvalidRequest)(answer.body).error.details?.issues.map(({ path }) => path),
        [field],
        query
      )
      left.push(answer.headers.get("x-ratelimit-remaining"))
    }
    assert.deepStrictEqual([...new Set(left)], ["9"])
  })
})

describe("GET /v1/checks/{id}", () => {
  it("200: has the time of its charge; the response of its call has the time at which the call began", async () => {
    const { check, find, get } = await newCustomer()
    const made = await check({ query: question("[[sandbox:latency=500ms;answer]]"), brand })
    const { charge_id: id, created_at: done } = await find(made.id)
    const { charge } = (await get(`/v1/charges/${id}`)).body
    assert.strictEqual(done, charge.finished_at)
    assert.isAtLeast(Date.parse(done) - Date.parse(made.created_at), 500)
  })

  it("200: has the text of each answer with the excerpt in it, and its brands and citations as in the call", async () => {
    const { check, find } = await newCustomer()
    const made = await check({ query: question(), brand, city: "Leeds", region: "uk" })
    const found = await find(made.id)
    assert.deepInclude(found, { city: "Leeds", region: "uk", failures: [], watch_id: null, difference: null })
    assert.lengthOf(found.platforms, 4)
    for (const { brands, citations, context, mentioned, model, platform, rank, text } of found.platforms) {
      const slot = made.providers[platform]
      assert.deepStrictEqual([mentioned, rank, context], [slot.mentioned, slot.rank, slot.context])
      assert.deepStrictEqual(
        citations,
        slot.citations.map(({ title, url }: { title: string; url: string }) => ({ url, title }))
      )
      assert.isNotEmpty(model)
      assert.include(text ?? assert.fail("no text"), context)
      assert.isNotEmpty(brands)
      for (const name of brands) assert.include(text, name)
      if (rank !== null) assert.strictEqual(brands[rank - 1], brand)
    }
    assert.isTrue(found.platforms.some(({ mentioned }) => mentioned))
  })

  it("200: a check from cache has the same texts; a surface without an answer has none", async () => {
    const { check, find } = await newCustomer()
    const query = question()
    const [fresh, cached] = [await check({ query, brand }), await check({ query, brand: "Zoho" })]
    assert.isTrue(cached.cache_hit)
    const texts = async (id: string) => (await find(id)).platforms.map(({ text }) => text)
    assert.deepStrictEqual(await texts(cached.id), await texts(fresh.id))
    const absent = await check({ query: question("[[sandbox:no-answer]]"), brand, mode: "ai_overview" })
    assert.deepInclude((await find(absent.id)).platforms[0] ?? {}, { surface_present: false, text: null, brands: [] })
    const live = await check({ query: question(), brand, mode: "chatgpt_live" })
    const [shown = assert.fail("no answer")] = (await find(live.id)).platforms
    assert.include(shown.text, shown.context)
    assert.isNotEmpty(shown.brands)
  })

  it("200: a text that has been deleted is null, and it has no brands", async () => {
    const { check, find } = await newCustomer()
    const { id } = await check({ query: question(), brand })
    const before = await find(id)
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`DELETE FROM answer_texts WHERE hash = ANY((SELECT texts FROM checks WHERE id = ${id})::bytea[])`
    )
    const after = await find(id)
    assert.deepStrictEqual(
      after.platforms,
      before.platforms.map((one) => Object.assign(one, { text: null, brands: [] }))
    )
  })

  it("404: a check of another account or environment, an unknown id and a malformed id have the same response", async () => {
    const [own, other] = [await newCustomer(), await newCustomer()]
    const { id } = await own.check({ query: question(), brand })
    const live = reading((await operator(program, env.ADMIN_TOKEN).key(own.account, { environment: "live" })).key)
    const answers = [
      await other.get(`/v1/checks/${id}`),
      await live.get(`/v1/checks/${id}`),
      ...(await Promise.all(
        [randomUUID(), "7", "%00", id.replaceAll("-", "")].map((one) => own.get(`/v1/checks/${one}`))
      ))
    ]
    const without = ({ body, status }: (typeof answers)[number]) => ({ status, body: { ...body, request_id: "" } })
    for (const answer of answers) {
      assert.strictEqual(answer.status, 404)
      assert.deepStrictEqual(without(answer), without(answers[0] ?? answer))
    }
  })

  it("200: lists the changes since the previous check, as a watch would", async () => {
    upstreams.say(() => first)
    const { find, key } = await newCustomer("live")
    const { run } = await watchedBy(key)
    const differenceOf = async () => {
      const { check_id } = await run()
      const check = await find(check_id ?? assert.fail("no check"))
      return { id: check.id, query: check.query, difference: check.difference }
    }
    const one = await differenceOf()
    assert.isNull(one.difference)
    const two = await differenceOf()
    assert.deepStrictEqual(two.difference, { previous_id: one.id, triggers: [], summary: "" })
    upstreams.say((vendor) => (vendor === "gemini" ? second : first))
    const three = await differenceOf()
    assert.deepStrictEqual(three.difference, {
      previous_id: two.id,
      triggers: ["rank_changed"],
      summary: `For “${one.query.trim()}”, the brand “Acme” moved down from 1st to 2nd place on Gemini.`
    })
    // A failing engine is no change, and a check without any answer is not compared with.
    upstreams.say((vendor) => (vendor === "gemini" ? 401 : first))
    const four = await differenceOf()
    assert.deepStrictEqual(four.difference, { previous_id: three.id, triggers: [], summary: "" })
    upstreams.say(() => 401)
    const five = await differenceOf()
    assert.deepStrictEqual(five.difference, { previous_id: four.id, triggers: [], summary: "" })
    upstreams.say(() => "Nobody knows.")
    const six = await differenceOf()
    assert.deepInclude(six.difference ?? {}, { previous_id: four.id, triggers: ["mention_removed"] })
  })

  it("200: compares only with checks of the same account, brand, query, mode and region", async () => {
    upstreams.say(() => first)
    const { check, find } = await newCustomer()
    const query = question()
    const base = { query, brand, mode: "ai_mode" }
    await (await newCustomer()).check(base)
    await check({ ...base, brand: "Zoho" })
    await check({ ...base, query: question() })
    await check({ ...base, mode: "chatgpt_live" })
    await check({ ...base, region: "uk" })
    const { id } = await check(base)
    assert.isNull((await find(id)).difference)
    const next = await check(base)
    assert.strictEqual((await find(next.id)).difference?.previous_id, id)
  })
})
