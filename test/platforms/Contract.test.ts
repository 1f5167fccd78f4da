/**
 * Our requests and our reading beside those of the vendors' own SDKs, over the same local server and the same fixtures.
 *
 * Planted faults that turned this red: `store` is left out of a request; the commentary message is kept; the index trap is read as the
 * claim's range; reasoning is left out of Gemini's output tokens; thoughts are kept as the answer; `cited_text` is taken for the
 * claim.
 */
import Anthropic from "@anthropic-ai/sdk"
import { GoogleGenAI } from "@google/genai"
import { Perplexity as PerplexitySdk } from "@perplexity-ai/perplexity_ai"
import { ManagedRuntime, Option, Result } from "effect"
import OpenAI from "openai"
import { afterAll, assert, describe, it } from "vitest"
import type { Answer } from "@sightline/domain/Answer"
import type { FailureCode, LlmPlatform } from "@sightline/domain/Platform"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import {
  captureWith,
  fixture,
  openVendor,
  platformOf,
  question,
  quietClient,
  type Received,
  secret,
  serving,
  shaped
} from "./LocalVendor.ts"

const client = ManagedRuntime.make(quietClient)
const capture = captureWith(client)
const vendor = await openVendor()

afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

const openai = () => new OpenAI({ apiKey: secret, baseURL: `${vendor.url}/v1`, maxRetries: 0 })
const anthropic = () => new Anthropic({ apiKey: secret, baseURL: vendor.url, maxRetries: 0 })
const google = () => new GoogleGenAI({ apiKey: secret, httpOptions: { baseUrl: vendor.url } })
const perplexity = () => new PerplexitySdk({ apiKey: secret, baseURL: vendor.url, maxRetries: 0 })

const sentBy = async (ask: () => Promise<unknown>): Promise<Received> => {
  vendor.received.length = 0
  await ask()
  const [received] = vendor.received
  if (received === undefined) throw new Error("nothing was sent")
  return received
}

const params = (name: string) => shaped(fixture(name).request)

