/**
 * What the readers of ChatGPT, Perplexity and Gemini have in common, however the answer was delivered.
 *
 * Planted and seen red, for each of the three: a link that only cites is left in the text to search for brands; an answer is not cut;
 * an answer without a source or a search counts as one that searched. For ChatGPT also: its model is not cut; sources alone, or
 * searches alone, do not count as a search.
 */
import { profile as chatGpt } from "@sightline/platforms/live/ChatGpt"
import { profile as gemini } from "@sightline/platforms/live/Gemini"
import { profile as perplexity } from "@sightline/platforms/live/Perplexity"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const reading = (profile: SurfaceProfile, html: string, body = "") =>
  Result.getOrThrow(
    profile.read({ url: "https://a.example/", html, visibleText: "", streams: [{ url: "", status: 200, body }] })
  )

const events = (...data: ReadonlyArray<object>) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")

/** What ChatGPT's reader makes of a stream with this text. */
const chatGptSays = (text: string, metadata: object = {}) => {
  const message = { author: { role: "assistant" }, channel: "final", content: { parts: [text] }, metadata }
  return reading(chatGpt, "", events({ p: "", o: "add", v: { message } }, { type: "message_stream_complete" }))
}

const perplexitySays = (text: string) => {
  const blocks = [{ intended_usage: "ask_text", markdown_block: { answer: text } }]
  return reading(perplexity, "", events({ status: "COMPLETED", final_sse_message: true, blocks }))
}

const geminiSays = (text: string) => {
  const linked = text.replace(/\[(.*?)\]\((.*?)\)/g, '<a href="$2">$1</a>')
  const answer = `<message-content><div class="markdown"><p>${linked}</p></div></message-content>`
  return reading(gemini, `<user-query>q</user-query><model-response>${answer}</model-response>`, "[]")
}

describe.each([
  ["ChatGPT", chatGptSays],
  ["Perplexity", perplexitySays],
  ["Gemini", geminiSays]
])("%s", (_name, says) => {
  it("a site that is only cited is not in the text for brands, but stays in the raw answer", () => {
    const said = "Taskfield is named most often [brandmore.example](https://brandmore.example/pricing)."
    assert.deepInclude(says(said), { text: "Taskfield is named most often.", raw: said })
  })

  it("an answer is cut to 256 KiB", () => {
    const { raw, text } = says(`Taskfield ${"ä".repeat(200 * 1024)}`)
    assert.strictEqual(Buffer.byteLength(raw), 256 * 1024)
    assert.strictEqual(text, raw)
  })

  it("an answer without a source counts as not searched", () => {
    assert.deepInclude(says("Taskfield is named most often."), { searched: false, citations: [] })
  })
})

it("ChatGPT has searched when it shows a source or a search, and its model's name is cut", () => {
  const said = "Taskfield is named most often."
  const items = [{ url: "https://reviewhub.example/" }]
  assert.isTrue(chatGptSays(said, { content_references: [{ items }] }).searched)
  assert.isTrue(chatGptSays(said, { search_model_queries: { queries: ["best tools"] } }).searched)
  assert.lengthOf(chatGptSays(said, { resolved_model_slug: "m".repeat(400) }).model, 300)
})
