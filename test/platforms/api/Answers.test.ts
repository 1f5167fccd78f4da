/**
 * What the four LLM adapters read in replies that the fixtures do not have.
 *
 * Planted and seen red:
 * - a failed search counts as a search
 * - a filtered answer is taken for one that is too long
 * - a claim with another link in it is kept
 * - the claim of a longer address is used
 * - tokens of Claude's cache are not counted; a full context is unknown; the first of two models is given
 * - each way in which Gemini stops, and a missing one; a prompt without an answer is taken for a refusal
 * - the last span of a source is used instead of its first, and sources are not in the order of use
 * - a search is recognised by its queries alone
 * - Perplexity's results are matched by position and not by id, or its annotations are left out
 * - a failure is recognised by its type alone
 * - the text to search for brands has no bound
 */
import { Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"

const ok = <A, E>(read: Result.Result<A, E>): A =>
  Option.getOrThrowWith(Result.getSuccess(read), () => new Error("it was not read"))

describe("ChatGPT", () => {
  const answer = (output: ReadonlyArray<unknown>, more: object = {}) =>
    ChatGpt.toAnswer(ok(ChatGpt.read({ status: "completed", model: "m", output, ...more })))
  const message = (text: string, ...annotations: ReadonlyArray<object>) => ({
    type: "message",
    content: [{ type: "output_text", text, annotations }]
  })

  it.each([
    ["failed", false],
    ["completed", true],
    [null, true]
  ])("a search with the status %s: searched is %s", (status, searched) => {
    assert.strictEqual(answer([{ type: "web_search_call", status }, message("x")]).searched, searched)
  })

  it.each([
    ["content_filter", "refusal"],
    ["max_output_tokens", "length"]
  ])("an answer cut by %s ends by %s", (reason, finish) => {
    assert.strictEqual(answer([message("x")], { status: "incomplete", incomplete_details: { reason } }).finish, finish)
  })

  it("a range over a link to another page yields no claim", () => {
    const text = "Asana is fine ([b](https://b.example/))."
    const cited = { type: "url_citation", url: "https://a.example/", start_index: 0, end_index: text.length }
    assert.deepStrictEqual(answer([message(text, cited)]).citations, [
      { url: "https://a.example/", title: "a.example" }
    ])
  })

  it("a page does not get the claim of another page whose address begins with its own", () => {
    const text = "Asana is slow ([a](https://a.example/b)). Trello is fast ([a](https://a.example/))."
    const cited = { type: "url_citation", url: "https://a.example/", title: "A" }
    assert.deepStrictEqual(answer([message(text, cited)]).citations, [
      { url: "https://a.example/", title: "A", text: "Trello is fast" }
    ])
  })
})

describe("Claude", () => {
  const reply = (more: object) =>
    ok(Claude.read({ model: "m", content: [{ type: "text", text: "x" }], stop_reason: "end_turn", ...more }))

  it("tokens written to the cache or read from it count as input", () => {
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 300,
      output_tokens: 5
    }
    assert.deepStrictEqual(Claude.toAnswer([reply({ usage })]).tokens, { input: 321, output: 5 })
  })

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"]
  ])("%s ends by %s", (stop_reason, finish) => {
    assert.strictEqual(Claude.toAnswer([reply({ stop_reason })]).finish, finish)
  })

  it("the model is the one that ended the turn", () => {
    assert.strictEqual(Claude.toAnswer([reply({ stop_reason: "pause_turn" }), reply({ model: "n" })]).model, "n")
  })
})

