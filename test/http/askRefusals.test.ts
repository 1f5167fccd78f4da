/**
 * The refusals of `POST /v1/ask`, which cost nothing and queue nothing, against the whole program.
 *
 * Planted and seen red:
 * - the rule for `prompt` and `messages` names no field;
 * - 481 characters accepted;
 * - 11 turns;
 * - two system turns;
 * - a provider twice;
 * - `json_schema: null` accepted;
 * - a webhook accepted that is disabled, not subscribed or of any account;
 * - the 402 of checks;
 * - the balance compared with the cached price;
 * - the bucket of discover.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { InsufficientCredits, RequestUnsupported } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { asking, wrongFields } from "./asking.ts"
import { call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"

const { env, program } = await started()
const own = await customer(program, env.ADMIN_TOKEN)
const api = asking(program, own.key)

/** The number of ledger entries and of asks of an account. */
const tracesOf = async (account: string) => [
  (await operator(program, env.ADMIN_TOKEN).ledger(account)).entries.length,
  (await sqlOn(env.DATABASE_URL, (sql) => sql`SELECT id FROM asks WHERE account_id = ${account}`)).length
]

/** The same for an account that has only been topped up. */
const untouched = [1, 0]

const prompt = "best crm?"
const user = { role: "user", content: "q" }
const assistant = { role: "assistant", content: "a" }
const system = { role: "system", content: "s" }
const turns = (count: number) => Array.from({ length: count }, (_, n) => (n % 2 === 0 ? user : assistant))

