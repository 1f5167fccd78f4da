/**
 * The limits of the contract, each met and exceeded by one, and the defaults. Source: contract, "Limits"; lengths are counted in code
 * points.
 *
 * Planted and seen red: each limit moved by one, either way; a blank text accepted where content is required; U+0000 or a lone surrogate
 * accepted; each default changed; a final system turn taken for the last turn; halves accepted where whole numbers are required.
 */
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { CreateAccount, CreateKey, TopUp } from "@sightline/contract/AdminApi"
import { AskRequest } from "@sightline/contract/AskApi"
import { CheckRequest } from "@sightline/contract/CheckApi"
import { ChecksQuery } from "@sightline/contract/CheckHistoryApi"
import { TwoBrands, TwoPairs, TwoQueries } from "@sightline/contract/CompareApi"
import { DiscoverRequest } from "@sightline/contract/DiscoverApi"
import { CreateOwnKey } from "@sightline/contract/KeyApi"
import { pageQuery, pageQueryUpTo } from "@sightline/contract/Page"
import { VisibilityQuery } from "@sightline/contract/VisibilityApi"
import { CreateWatch } from "@sightline/contract/WatchApi"
import { CreateWebhook, UpdateWebhook } from "@sightline/contract/WebhookApi"

interface Limited {
  readonly accepts: (fields: object) => boolean
  /** The values that are assumed for missing fields. */
  readonly assumed: () => object
}

/** A valid body. */
const body = (schema: Schema.Decoder<unknown>, good: object): Limited => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  const accepts = (fields: object) => Result.isSuccess(decode({ ...good, ...fields }))
  const assumed = () => {
    const taken = Object.entries(Object(Result.getOrThrow(decode(good))))
    return Object.fromEntries(taken.filter(([name]) => !(name in good)))
  }
  return { accepts, assumed }
}

const bodies = {
  check: body(CheckRequest, { query: "q", brand: "b" }),
  twoBrands: body(TwoBrands, { query: "q", brand_a: "a", brand_b: "b" }),
  twoQueries: body(TwoQueries, { query_a: "q", query_b: "r", brand: "b" }),
  twoPairs: body(TwoPairs, { query_a: "q", query_b: "r", brand_a: "a", brand_b: "b" }),
  ask: body(AskRequest, {}),
  prompt: body(AskRequest, { prompt: "p" }),
  discover: body(DiscoverRequest, { brand: "b" }),
  watch: body(CreateWatch, {
    query: "q",
    brand: "b",
    mode: "quick",
    interval: "daily",
    webhook_url: "https://a.example/",
    webhook_secret: "s".repeat(16)
  }),
  webhook: body(CreateWebhook, { url: "https://a.example/" }),
  change: body(UpdateWebhook, { enabled: true }),
  rotation: body(UpdateWebhook, {}),
  account: body(CreateAccount, { name: "n" }),
  topUp: body(TopUp, { credits: 1 }),
  key: body(CreateKey, { environment: "test" }),
  ownKey: body(CreateOwnKey, {}),
  checks: body(Schema.Struct(ChecksQuery), {}),
  visibility: body(Schema.Struct(VisibilityQuery), {}),
  page: body(Schema.Struct(pageQuery), {}),
  shortPage: body(Schema.Struct(pageQueryUpTo(100)), {})
}

const model = (id: string) => ({ models: { chatgpt: id } })
const bucket = (fields: object) => ({ rate_limits: { compare: { burst: 1, per_second: 1, ...fields } } })

