/**
 * The sandbox through the vendors' own clients: answers parse, lists of models parse, and every refusal becomes the
 * client's own error class.
 *
 * Planted and seen red: Anthropic's search usage missing, OpenAI's totals one off, 404 for Perplexity's unknown model,
 * OpenAI's error without its `error` wrapper.
 */
import Anthropic, { NotFoundError as AnthropicNotFound, RateLimitError as AnthropicRateLimit } from "@anthropic-ai/sdk"
import { assert, layer } from "@effect/vitest"
import { GoogleGenAI } from "@google/genai"
import Perplexity, {
  BadRequestError as PerplexityBadRequest,
  RateLimitError as PerplexityRateLimit
} from "@perplexity-ai/perplexity_ai"
import { Effect } from "effect"
import OpenAI, { NotFoundError as OpenAiNotFound, RateLimitError as OpenAiRateLimit } from "openai"
import { Origin } from "./Origin.ts"

const question = "What are the best running shoes for beginners? [[sandbox:answer]]"

const failureOf = (promise: Promise<unknown>): Effect.Effect<unknown> =>
  Effect.promise(() =>
    promise.then(
      () => undefined,
      (error: unknown) => error
    )
  )

layer(Origin.layer({ seed: 7 }), { excludeTestServices: true })("the vendor's client", (it) => {
  const openAi = Origin.useSync((origin) => new OpenAI({ apiKey: "sk", baseURL: `${origin}/openai/v1`, maxRetries: 0 }))
  const anthropic = Origin.useSync(
    (origin) => new Anthropic({ apiKey: "sk", baseURL: `${origin}/anthropic`, maxRetries: 0 })
  )
  const gemini = Origin.useSync(
    (origin) => new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: `${origin}/gemini` } })
  )
  const perplexity = Origin.useSync(
    (origin) => new Perplexity({ apiKey: "p", baseURL: `${origin}/perplexity`, maxRetries: 0 })
  )

  it.effect("OpenAI's reads an answer that searched, and the models", () =>
    Effect.gen(function* () {
      const client = yield* openAi
      const response = yield* Effect.promise(() =>
        client.responses.create({
          model: "gpt-6-luna",
          input: question,
          tools: [{ type: "web_search", user_location: { type: "approximate", country: "US" } }],
          tool_choice: "required"
        })
      )
      assert.strictEqual(response.status, "completed")
      assert.isAbove(response.output_text.length, 600)
      assert.isTrue(response.output.some(({ type }) => type === "web_search_call"))
      assert.strictEqual(
        response.usage?.total_tokens,
        (response.usage?.input_tokens ?? 0) + (response.usage?.output_tokens ?? 0)
      )
      const models = yield* Effect.promise(() => client.models.list())
      assert.include(
        models.data.map(({ id }) => id),
        "gpt-6.1-sol"
      )
    })
  )

  it.effect("Anthropic's reads an answer that searched, and the models", () =>
    Effect.gen(function* () {
      const client = yield* anthropic
      const message = yield* Effect.promise(() =>
        client.messages.create({
          model: "claude-haiku-5-5",
          max_tokens: 4000,
          messages: [{ role: "user", content: question }],
          tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }],
          tool_choice: { type: "tool", name: "web_search" }
        })
      )
      assert.strictEqual(message.stop_reason, "end_turn")
      assert.deepEqual(Array.from(new Set(message.content.map(({ type }) => type))), [
        "server_tool_use",
        "web_search_tool_result",
        "text"
      ])
      assert.strictEqual(message.usage.server_tool_use?.web_search_requests, 1)
      const models = yield* Effect.promise(() => client.models.list())
      assert.include(
        models.data.map(({ id }) => id),
        "claude-sonnet-5-5"
      )
    })
  )

  it.effect("Google's reads an answer that searched, and the models", () =>
    Effect.gen(function* () {
      const client = yield* gemini
      const response = yield* Effect.promise(() =>
        client.models.generateContent({
          model: "gemini-3.8-flash",
          contents: question,
          config: { tools: [{ googleSearch: {} }] }
        })
      )
      assert.isAbove(response.text?.length ?? 0, 600)
      assert.isNotEmpty(response.candidates?.[0]?.groundingMetadata?.groundingSupports)
      const models = yield* Effect.promise(() => client.models.list())
      assert.include(
        models.page.map(({ name }) => name),
        "models/gemini-3.8-flash"
      )
    })
  )

  it.effect("Perplexity's reads an answer that searched", () =>
    Effect.gen(function* () {
      const client = yield* perplexity
      const response = yield* Effect.promise(() =>
        client.responses.create({ model: "perplexity/sonar", input: question, tools: [{ type: "web_search" }] })
      )
      assert.strictEqual(response.status, "completed")
      assert.match(response.output_text, /\[\d\]/)
      assert.isTrue(response.output.some(({ type }) => type === "search_results"))
    })
  )

  it.effect("every client has an error class for an unknown model", () =>
    Effect.gen(function* () {
      const [a, b, c, d] = [yield* openAi, yield* anthropic, yield* gemini, yield* perplexity]
      const turn = [{ role: "user" as const, content: question }]
      assert.instanceOf(yield* failureOf(a.responses.create({ model: "gpt-nope", input: question })), OpenAiNotFound)
      assert.instanceOf(
        yield* failureOf(b.messages.create({ model: "claude-nope", max_tokens: 10, messages: turn })),
        AnthropicNotFound
      )
      assert.propertyVal(
        yield* failureOf(c.models.generateContent({ model: "gemini-nope", contents: question })),
        "status",
        404
      )
      assert.instanceOf(
        yield* failureOf(d.responses.create({ model: "sonar-nope", input: question })),
        PerplexityBadRequest
      )
    })
  )

  it.effect("every client has an error class for a rate limit", () =>
    Effect.gen(function* () {
      const [a, b, c, d] = [yield* openAi, yield* anthropic, yield* gemini, yield* perplexity]
      const limited = "best crm [[sandbox:status=429;retry-after=2]]"
      const turn = [{ role: "user" as const, content: limited }]
      const first = yield* failureOf(a.responses.create({ model: "gpt-6-luna", input: limited }))
      assert.instanceOf(first, OpenAiRateLimit)
      assert.strictEqual(first.headers?.get("retry-after"), "2")
      assert.strictEqual(first.code, "rate_limit_exceeded")
      const second = yield* failureOf(b.messages.create({ model: "claude-haiku-5-5", max_tokens: 10, messages: turn }))
      assert.instanceOf(second, AnthropicRateLimit)
      const third = yield* failureOf(c.models.generateContent({ model: "gemini-3.8-flash", contents: limited }))
      assert.match(String(third), /"retryDelay":"2s"/)
      const fourth = yield* failureOf(d.responses.create({ model: "perplexity/sonar", input: limited }))
      assert.instanceOf(fourth, PerplexityRateLimit)
    })
  )
})
