/**
 * A field that a vendor leaves null or omits is lost alone: the citation, the count or the answer around it is kept.
 *
 * Planted and seen red: a source, a count or a reply is not read because of any one of the fields below. Fields of a failure are not
 * among them, since it is a failure either way.
 */
import { Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"

const ok = <A, E>(read: Result.Result<A, E>): A =>
  Option.getOrThrowWith(Result.getSuccess(read), () => new Error("it was not read"))

const url = "https://reviewhub.example/pm-tools"
const titled = { url, title: "reviewhub.example" }

/** Each reply once with every field null, and once without the fields. */
const absences = [
  ["null", (fields: ReadonlyArray<string>) => Object.fromEntries(fields.map((field) => [field, null]))],
  ["missing", () => ({})]
] as const

describe.each(absences)("fields that are %s", (_name, no) => {
  it("lose nothing else in ChatGPT's reply", () => {
    const annotation = { type: "url_citation", url, ...no(["title", "start_index", "end_index"]) }
    const content = [{ type: "output_text", text: "Taskfield.", annotations: [annotation] }]
    const told = (usage: object, more: object = {}) =>
      ChatGpt.toAnswer(
        ok(
          ChatGpt.read({
            status: "completed",
            model: "m",
            output: [
              { type: "web_search_call", ...no(["status", "action"]) },
              { type: "message", content, ...no(["phase"]) }
            ],
            usage: { input_tokens: 8, output_tokens: 3, ...usage },
            ...no(["error", "incomplete_details"]),
            ...more
          })
        )
      )
    const tokens = { input: 8, output: 3 }
    const answer = told(no(["output_tokens_details"]))
    assert.deepInclude(answer, { text: "Taskfield.", citations: [titled], searched: true, tokens, finish: "stop" })
    assert.deepStrictEqual(told({ output_tokens_details: no(["reasoning_tokens"]) }).tokens, tokens)
    const cut = told({}, { status: "incomplete", incomplete_details: no(["reason"]) })
    assert.strictEqual(cut.finish, "length")
    const failed = ChatGpt.read({ status: "failed", model: "m", output: [], error: no(["code"]) })
    assert.deepStrictEqual(failed, Result.fail("provider_error"))
  })

  it("lose nothing else in Claude's reply", () => {
    const citations = [{ url, ...no(["title", "cited_text"]) }]
    const told = (usage: object) =>
      Claude.toAnswer([
        ok(
          Claude.read({
            model: "m",
            content: [
              { type: "text", text: "Taskfield", citations },
              { type: "text", text: ".", ...no(["citations"]) }
            ],
            stop_reason: "end_turn",
            usage: {
              input_tokens: 8,
              output_tokens: 3,
              ...no(["cache_creation_input_tokens", "cache_read_input_tokens"]),
              ...usage
            }
          })
        )
      ])
    const tokens = { input: 8, output: 3 }
    assert.deepInclude(told(no(["output_tokens_details"])), { text: "Taskfield.", citations: [titled], tokens })
    assert.deepStrictEqual(told({ output_tokens_details: no(["thinking_tokens"]) }).tokens, tokens)
  })

  it("lose nothing else in Gemini's reply", () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: url, ...no(["title"]) } }],
      groundingSupports: [
        { segment: no(["text"]), groundingChunkIndices: [0] },
        { segment: { text: "Later." }, groundingChunkIndices: [0] }
      ],
      ...no(["webSearchQueries"])
    }
    const content = { parts: [{ text: "Taskfield.", ...no(["thought"]) }] }
    const told = (usageMetadata: object, candidate: object = { groundingMetadata }) =>
      Gemini.toAnswer(
        ok(
          Gemini.read({
            modelVersion: "m",
            candidates: [{ content, ...candidate, ...no(["finishReason"]) }],
            usageMetadata,
            ...no(["promptFeedback"])
          })
        )
      )
    const counts = ["promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount"]
    assert.deepInclude(told(no(counts)), {
      text: "Taskfield.",
      citations: [titled],
      searched: true,
      tokens: { input: 0, output: 0 },
      finish: "stop"
    })
    assert.deepInclude(told({}, no(["groundingMetadata"])), { text: "Taskfield.", citations: [], searched: false })
    const unasked = Gemini.read({ modelVersion: "m", promptFeedback: no(["blockReason"]), ...no(["candidates"]) })
    assert.deepStrictEqual(unasked, Result.fail("provider_error"))
  })

  it("lose nothing else in Perplexity's reply", () => {
    const annotations = [{ type: "url_citation", url: "https://forum.example/t/1", ...no(["title"]) }]
    const told = (usage: object) =>
      Perplexity.toAnswer(
        ok(
          Perplexity.read({
            status: "completed",
            model: "m",
            output: [
              { type: "search_results", results: [{ url, ...no(["id", "title", "snippet"]) }] },
              { type: "message", content: [{ type: "output_text", text: "Taskfield", ...no(["annotations"]) }] },
              { type: "message", content: [{ type: "output_text", text: " [1].", annotations }] }
            ],
            usage: { input_tokens: 8, output_tokens: 3, ...usage },
            ...no(["error"])
          })
        )
      )
    const tokens = { input: 8, output: 3 }
    const citations = [titled, { url: "https://forum.example/t/1", title: "forum.example" }]
    assert.deepInclude(told(no(["output_tokens_details"])), { text: "Taskfield.", citations, tokens })
    assert.deepStrictEqual(told({ output_tokens_details: no(["reasoning_tokens"]) }).tokens, tokens)
    const failed = Perplexity.read({ status: "failed", model: "m", output: [], error: no(["code", "type"]) })
    assert.deepStrictEqual(failed, Result.fail("provider_error"))
  })
})