describe("an invalid body", () => {
  const wrong: ReadonlyArray<readonly [what: string, body: object, path: string]> = [
    ["neither prompt nor messages", {}, "prompt"],
    ["both", { prompt, messages: [user] }, "prompt"],
    ["an empty prompt", { prompt: "" }, "prompt"],
    ["481 characters", { prompt: "🦊".repeat(481) }, "prompt"],
    ["481 characters of a turn", { messages: [{ ...user, content: "x".repeat(481) }] }, "messages.0.content"],
    ["481 characters of system", { prompt, system_message: "x".repeat(481) }, "system_message"],
    ["no turns", { messages: [] }, "messages"],
    ["a system turn alone", { messages: [system] }, "messages"],
    ["11 turns", { messages: turns(11) }, "messages"],
    ["12 items", { messages: [system, ...turns(11)] }, "messages"],
    ["two system turns", { messages: [system, user, system, user] }, "messages"],
    ["an answer as the last turn", { messages: [user, assistant] }, "messages"],
    ["a role of tool", { messages: [{ role: "tool", content: "x" }] }, "messages.0.role"],
    ["an unknown key in a turn", { messages: [{ ...user, name: "x" }] }, "messages.0.name"],
    ["no providers", { prompt, providers: [] }, "providers"],
    ["a provider twice", { prompt, providers: ["openai", "openai"] }, "providers"],
    ["a provider of check", { prompt, providers: ["openai", "chatgpt"] }, "providers.1"],
    ["five providers", { prompt, providers: ["openai", "anthropic", "gemini", "perplexity", "openai"] }, "providers"],
    ["an unknown key in model", { prompt, model: { chatgpt: "gpt-5.4" } }, "model.chatgpt"],
    ["an unknown key in params", { prompt, params: { top_p: 1 } }, "params.top_p"],
    ["an unknown key", { prompt, surprise: 1 }, "surprise"],
    ["a temperature below", { prompt, params: { temperature: -0.1 } }, "params.temperature"],
    ["a temperature above", { prompt, params: { temperature: 2.0000001 } }, "params.temperature"],
    ["no tokens", { prompt, params: { max_tokens: 0 } }, "params.max_tokens"],
    ["8001 tokens", { prompt, params: { max_tokens: 8001 } }, "params.max_tokens"],
    ["half a token", { prompt, params: { max_tokens: 1.5 } }, "params.max_tokens"],
    ["11 brands", { prompt, track_brands: Array.from({ length: 11 }, (_, n) => `b${n}`) }, "track_brands"],
    ["a brand of 81", { prompt, track_brands: ["b", "x".repeat(81)] }, "track_brands.1"],
    ["a brand of 0", { prompt, track_brands: [""] }, "track_brands.0"],
    ["an unknown country", { prompt, country: "ZZ" }, "country"],
    ["the region code of checks for Britain", { prompt, country: "uk" }, "country"],
    ["three letters", { prompt, country: "usa" }, "country"],
    ["a web search of yes", { prompt, web_search: "yes" }, "web_search"],
    ["a scope of its own", { prompt, cache_scope: "mine" }, "cache_scope"],
    ["a mode of check", { prompt, mode: "quick" }, "mode"],
    ["null for a default", { prompt, mode: null }, "mode"],
    ["async without webhook_id", { prompt, async: true }, "webhook_id"],
    ["a webhook_id that is no UUID", { prompt, async: true, webhook_id: "hook" }, "webhook_id"]
  ]

  it.each(wrong)("400: %s names the field", async (_what, body, path) => {
    assert.include(wrongFields(await api.ask(body)), path)
  })

  it("400: a number that JSON cannot represent is named like any other", async () => {
    const answer = await fetch(`${program.base}/v1/ask`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
      body: '{"prompt":"q","params":{"temperature":1e400}}'
    })
    const [text, { status, headers }] = [await answer.text(), answer]
    assert.include(wrongFields({ status, headers, text, body: JSON.parse(text) }), "params.temperature")
  })

  it("400: all wrong fields are named", async () => {
    const body = { prompt: "", providers: [], country: "ZZ", params: { max_tokens: 0 }, x: 1 }
    assert.includeMembers(
      [...wrongFields(await api.ask(body))],
      ["prompt", "providers", "country", "params.max_tokens", "x"]
    )
  })

  it("400: `json_schema` has its own error code, whatever its value and whatever else is wrong", async () => {
    const schema = { name: "n", schema: {} }
    const bodies = [
      { prompt, json_schema: schema },
      { prompt, json_schema: null },
      { json_schema: "x", x: 1 }
    ]
    for (const body of [...bodies, { prompt, json_schema: schema, async: true }]) {
      const { status, body: problem } = await api.ask(body)
      assert.strictEqual(status, 400)
      const { error } = exactly(RequestUnsupported)(problem)
      assert.strictEqual(error.code, "request_unsupported")
    }
  })

  it("402: a body at its limits is valid: 480 characters, 10 turns and a system turn, 10 brands of 80, a lower-case country", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN, 1)
    const { ask } = asking(program, key)
    for (const body of [
      { prompt: "🦊".repeat(480), system_message: "🦊".repeat(480) },
      { messages: [system, ...turns(9)] },
      { messages: [user, ...turns(9), system] },
      { prompt, track_brands: Array.from({ length: 10 }, (_, n) => `${n}`.repeat(80)) },
      { prompt, country: "us", params: { temperature: 0, max_tokens: 8000 }, model: {}, mode: "live" },
      { prompt, webhook_id: randomUUID() }
    ])
      assert.strictEqual((await ask(body)).status, 402, JSON.stringify(body))
  })

  it("none of these calls holds, charges or queues anything", async () => {
    assert.deepEqual(await tracesOf(own.account), untouched)
  })
})

describe("a webhook that cannot receive", () => {
  it("400: names `webhook_id` if it is unknown, foreign, of the other environment, disabled or not subscribed", async () => {
    const stranger = await customer(program, env.ADMIN_TOKEN, 0)
    const live = await operator(program, env.ADMIN_TOKEN).key(own.account, { environment: "live" })
    const ids = {
      unknown: randomUUID(),
      foreign: await asking(program, stranger.key).endpoint(),
      live: await asking(program, live.key).endpoint(),
      disabled: await api.endpoint({ enabled: false }),
      elsewhere: await api.endpoint({ events: ["watch.fired"] })
    }
    const messages = new Map<string, string>()
    for (const [what, webhook_id] of Object.entries(ids))
      for (const more of [{ async: true }, { mode: "standard" }]) {
        const answer = await api.ask({ prompt, webhook_id, ...more }, { "idempotency-key": "hook" })
        assert.deepEqual(wrongFields(answer), ["webhook_id"], what)
        messages.set(what, answer.body.error.message)
      }
    // Otherwise a test key could find out that a live endpoint exists.
    assert.match(messages.get("unknown") ?? "", /of this account and environment\.$/)
    assert.strictEqual(messages.get("foreign"), messages.get("unknown"))
    assert.strictEqual(messages.get("live"), messages.get("unknown"))
    assert.notStrictEqual(messages.get("disabled"), messages.get("unknown"))
    assert.deepEqual(await tracesOf(own.account), untouched)
    // The idempotency key is not used up either.
    const webhook_id = await api.endpoint()
    assert.strictEqual((await api.ask({ prompt, async: true, webhook_id }, { "idempotency-key": "hook" })).status, 202)
  })
})