describe("Gemini", () => {
  const reply = (candidate: object, more: object = {}) =>
    Gemini.read({ modelVersion: "m", candidates: [{ content: { parts: [{ text: "x" }] }, ...candidate }], ...more })
  const answer = (...given: Parameters<typeof reply>) => Gemini.toAnswer(ok(reply(...given)))

  it.each([
    [undefined, "stop"],
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["CONTINUATION", "length"],
    ["SAFETY", "refusal"],
    ["RECITATION", "refusal"],
    ["BLOCKLIST", "refusal"],
    ["PROHIBITED_CONTENT", "refusal"],
    ["SPII", "refusal"],
    ["LANGUAGE", "refusal"]
  ])("%s ends by %s", (finishReason, finish) => {
    assert.strictEqual(answer(finishReason === undefined ? {} : { finishReason }).finish, finish)
  })

  it("an empty reply is no answer, and a refusal only where the prompt was blocked", () => {
    assert.deepStrictEqual(Gemini.read({ modelVersion: "m" }), Result.fail("provider_error"))
    const blocked = ok(Gemini.read({ modelVersion: "m", candidates: [], promptFeedback: { blockReason: "SAFETY" } }))
    assert.strictEqual(Gemini.toAnswer(blocked).finish, "refusal")
  })

  it("sources come in the order in which the text uses them, each with the first span it supports", () => {
    const web = (site: string) => ({ web: { uri: `https://${site}.example/`, title: site } })
    const support = (text: string, ...groundingChunkIndices: ReadonlyArray<number>) => ({
      segment: { text },
      groundingChunkIndices
    })
    const groundingMetadata = {
      groundingChunks: [web("a"), { other: {} }, web("b"), web("c")],
      groundingSupports: [support("First.", 3, 1), support("Second.", 3, 0)]
    }
    assert.deepStrictEqual(
      answer({ groundingMetadata }).citations.map(({ text, title }) => [title, text]),
      [
        ["c", "First."],
        ["a", "Second."],
        ["b", undefined]
      ]
    )
  })

  it.each([
    [{ webSearchQueries: ["q"] }, true],
    [{ groundingChunks: [{}] }, true],
    [{ webSearchQueries: [], groundingChunks: [] }, false]
  ])("grounded by %j: searched is %s", (groundingMetadata, searched) => {
    assert.strictEqual(answer({ groundingMetadata }).searched, searched)
  })
})

it("a failure is read without the fields of an answer", () => {
  const failed = { status: "failed", error: { code: "server_error" } }
  assert.deepStrictEqual(
    [ChatGpt.read(failed), Perplexity.read(failed)],
    [Result.fail("provider_unavailable"), Result.fail("provider_unavailable")]
  )
})

describe("Perplexity", () => {
  const reply = (text: string, results: ReadonlyArray<object>, annotations: ReadonlyArray<object> = []) =>
    Perplexity.toAnswer(
      ok(
        Perplexity.read({
          status: "completed",
          model: "m",
          output: [
            { type: "search_results", results },
            { type: "message", content: [{ type: "output_text", text, annotations }] }
          ]
        })
      )
    )
  const result = (site: string, id?: number) => ({ url: `https://${site}.example/`, ...(id !== undefined && { id }) })
  const sites = ({ citations }: ReturnType<typeof reply>) => citations.map(({ title }) => title.slice(0, 1))

  it("a marker is matched to a result by id, and by position where the result has no id", () => {
    assert.deepStrictEqual(sites(reply("x [7] y [2].", [result("a", 7), result("b")])), ["a", "b"])
  })

  it("annotations are cited after the results that markers point at", () => {
    const annotations = [{ type: "url_citation", url: "https://c.example/" }]
    assert.deepStrictEqual(sites(reply("x [1].", [result("a", 1), result("b", 2)], annotations)), ["a", "c"])
  })

  it("a failure without a code is recognised by its type", () => {
    const error = { type: "rate_limit_exceeded" }
    assert.deepStrictEqual(
      Perplexity.read({ status: "failed", model: "m", output: [], error }),
      Result.fail("provider_rate_limited")
    )
  })

  it("the text to search for brands has the same bound as the answer", () => {
    const { raw, text } = reply(`x [1] ${"y".repeat(300 * 1024)}`, [result("a", 1)])
    assert.isAtMost(raw.length, 256 * 1024)
    assert.isAtMost(text.length, 256 * 1024)
  })
})
