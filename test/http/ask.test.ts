/**
 * `POST /v1/ask` with an immediate response, and `GET /v1/ask/{id}`, as a customer sees them, against the whole program.
 *
 * Planted and seen red:
 * - failed slots counted as units or charged;
 * - slots in reverse order;
 * - an additional field;
 * - `system_message` placed before the system turn;
 * - a country in lower case passed on;
 * - a brand reported twice;
 * - models ignored;
 * - a temperature that never reaches the provider.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { asking, decode } from "./asking.ts"
import { customer, installation, operator, type Program, startProgram } from "./program.ts"
import { startUpstreams, type Upstreams } from "./upstreams.ts"

let program: Program
let upstreams: Upstreams
let env: Awaited<ReturnType<typeof installation>>
let own: Awaited<ReturnType<typeof customer>>
let api: ReturnType<typeof asking>

beforeAll(async () => {
  env = await installation()
  upstreams = await startUpstreams(false)
  program = await startProgram({ ...env, ...upstreams.env, PERPLEXITY_API_KEY: "" })
  own = await customer(program, env.ADMIN_TOKEN)
  api = asking(program, own.key)
})
afterAll(async () => {
  await program.stop()
  await upstreams.stop()
})

const all = ["openai", "anthropic", "gemini", "perplexity"]

const fieldsOf = (value: object) => Object.keys(value).sort()

/** The content of a slot. Fails if the slot has none. */
const contentOf = (slot: object | undefined) => {
  assert.isDefined(slot)
  assert.property(slot, "content", JSON.stringify(slot))
  return decode.result({ ...blank, providers: [slot] }).providers[0]
}
const blank = {
  request_id: "",
  id: "",
  cached: false,
  cache_tier: "miss",
  brand_mentions: [],
  citations: [],
  usage: { billable_units: 0, latency_ms: 0, cost_cents: 0 }
}

const codesOf = async (body: object) =>
  (await api.answered(body)).providers.map((slot) => ("error" in slot ? slot.error.code : "ok"))