/** Texts: the body, the minimum and maximum number of characters, and the field of the text. */
const texts: ReadonlyArray<readonly [keyof typeof bodies, string, number, number, (text: string) => object]> = [
  ["check", "query", 1, 500, (query) => ({ query })],
  ["check", "brand", 1, 100, (brand) => ({ brand })],
  ["check", "city", 1, 80, (city) => ({ city })],
  ["check", "models", 1, 80, model],
  ["twoBrands", "query", 1, 500, (query) => ({ query })],
  ["twoBrands", "brand_a", 1, 120, (brand_a) => ({ brand_a })],
  ["twoQueries", "query_b", 1, 500, (query_b) => ({ query_b })],
  ["twoQueries", "brand", 1, 120, (brand) => ({ brand })],
  ["twoPairs", "query_a", 1, 500, (query_a) => ({ query_a })],
  ["twoPairs", "brand_b", 1, 120, (brand_b) => ({ brand_b })],
  ["ask", "prompt", 1, 480, (prompt) => ({ prompt })],
  ["ask", "messages", 1, 480, (content) => ({ messages: [{ role: "user", content }] })],
  ["ask", "system_message", 1, 480, (system_message) => ({ prompt: "p", system_message })],
  ["ask", "track_brands", 1, 80, (brand) => ({ prompt: "p", track_brands: [brand] })],
  ["ask", "model", 1, 200, (openai) => ({ prompt: "p", model: { openai } })],
  ["discover", "brand", 1, 120, (brand) => ({ brand })],
  ["discover", "industry", 1, 120, (industry) => ({ industry })],
  ["discover", "language", 2, 8, (language) => ({ language })],
  ["watch", "query", 1, 480, (query) => ({ query })],
  ["watch", "brand", 1, 100, (brand) => ({ brand })],
  ["watch", "webhook_url", 1, 2048, (webhook_url) => ({ webhook_url })],
  ["watch", "webhook_secret", 16, 128, (webhook_secret) => ({ webhook_secret })],
  ["webhook", "url", 1, 2048, (url) => ({ url })],
  ["webhook", "description", 0, 200, (description) => ({ description })],
  ["change", "url", 1, 2048, (url) => ({ url })],
  ["account", "name", 1, 200, (name) => ({ name })],
  ["topUp", "reference", 1, 200, (reference) => ({ reference })],
  ["checks", "filter", 1, 100, (brand) => ({ brand })],
  ["checks", "filter", 1, 500, (query) => ({ query })],
  ["visibility", "filter", 1, 100, (brand) => ({ brand })],
  ["visibility", "filter", 1, 500, (query) => ({ query })]
]

describe.each(["x", "é", "👟"])("a text of %s", (character) => {
  it.each(texts)("%s: %s has %i to %i characters", (name, _field, least, most, fields) => {
    const taken = (length: number) => bodies[name].accepts(fields(character.repeat(length)))
    assert.deepStrictEqual([taken(least), taken(most), taken(most + 1)], [true, true, false])
    if (least > 0) assert.isFalse(taken(least - 1))
  })
})

/** The fields in which a blank text is accepted like any other, because they ask nothing. */
const anyText = new Set(["models", "model", "webhook_url", "url", "description", "filter"])

