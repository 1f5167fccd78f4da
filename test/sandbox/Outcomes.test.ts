/**
 * The outcomes of answers: each in its vendor's own form, how often each occurs by chance, and token budgets.
 *
 * Planted and seen red: one refusal in four; a pause although an answer was asked for; the budget is ignored; sources on an answer
 * that did not search; a forced search is skipped.
 */
import { textOf } from "@sightline/sandbox/article/Span"
import { assert, describe, it } from "vitest"
import { answered } from "./Answering.ts"
import { names } from "./Vendors.ts"

const question = "best running shoes"
const bodyOf = (vendor: (typeof names)[number], outcome: Parameters<typeof answered>[3]) =>
  answered(vendor, 1, question, outcome).body

describe("a requested outcome", () => {
  it("truncated is incomplete with text", () => {
    assert.containSubset(bodyOf("openai", "truncated"), {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" }
    })
    assert.containSubset(bodyOf("anthropic", "truncated"), { stop_reason: "max_tokens" })
    assert.containSubset(bodyOf("gemini", "truncated"), { candidates: [{ finishReason: "MAX_TOKENS" }] })
    assert.containSubset(bodyOf("perplexity", "truncated"), { status: "incomplete" })
    for (const vendor of names) {
      const length = textOf(answered(vendor, 1, question, "truncated").composition.spans).length
      assert.isTrue(length >= 190 && length <= 600)
    }
  })

  it("refusal has text and no sources", () => {
    const words = "I’m sorry, but I can’t help with that request."
    assert.containSubset(bodyOf("openai", "refusal"), { output: [{ content: [{ type: "refusal", refusal: words }] }] })
    assert.containSubset(bodyOf("anthropic", "refusal"), { stop_reason: "refusal", content: [{ text: words }] })
    assert.containSubset(bodyOf("gemini", "refusal"), { candidates: [{ content: { parts: [{ text: words }] } }] })
    assert.containSubset(bodyOf("perplexity", "refusal"), { output: [{ content: [{ text: words }] }] })
    for (const vendor of names) assert.deepEqual(answered(vendor, 1, question, "refusal").composition.sources, [])
  })

  it("silent refusal has no text", () => {
    assert.containSubset(bodyOf("openai", "silent_refusal"), {
      incomplete_details: { reason: "content_filter" },
      output: []
    })
    assert.containSubset(bodyOf("anthropic", "silent_refusal"), { stop_reason: "refusal", content: [] })
    assert.match(JSON.stringify(bodyOf("gemini", "silent_refusal")), /"finishReason":"SAFETY"|"blockReason"/)
    assert.containSubset(bodyOf("perplexity", "silent_refusal"), { status: "completed", output: [] })
  })

  it("empty has no text although the search ran", () => {
    for (const vendor of names) {
      const { composition, body } = answered(vendor, 1, question, "empty")
      assert.strictEqual(composition.finish, "length")
      assert.notMatch(JSON.stringify(body), /output_text|"type":"text","text"|"parts":\[/)
    }
  })

  it("answer is complete, searched, and without pauses", () => {
    for (let index = 0; index < 300; index++) {
      for (const vendor of names) {
        const { composition, body } = answered(vendor, 1, `best crm ${index}`, "answer")
        assert.strictEqual(composition.finish, "stop")
        assert.isNotEmpty(composition.sources)
        assert.notMatch(JSON.stringify(body), /pause_turn/)
      }
    }
  })
})

describe("chance", () => {
  const all = names.flatMap((vendor) =>
    Array.from({ length: 1000 }, (_, index) => ({ vendor, ...answered(vendor, 1, `best crm number ${index}`) }))
  )
  const share = (test: (one: (typeof all)[number]) => boolean, of = all) => of.filter(test).length / of.length

  it("refuses about one question in forty, a third of them without text", () => {
    const refused = all.filter(({ composition }) => composition.finish === "refusal")
    assert.closeTo(refused.length / all.length, 1 / 40, 0.008)
    assert.closeTo(
      share(({ composition }) => composition.spans.length === 0, refused),
      1 / 3,
      0.15
    )
  })

  it("truncates about one in sixty", () => {
    assert.closeTo(
      share(({ composition }) => composition.finish === "length"),
      1 / 60,
      0.006
    )
  })

  it("skips about one search in twelve where it was optional, and none where it was forced", () => {
    const whole = all.filter(({ composition }) => composition.finish !== "refusal")
    const idle = (vendors: ReadonlyArray<string>) =>
      share(
        ({ composition }) => composition.queries.length === 0,
        whole.filter(({ vendor }) => vendors.includes(vendor))
      )
    assert.closeTo(idle(["anthropic", "gemini"]), 1 / 12, 0.02)
    assert.strictEqual(idle(["openai", "perplexity"]), 0)
  })

  it("makes Claude pause sometimes, and continue on request", () => {
    const paused = all.filter(({ body }) => JSON.stringify(body).includes('"pause_turn"'))
    assert.closeTo(paused.length / 1000, 1 / 30, 0.015)
    const index = all.findIndex(({ body }) => JSON.stringify(body).includes('"pause_turn"')) % 1000
    const text = `best crm number ${index}`
    const before = { role: "assistant", content: [{ type: "server_tool_use", id: "x", name: "web_search", input: {} }] }
    const over = { messages: [{ role: "user", content: text }, before] }
    const { composition, body } = answered("anthropic", 1, text, undefined, over)
    assert.containSubset(body, { stop_reason: "end_turn", content: [{ type: "text" }] })
    assert.isNotEmpty(composition.spans)
  })
})

it("an answer without a search names no source", () => {
  for (const [vendor, over] of [
    ["openai", { tools: [], tool_choice: "auto" }],
    ["anthropic", { tools: [] }],
    ["gemini", { tools: [] }],
    ["perplexity", { tools: [], tool_choice: "auto" }]
  ] as const) {
    const { composition, body } = answered(vendor, 1, question, "answer", over)
    assert.isNotEmpty(composition.spans)
    assert.notMatch(JSON.stringify(body), /\.example|grounding/)
  }
})

it("an answer stays within its token budget, reasoning included", () => {
  for (const budget of [16, 60, 150, 400]) {
    const { composition } = answered("openai", 1, question, "answer", { max_output_tokens: budget })
    assert.strictEqual(composition.finish, "length")
    assert.isAtMost(composition.tokens.output, budget)
    assert.isAtMost(textOf(composition.spans).length, budget * 4)
  }
})