describe("requests equal those of the SDK for the same question", () => {
  it("ChatGPT: with a forced search and a place", async () => {
    vendor.answer(serving(fixture("openai_grounded")))
    const theirs = await sentBy(() => openai().responses.create(params("openai_grounded")))
    const ours = await sentBy(() => capture("chatgpt_api", vendor.url))
    assert.deepStrictEqual(ours.body, theirs.body)
    assert.strictEqual(ours.path, theirs.path)
    assert.strictEqual(ours.headers.authorization, theirs.headers.authorization)
    assert.strictEqual(ours.headers["content-type"], theirs.headers["content-type"])
  })

  it("ChatGPT: without a search, with a temperature", async () => {
    vendor.answer(serving(fixture("openai_no_search")))
    const theirs = await sentBy(() => openai().responses.create(params("openai_no_search")))
    const asked = question("chatgpt_api", { model: "gpt-4.1", webSearch: false, temperature: 0.2 })
    const ours = await sentBy(() => capture("chatgpt_api", vendor.url, asked))
    assert.deepStrictEqual(ours.body, theirs.body)
  })

  it("Claude: with a search that cannot be forced", async () => {
    vendor.answer(serving(fixture("anthropic_grounded")))
    const theirs = await sentBy(() => anthropic().messages.create(params("anthropic_grounded")))
    const ours = await sentBy(() => capture("claude_api", vendor.url))
    assert.deepStrictEqual(ours.body, theirs.body)
    assert.strictEqual(ours.path, theirs.path)
    for (const header of ["anthropic-version", "content-type"]) {
      assert.strictEqual(ours.headers[header], theirs.headers[header], header)
    }
    assert.include(
      [theirs.headers.authorization, `Bearer ${String(theirs.headers["x-api-key"])}`],
      ours.headers.authorization
    )
  })

  it("Claude: without a search", async () => {
    vendor.answer(serving(fixture("anthropic_no_search")))
    const theirs = await sentBy(() => anthropic().messages.create(params("anthropic_no_search")))
    const { system: _system, ...asked } = question("claude_api", { model: "claude-haiku-5-5", webSearch: false })
    const ours = await sentBy(() => capture("claude_api", vendor.url, asked))
    assert.deepStrictEqual(ours.body, theirs.body)
  })

  it("Claude: with a temperature, under the API version that still takes one", async () => {
    vendor.answer(serving(fixture("anthropic_no_search")))
    const version = { "anthropic-version": "2023-06-01" }
    const theirs = await sentBy(() =>
      anthropic().messages.create(
        shaped({
          model: "claude-sonnet-4-6",
          max_tokens: 50,
          messages: [{ role: "user", content: "hi" }],
          temperature: 0.4
        }),
        { headers: version }
      )
    )
    const ours = await sentBy(() =>
      capture("claude_api", vendor.url, {
        turns: [{ role: "user", content: "hi" }],
        model: "claude-sonnet-4-6",
        webSearch: false,
        temperature: 0.4,
        maxTokens: 50
      })
    )
    assert.deepStrictEqual(ours.body, theirs.body)
    assert.strictEqual(ours.headers["anthropic-version"], theirs.headers["anthropic-version"])
  })

  it("Gemini: with a search", async () => {
    vendor.answer(serving(fixture("gemini_grounded")))
    const { systemInstruction, ...request } = fixture("gemini_grounded").request ?? {}
    const theirs = await sentBy(() =>
      google().models.generateContent({
        model: "gemini-3.8-flash",
        contents: shaped(request["contents"]),
        config: {
          systemInstruction: shaped(systemInstruction),
          tools: [{ googleSearch: {} }],
          maxOutputTokens: 4000,
          thinkingConfig: { thinkingLevel: shaped("low") }
        }
      })
    )
    const ours = await sentBy(() => capture("gemini_api", vendor.url))
    assert.deepStrictEqual(ours.body, theirs.body)
    assert.strictEqual(ours.path, theirs.path)
    assert.strictEqual(ours.headers["x-goog-api-key"], theirs.headers["x-goog-api-key"])
    assert.strictEqual(ours.headers["content-type"], theirs.headers["content-type"])
  })

  it("Perplexity: with a forced search and a country; the SDK uses the alias /v1/responses of /v1/agent", async () => {
    vendor.answer(serving(fixture("perplexity_grounded")))
    const theirs = await sentBy(() => perplexity().responses.create(params("perplexity_grounded")))
    const ours = await sentBy(() =>
      capture("perplexity_api", vendor.url, question("perplexity_api", { temperature: 0.2 }))
    )
    assert.deepStrictEqual(ours.body, theirs.body)
    assert.deepStrictEqual([ours.path, theirs.path], ["/v1/agent", "/v1/responses"])
    assert.strictEqual(ours.headers.authorization, theirs.headers.authorization)
    assert.strictEqual(ours.headers["content-type"], theirs.headers["content-type"])
  })
})

/** The fields of our answer that the expected file lists. */
const normalised = ({ citations, finish, model, searched, text, tokens }: Answer) => ({
  answer: text,
  citations: citations.map(({ snippet: _snippet, ...citation }) => citation),
  searched,
  model,
  ...(tokens !== undefined && { tokens }),
  finish
})

const readers: Readonly<Record<LlmPlatform, (body: unknown) => Result.Result<Answer, FailureCode>>> = {
  chatgpt_api: (body) => Result.map(ChatGpt.read(body), ChatGpt.toAnswer),
  claude_api: (body) => Result.map(Claude.read(body), (reply) => Claude.toAnswer([reply])),
  gemini_api: (body) => Result.map(Gemini.read(body), Gemini.toAnswer),
  perplexity_api: (body) => Result.map(Perplexity.read(body), Perplexity.toAnswer)
}

const answerIn = (name: string): Answer =>
  Option.getOrThrow(Result.getSuccess(readers[platformOf(name)](fixture(name).body)))

const expected: Readonly<Record<string, unknown>> = shaped(fixture("expected_normalized"))
const successes = Object.keys(expected).filter((name) => /^(?:openai|anthropic|gemini|perplexity)_/.test(name))