const blanks = [" ", "\t", "\n", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2060", "\u3164", "\u202e", "\u0007"]

describe.each(blanks)("a text that consists only of %j", (blank) => {
  it.each(texts)("%s: %s is refused where content is required", (name, field, least, _most, fields) => {
    assert.strictEqual(bodies[name].accepts(fields(blank.repeat(Math.max(least, 1)))), anyText.has(field))
    assert.isTrue(bodies[name].accepts(fields(`${blank}${"x".repeat(Math.max(least, 1))}`)))
  })
})

describe.each(["\u0000", "\ud800", "\udc00"])("a text with %j, which the database cannot store,", (character) => {
  it.each(texts)("%s: %s is refused", (name, _field, least, _most, fields) => {
    const rest = "x".repeat(least)
    for (const text of [`${character}${rest}`, `${rest}${character}`, `${rest}${character}${rest}`])
      assert.isFalse(bodies[name].accepts(fields(text)))
  })
})

const turns = (count: number) => Array.from({ length: count }, () => ({ role: "user", content: "c" }))
const system = { role: "system", content: "s" }
const answer = { role: "assistant", content: "c" }

/** Valid fields, and the nearest invalid ones. */
const neighbours: ReadonlyArray<readonly [keyof typeof bodies, taken: object, refused: object]> = [
  ["ask", { messages: [system, ...turns(10)] }, { messages: [system, ...turns(11)] }],
  ["ask", { messages: [system, ...turns(1)] }, { messages: [system, system, ...turns(1)] }],
  ["ask", { messages: turns(1) }, { messages: [] }],
  ["ask", { messages: turns(1) }, { messages: [...turns(1), answer] }],
  ["ask", { messages: [answer, ...turns(1), system] }, { messages: [...turns(1), answer, system] }],
  ["ask", { prompt: "p" }, {}],
  ["ask", { prompt: "p" }, { prompt: "p", messages: turns(1) }],
  ["ask", { prompt: "p", providers: ["openai"] }, { prompt: "p", providers: [] }],
  ["ask", { prompt: "p", providers: ["openai"] }, { prompt: "p", providers: ["openai", "openai"] }],
  ["ask", { prompt: "p", track_brands: Array(10).fill("b") }, { prompt: "p", track_brands: Array(11).fill("b") }],
  ["ask", { prompt: "p", params: { temperature: 0 } }, { prompt: "p", params: { temperature: -0.01 } }],
  ["ask", { prompt: "p", params: { temperature: 2 } }, { prompt: "p", params: { temperature: 2.01 } }],
  ["ask", { prompt: "p", params: { max_tokens: 1 } }, { prompt: "p", params: { max_tokens: 0 } }],
  ["ask", { prompt: "p", params: { max_tokens: 8000 } }, { prompt: "p", params: { max_tokens: 8001 } }],
  ["ask", { prompt: "p", params: { max_tokens: 2 } }, { prompt: "p", params: { max_tokens: 2.5 } }],
  ["ask", { prompt: "p", async: false }, { prompt: "p", async: true }],
  ["discover", { count: 1 }, { count: 0 }],
  ["discover", { count: 100 }, { count: 101 }],
  ["discover", { count: 2 }, { count: 2.5 }],
  ["watch", { trigger_on: ["rank_changed"] }, { trigger_on: ["rank_changed", "rank_changed"] }],
  ["webhook", { description: null }, { url: null }],
  ["change", { description: null }, { enabled: null }],
  ["rotation", { rotate_secret: true }, { rotate_secret: false }],
  ["topUp", { credits: 1_000_000_000 }, { credits: 1_000_000_000.001 }],
  ["topUp", { credits: 1 }, { credits: 0 }],
  ["topUp", { credits: 0.001 }, { credits: 0.0001 }],
  ["key", bucket({ burst: 1 }), bucket({ burst: 0 })],
  ["key", bucket({ burst: 2 }), bucket({ burst: 2.5 })],
  ["key", bucket({ burst: 1_000_000 }), bucket({ burst: 1_000_001 })],
  ["key", bucket({ per_second: 0.0001 }), bucket({ per_second: 0.00009 })],
  ["key", bucket({ per_second: 1_000_000 }), bucket({ per_second: 1_000_001 })],
  ["page", { limit: "1" }, { limit: "0" }],
  ["page", { limit: "200" }, { limit: "201" }],
  ["page", { limit: "199" }, { limit: "19.5" }],
  ["page", { limit: "20" }, { limit: "2000" }],
  ["page", { limit: "2" }, { limit: "02" }],
  ["shortPage", { limit: "2" }, { limit: "02" }],
  ["shortPage", { limit: "1" }, { limit: "0" }],
  ["shortPage", { limit: "100" }, { limit: "101" }]
]

it.each(neighbours)("%s accepts %j but not %j", (name, taken, refused) => {
  assert.deepStrictEqual([bodies[name].accepts(taken), bodies[name].accepts(refused)], [true, false])
})

const asked = { mode: "quick", region: "us" }

/** The defaults of missing fields. Source: contract, the tables of each body. */
const assumptions: ReadonlyArray<readonly [keyof typeof bodies, object]> = [
  ["check", asked],
  ["twoBrands", asked],
  ["twoQueries", asked],
  ["twoPairs", asked],
  [
    "prompt",
    {
      providers: ["openai", "anthropic", "gemini", "perplexity"],
      model: {},
      params: {},
      track_brands: [],
      web_search: true,
      cache_scope: "shared",
      mode: "live",
      async: false
    }
  ],
  ["discover", { count: 50, language: "en" }],
  [
    "watch",
    {
      trigger_on: ["mention_added", "mention_removed", "rank_changed", "citation_changed"],
      sensitivity: "every_change"
    }
  ],
  ["webhook", { description: null, events: ["ask.completed"], enabled: true }],
  ["change", {}],
  ["topUp", { environment: "live" }],
  ["key", { read_only: false, rate_limits: {} }],
  ["ownKey", { read_only: false }],
  ["checks", {}],
  ["visibility", {}],
  ["page", {}]
]

it.each(assumptions)("%s: the defaults are exactly %j", (name, assumed) => {
  assert.deepStrictEqual(bodies[name].assumed(), assumed)
})