describe("a call without money, tokens or a key", () => {
  const exact = exactly(InsufficientCredits)

  it("402: the balance and the fresh price are in `details` and at the top level, for every tariff", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 5)
    const ask = asking(program, poor.key)
    const webhook_id = await ask.endpoint()
    for (const [body, required_cents] of [
      [{ prompt }, 40],
      [{ prompt, providers: ["gemini"] }, 10],
      [{ prompt, web_search: false }, 24],
      [{ prompt, mode: "standard" }, 28],
      [{ prompt, mode: "standard", web_search: false }, 16.8],
      [{ prompt, async: true, webhook_id }, 40],
      [{ prompt, async: true, webhook_id, mode: "standard" }, 28]
    ] as const) {
      const { status, body: problem } = await ask.ask(body, { "idempotency-key": "poor" })
      assert.strictEqual(status, 402)
      const { error, ...beside } = exact(problem)
      assert.strictEqual(error.code, "insufficient_credits")
      assert.deepEqual(error.details, { balance_cents: 5, required_cents })
      assert.deepInclude(beside, { balance_cents: 5, required_cents })
    }
    assert.deepEqual(await tracesOf(poor.account), untouched)
  })

  it("402: the wallet must cover the fresh price even if the answer is cached", async () => {
    const body = { prompt: "who is cached? [[sandbox:answer]]", providers: ["gemini"] }
    await api.answered(body)
    const poor = await customer(program, env.ADMIN_TOKEN, 9)
    assert.strictEqual((await asking(program, poor.key).ask(body)).status, 402)
    await operator(program, env.ADMIN_TOKEN).topUp(poor.account, 1)
    assert.strictEqual((await asking(program, poor.key).answered(body)).usage.cost_cents, 1)
  })

  it("429: ask has its own bucket; a refused body shows it but takes no token", async () => {
    const rate_limits = { ...generous, ask: { burst: 1, per_second: 0.001 } }
    const { key, account } = await customer(program, env.ADMIN_TOKEN, 100, { rate_limits })
    const { ask, find } = asking(program, key)
    const shown = ({ status, headers }: Awaited<ReturnType<typeof ask>>) => [
      status,
      headers.get("x-ratelimit-limit"),
      headers.get("x-ratelimit-remaining")
    ]
    assert.deepEqual(shown(await ask({})), [400, "1", "1"])
    assert.deepEqual(shown(await ask({ prompt: "q", json_schema: {} })), [400, "1", "1"])
    assert.deepEqual(shown(await ask({ prompt: "q", mode: "standard" })), [202, "1", "0"])
    const refused = await ask({ prompt: "q" })
    assert.deepEqual([...shown(refused), refused.body.error.code], [429, "1", "0", "rate_limited"])
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
    assert.strictEqual((await find(randomUUID())).headers.get("x-ratelimit-limit"), "100000")
    const { entries } = await operator(program, env.ADMIN_TOKEN).ledger(account)
    assert.lengthOf(
      entries.filter(({ kind }: { readonly kind: string }) => kind === "hold" || kind === "charge"),
      1
    )
  })

  it("401: ask has only `unauthorized`", async () => {
    for (const headers of [{}, { authorization: "Basic x" }, { authorization: "Bearer lvk_test_nonsense" }]) {
      const { status, body } = await call(`${program.base}/v1/ask`, { body: { prompt }, headers })
      assert.deepEqual([status, body.error.code], [401, "unauthorized"])
    }
  })

  it.each([
    ["GET", "/v1/ask", "POST"],
    ["DELETE", `/v1/ask/${randomUUID()}`, "GET"]
  ])("405: %s %s", async (method, path, allowed) => {
    const { status, headers } = await call(`${program.base}${path}`, { key: own.key, method })
    assert.deepEqual([status, headers.get("allow")?.includes(allowed)], [405, true])
  })
})