describe.each(successes)("%s", (name) => {
  it("is read as expected", () => {
    assert.deepStrictEqual(normalised(answerIn(name)), expected[name])
  })
})

it.each(successes)("%s over the wire is an answer exactly when it has text", async (name) => {
  vendor.answer(serving(fixture(name)))
  const outcome = await capture(platformOf(name), vendor.url)
  const read = answerIn(name)
  if (read.text === "") {
    assert.strictEqual(Option.getOrThrow(Result.getFailure(outcome)).code, "provider_error")
  } else {
    assert.strictEqual(Option.getOrThrow(Result.getSuccess(outcome)).text, read.text)
  }
})

const unique = (urls: ReadonlyArray<string>) => Array.from(new Set(urls))

describe("answers are read like the SDK reads them, where it reads the same fields", () => {
  it("openai: output_text is our raw text after the commentary", async () => {
    vendor.answer(serving(fixture("openai_grounded")))
    const theirs = await openai().responses.create(params("openai_grounded"))
    assert.strictEqual(theirs.output_text, `I will look up current reviews first.${answerIn("openai_grounded").raw}`)
    const urls = theirs.output
      .flatMap((item) => (item.type === "message" ? item.content : []))
      .flatMap((part) => (part.type === "output_text" ? part.annotations : []))
      .flatMap((annotation) => (annotation.type === "url_citation" ? [annotation.url] : []))
    assert.deepStrictEqual(
      unique(urls).map((url) => url.replace("?utm_source=openai", "")),
      answerIn("openai_grounded").citations.map(({ url }) => url)
    )
    assert.strictEqual(
      theirs.usage?.output_tokens_details.reasoning_tokens,
      answerIn("openai_grounded").tokens?.reasoning
    )
  })

  it.each(["anthropic_grounded", "anthropic_no_search", "anthropic_search_error", "anthropic_max_tokens"])(
    "%s: the text blocks are our raw text, their citations ours",
    async (name) => {
      vendor.answer(serving(fixture(name)))
      const theirs = await anthropic().messages.create(params("anthropic_grounded"))
      if (!("content" in theirs)) throw new Error("a stream")
      const blocks = theirs.content.flatMap((block) => (block.type === "text" ? [block] : []))
      assert.strictEqual(blocks.map(({ text }) => text).join(""), answerIn(name).raw)
      const cited = blocks
        .flatMap(({ citations }) => citations ?? [])
        .flatMap((citation) => (citation.type === "web_search_result_location" ? [citation] : []))
      assert.deepStrictEqual(
        unique(cited.map(({ url }) => url)),
        answerIn(name).citations.map(({ url }) => url)
      )
      assert.deepStrictEqual(
        cited.map(({ cited_text }) => cited_text),
        answerIn(name).citations.map(({ snippet }) => snippet)
      )
    }
  )

  it.each(["gemini_grounded", "gemini_no_search"])("%s: text is our raw text", async (name) => {
    vendor.answer(serving(fixture(name)))
    const theirs = await google().models.generateContent({ model: "gemini-3.8-flash", contents: "hi" })
    assert.strictEqual(theirs.text, answerIn(name).raw)
    const chunks = theirs.candidates?.[0]?.groundingMetadata?.groundingChunks ?? []
    assert.deepStrictEqual(
      chunks.map(({ web }) => web?.uri),
      answerIn(name).citations.map(({ url }) => url)
    )
  })

  it.each(["perplexity_grounded", "perplexity_no_search", "perplexity_incomplete"])(
    "%s: output_text is our raw text",
    async (name) => {
      vendor.answer(serving(fixture(name)))
      const theirs = await perplexity().responses.create(params("perplexity_grounded"))
      if (!("output" in theirs)) throw new Error("a stream")
      const text = theirs.output
        .flatMap((item) => (item.type === "message" ? item.content : []))
        .map((part) => ("text" in part ? part.text : ""))
        .join("")
      assert.strictEqual(text, answerIn(name).raw)
    }
  )
})