describe("the answer", () => {
  it("200: has the fields of the contract and no others, with one slot per provider in the order of the request", async () => {
    const providers = ["gemini", "openai", "perplexity", "anthropic"]
    const { status, headers, body } = await api.ask({
      prompt: "best running shoes [[sandbox:perplexity:status=500]] [[sandbox:answer]]",
      providers,
      track_brands: ["Nike", "Nobody Has This Name", "Nike", "Adidas"]
    })
    assert.strictEqual(status, 200)
    const answer = decode.result(body)
    assert.deepEqual(fieldsOf(body), fieldsOf({ ...blank, providers: [] }))
    assert.match(answer.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.strictEqual(answer.request_id, answer.id)
    assert.deepEqual(
      answer.providers.map(({ provider }) => provider),
      providers
    )
    const [gemini, openai, failed] = body.providers
    for (const slot of [gemini, openai]) {
      assert.deepEqual(fieldsOf(slot), ["citations", "content", "latency_ms", "model", "provider", "tokens"])
      assert.isAbove(slot.tokens.output, 0)
      assert.isAbove(slot.content.length, 0)
      for (const citation of slot.citations) assert.includeMembers(["url", "title", "snippet"], fieldsOf(citation))
    }
    assert.match(openai.model, /^gpt-6\.1-sol-\d/)
    assert.isAbove(openai.tokens.reasoning, 0)
    assert.deepEqual(fieldsOf(failed), ["error", "provider"])
    assert.deepEqual(fieldsOf(failed.error), ["code", "message"])
    assert.deepEqual(fieldsOf(body.usage), ["billable_units", "cost_cents", "latency_ms"])
    assert.deepInclude(answer.usage, { billable_units: 3, cost_cents: 30 })
    for (const slot of answer.providers)
      if (!("error" in slot)) assert.isAtMost(slot.latency_ms, answer.usage.latency_ms)
    assert.strictEqual(headers.get("x-ratelimit-limit"), "100000")
    assert.isNotNull(headers.get("x-ratelimit-remaining"))
    assert.isNull(headers.get("retry-after"))
  })

  it("200: tracked brands are listed for each provider that names them, each once, and no others", async () => {
    const prompt = "best running shoes for trails [[sandbox:answer]]"
    const track_brands = ["Nike", "Nobody Has This Name", "Nike"]
    const { body } = await api.ask({ prompt, track_brands })
    const { brand_mentions, providers } = decode.result(body)
    const naming = providers.filter((slot) => !("error" in slot) && /\bNike\b/i.test(slot.content))
    assert.isAbove(naming.length, 0)
    assert.deepEqual(
      brand_mentions.map(({ brand, provider }) => [brand, provider]),
      naming.map(({ provider }) => ["Nike", provider])
    )
    for (const mention of body.brand_mentions) {
      assert.deepEqual(fieldsOf(mention), ["brand", "context", "provider", "rank", "sentiment"])
      assert.isAtLeast(mention.rank, 1)
      assert.include(mention.context, "Nike")
    }
    for (const nothing of [{}, { track_brands: [] }])
      assert.deepEqual((await api.answered({ prompt, ...nothing })).brand_mentions, [])
  })

  it("200: citations are grouped by page, with every provider that cites the page", async () => {
    const { body } = await api.ask({ prompt: "best crm for startups [[sandbox:answer]]" })
    const { citations, providers } = decode.result(body)
    assert.isAbove(citations.length, 0)
    for (const citation of body.citations)
      assert.includeMembers(["canonical_url", "domains", "providers_cited", "title"], fieldsOf(citation))
    const pages = citations.map(({ canonical_url }) => canonical_url)
    assert.strictEqual(new Set(pages).size, pages.length)
    for (const { canonical_url, domains, providers_cited } of citations) {
      const { protocol, hostname, hash } = new URL(canonical_url)
      assert.deepEqual([protocol, hash], ["https:", ""])
      assert.include(domains, hostname)
      assert.sameMembers(
        [...providers_cited],
        [...new Set(providers_cited)].filter((name) => all.includes(name))
      )
    }
    const citing = providers.filter((slot) => !("error" in slot) && slot.citations.length > 0)
    assert.sameMembers(
      [...new Set(citations.flatMap(({ providers_cited }) => providers_cited))],
      citing.map(({ provider }) => provider)
    )
  })

  it("200: by default all four providers are asked; without web search there are no citations and a call costs 6", async () => {
    const answer = await api.answered({ prompt: "best laptops [[sandbox:answer]]", web_search: false })
    assert.deepEqual(
      answer.providers.map(({ provider }) => provider),
      all
    )
    assert.deepEqual(answer.citations, [])
    assert.deepInclude(answer.usage, { billable_units: 4, cost_cents: 24 })
  })

  it("200: when every provider fails nothing is charged", async () => {
    const answer = await api.answered({ prompt: "best tea [[sandbox:status=500]]", track_brands: ["Acme"] })
    assert.deepInclude(answer, { cached: false, cache_tier: "miss", brand_mentions: [], citations: [] })
    assert.deepInclude(answer.usage, { billable_units: 0, cost_cents: 0 })
    const { entries } = await operator(program, env.ADMIN_TOKEN).ledger(own.account)
    assert.deepInclude(entries[0], { kind: "release", amount_cents: 40 })
  })
})

describe("the request to a provider", () => {
  let live: ReturnType<typeof asking>
  beforeAll(async () => {
    const { account, key } = await customer(program, env.ADMIN_TOKEN, 0, { environment: "live" })
    await operator(program, env.ADMIN_TOKEN).topUp(account, 1000, "live")
    live = asking(program, key)
  })
  /** The bodies of an ask's requests to one vendor. */
  const sent = async (vendor: string, body: object) => {
    const before = upstreams.received(vendor).length
    await live.answered({ providers: [vendor], ...body })
    return upstreams.received(vendor).slice(before)
  }

  it("200: a prompt is one user turn, with `system_message` before it", async () => {
    const [{ input, instructions }] = await sent("openai", { prompt: "who leads?", system_message: "Be brief." })
    assert.deepEqual([input, instructions], [[{ role: "user", content: "who leads?" }], "Be brief."])
    assert.notProperty((await sent("openai", { prompt: "who leads now?" }))[0], "instructions")
  })

  it("200: messages arrive turn by turn; their system turn, in any position, replaces `system_message`", async () => {
    const messages = [
      { role: "user", content: "first?" },
      { role: "system", content: "The turn." },
      { role: "assistant", content: "First." },
      { role: "user", content: "second?" }
    ]
    const turns = messages.filter(({ role }) => role !== "system")
    const body = { messages, system_message: "The message." }
    const [openai] = await sent("openai", body)
    assert.deepEqual([openai.input, openai.instructions], [turns, "The turn."])
    const [anthropic] = await sent("anthropic", body)
    assert.include(JSON.stringify(anthropic.system), "The turn.")
    assert.notInclude(JSON.stringify(anthropic), "The message.")
    assert.lengthOf(anthropic.messages, 3)
    const [gemini] = await sent("gemini", { messages: turns, system_message: "The message." })
    assert.include(JSON.stringify(gemini.systemInstruction), "The message.")
    assert.deepEqual(
      gemini.contents.map(({ role }: { readonly role: string }) => role),
      ["user", "model", "user"]
    )
  })

  it("200: models, parameters, web search and a country in either case reach the providers", async () => {
    const [first] = await sent("openai", {
      prompt: "where am I?",
      model: { openai: "gpt-5.4" },
      params: { temperature: 0.5, max_tokens: 100 },
      country: "at"
    })
    assert.deepInclude(first, { model: "gpt-5.4", temperature: 0.5, max_output_tokens: 100 })
    assert.strictEqual(first.tools[0].user_location.country, "AT")
    assert.notProperty((await sent("openai", { prompt: "where am I?", web_search: false }))[0], "tools")
  })

  it("200: on a live key a provider without credentials fails in its slot and costs nothing", async () => {
    const answer = await live.answered({ prompt: "who is missing?", providers: ["perplexity", "gemini"] })
    const [missing, there] = answer.providers
    assert.deepInclude(missing, { provider: "perplexity" })
    assert.strictEqual(missing !== undefined && "error" in missing && missing.error.code, "provider_auth_failed")
    contentOf(there)
    assert.strictEqual(answer.usage.cost_cents, 10)
  })
})

describe("a provider that fails", () => {
  it.each([
    ["provider_error", "[[sandbox:openai:malformed]]"],
    ["provider_error", "[[sandbox:openai:silent-refusal]]"],
    ["provider_timeout", "[[sandbox:openai:status=504]]"],
    ["provider_rate_limited", "[[sandbox:openai:status=429;retry-after=120]]"],
    ["provider_auth_failed", "[[sandbox:openai:status=401]]"],
    ["provider_unavailable", "[[sandbox:openai:status=503]]"],
    ["request_unsupported", "[[sandbox:openai:status=413]]"]
  ])("200: fails with %s after %s, uncharged, and the others answer", async (code, directive) => {
    const prompt = `best bank ${directive} [[sandbox:answer]]`
    const answer = await api.answered({ prompt, providers: ["openai", "gemini"] })
    const [failed, other] = answer.providers
    assert.isTrue(failed !== undefined && "error" in failed && failed.error.code === code, JSON.stringify(failed))
    assert.isAbove(failed !== undefined && "error" in failed ? failed.error.message.length : 0, 0)
    contentOf(other)
    assert.strictEqual(answer.usage.billable_units, 1)
  })

  it("200: an unknown model fails only its own slot, also if another provider has that model", async () => {
    const model = { openai: "claude-opus-5", gemini: "gemini-2.5-pro" }
    const prompt = "best airline [[sandbox:answer]]"
    assert.deepEqual(await codesOf({ prompt, model }), ["provider_auth_failed", "ok", "ok", "ok"])
  })

  it("200: a temperature fails the slots whose model does not support it", async () => {
    const prompt = "best skincare [[sandbox:answer]]"
    const body = { prompt, params: { temperature: 2 } }
    assert.deepEqual(await codesOf(body), ["request_unsupported", "request_unsupported", "ok", "ok"])
    const model = { openai: "gpt-5.4", anthropic: "claude-haiku-4-5" }
    assert.strictEqual((await codesOf({ ...body, model }))[0], "ok")
  })
})
