/**
 * The fields of an answer besides its text: usage, how it ended and what was searched, in each vendor's own format.
 *
 * Planted and seen red:
 * - tokens are missing from a sum; costs, months or dates are wrong
 * - a search has no query, sources or result id, or is reported where there was none
 * - a truncated answer is marked as complete
 * - a pause has its text, comes again, repeats what the caller has, or comes without a search or in a truncated answer
 * - there is only one kind of silent refusal
 * - grounding links are all alike, or lead to any page
 */
import { assert, it } from "vitest"
import type { Composition, Outcome } from "@sightline/sandbox/Composition"
import { dice } from "@sightline/sandbox/Dice"
import type { VendorName } from "@sightline/sandbox/Inquiry"
import { redirectTo, targetOf } from "@sightline/sandbox/wire/GroundingRedirect"
import { answered } from "./Answering.ts"

const outcomes: ReadonlyArray<Outcome> = ["answer", "truncated", "refusal", "silent_refusal", "empty"]

const unsearched = {
  openai: { tools: [], tool_choice: "auto" },
  anthropic: { tools: [] },
  gemini: { tools: [] },
  perplexity: { tools: [], tool_choice: "auto" }
}

/** Sixty answers of a vendor, of every outcome, some of them without a search. */
const bodies = (vendor: VendorName) =>
  outcomes.flatMap((outcome) =>
    Array.from({ length: 12 }, (_, index) =>
      answered(vendor, 1, `best crm ${index}`, outcome, index < 10 ? {} : unsearched[vendor])
    )
  )

const input = ({ tokens }: Composition) => tokens.asked + tokens.found
const isSearched = ({ queries }: Composition) => queries.length > 0

it("openai: tokens add up, a truncated answer is not completed, and a search names its queries and sources", () => {
  for (const { body, composition } of bodies("openai")) {
    const { finish, queries, sources, spans, tokens } = composition
    assert.containSubset(body, {
      model: "gpt-6.1-sol-2026-10-28",
      usage: {
        input_tokens: input(composition),
        output_tokens: tokens.output,
        output_tokens_details: { reasoning_tokens: tokens.reasoning },
        total_tokens: input(composition) + tokens.output
      }
    })
    const isCut = finish === "length" || spans.length === 0
    const { completed_at: completedAt, created_at: createdAt, output } = Object(body)
    assert.strictEqual(completedAt === null, isCut)
    if (!isCut) assert.isAbove(completedAt, createdAt)
    const of = (type: string): ReadonlyArray<object> => output.filter((item: { type: string }) => item.type === type)
    assert.lengthOf(of("reasoning"), tokens.reasoning > 0 ? 1 : 0)
    assert.containSubset(
      of("message"),
      spans.length === 0 ? [] : [{ status: isCut ? "incomplete" : "completed", phase: "final_answer" }]
    )
    const searched = {
      type: "search",
      queries,
      query: queries[0],
      sources: sources.map(({ url }) => ({ type: "url", url }))
    }
    const [search, opened] = of("web_search_call")
    assert.deepStrictEqual(Object(search).action, isSearched(composition) ? searched : undefined)
    assert.deepStrictEqual(Object(opened).action, opened && { type: "open_page", url: sources[0]?.url })
  }
})

it("openai: some searches open a page, and some answers begin with a commentary message", () => {
  const all = Array.from({ length: 60 }, (_, index) => answered("openai", 1, `best crm ${index}`).body)
  const having = (text: string) => all.filter((body) => JSON.stringify(body).includes(text)).length
  assert.isTrue([having('"open_page"'), having('"commentary"')].every((count) => count > 3 && count < 40))
})

it("anthropic: tokens are reported, and a search has its query, its result and each page's age in words", () => {
  for (const { body, composition } of bodies("anthropic")) {
    const { finish, queries, sources, tokens } = composition
    assert.containSubset(body, {
      stop_details: finish === "refusal" ? { type: "refusal" } : null,
      usage: {
        input_tokens: input(composition),
        output_tokens: tokens.output,
        output_tokens_details: tokens.reasoning > 0 ? { thinking_tokens: tokens.reasoning } : null,
        server_tool_use: isSearched(composition) ? { web_search_requests: 1, web_fetch_requests: 0 } : null
      }
    })
    const { content } = Object(body)
    const of = (type: string): ReadonlyArray<object> => content.filter((block: { type: string }) => block.type === type)
    assert.lengthOf(of("thinking"), tokens.reasoning > 0 ? 1 : 0)
    const [use] = of("server_tool_use")
    const [result] = of("web_search_tool_result")
    assert.deepStrictEqual(Object(use).input, isSearched(composition) ? { query: queries[0] } : undefined)
    assert.strictEqual(Object(result).tool_use_id, Object(use).id)
    const dated = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" })
    assert.deepStrictEqual(
      (Object(result).content ?? []).map(({ page_age: age }: { page_age: unknown }) => age),
      sources.map(({ date }) => (date === undefined ? null : dated.format(new Date(date))))
    )
  }
})

it("anthropic: a turn pauses only if it searched and is not truncated, and continues without repeating what was sent", () => {
  const all = Array.from({ length: 600 }, (_, index) => ({
    question: `best crm ${index}`,
    ...answered("anthropic", 1, `best crm ${index}`)
  }))
  const paused = all.filter(({ body }) => Object(body).stop_reason === "pause_turn")
  assert.isAbove(paused.length, 8)
  for (const over of [{ tools: [] }, { max_tokens: 300 }]) {
    const others = all.slice(0, 200).map(({ question }) => answered("anthropic", 1, question, undefined, over))
    assert.isFalse(others.some(({ body }) => Object(body).stop_reason === "pause_turn"))
  }
  for (const { body, composition, question } of paused) {
    assert.isTrue(composition.finish === "stop" && isSearched(composition))
    const types = (message: unknown) => new Set(Object(message).content.map(({ type }: { type: string }) => type))
    assert.deepStrictEqual(types(body), new Set(["thinking", "server_tool_use", "web_search_tool_result"]))
    const messages = [
      { role: "user", content: question },
      { role: "assistant", content: Object(body).content }
    ]
    const { body: more } = answered("anthropic", 1, question, undefined, { messages })
    assert.strictEqual(Object(more).stop_reason, "end_turn")
    assert.deepStrictEqual(types(more), new Set(["text"]))
  }
})

it("gemini: tokens add up, with thoughts and search results only where there are any", () => {
  for (const { body, composition } of bodies("gemini")) {
    const { asked, found, output, reasoning } = composition.tokens
    assert.deepStrictEqual(Object(body).usageMetadata, {
      promptTokenCount: asked,
      candidatesTokenCount: output - reasoning,
      ...(found > 0 && { toolUsePromptTokenCount: found }),
      ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
      totalTokenCount: asked + found + output,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: asked }]
    })
    assert.strictEqual(Object(body).modelVersion, "gemini-3.8-flash")
    if (!isSearched(composition) || composition.spans.length === 0) assert.notInclude(JSON.stringify(body), "grounding")
  }
})

it("gemini: a silent refusal is a blocked question or a stopped answer, and some answers begin with a thought", () => {
  const all = (outcome: Outcome) =>
    Array.from({ length: 60 }, (_, index) => JSON.stringify(answered("gemini", 1, `best crm ${index}`, outcome).body))
  const silent = all("silent_refusal")
  const blocked = silent.filter((body) => body.includes("promptFeedback"))
  const stopped = silent.filter((body) => body.includes('"SAFETY"'))
  assert.strictEqual(blocked.length + stopped.length, 60)
  assert.isTrue(blocked.length > 10 && stopped.length > 10)
  const thoughtful = all("answer").filter((body) => body.includes('"thought":true')).length
  assert.isTrue(thoughtful > 5 && thoughtful < 40)
})

it("perplexity: tokens and costs add up, a truncated answer is not completed, and results have the dates of their pages", () => {
  const micros = (dollars: number) => Math.round(dollars * 1_000_000)
  for (const { body, composition } of bodies("perplexity")) {
    const { finish, sources, spans, tokens } = composition
    const { completed_at: completedAt, created_at: createdAt, incomplete_details, output, status, usage } = Object(body)
    const isCut = finish === "length"
    assert.deepStrictEqual(
      [status, incomplete_details],
      isCut ? ["incomplete", { reason: "max_output_tokens" }] : ["completed", null]
    )
    assert.strictEqual(completedAt === null, isCut)
    if (!isCut) assert.isAbove(completedAt, createdAt)
    assert.containSubset(usage, {
      input_tokens: input(composition),
      output_tokens: tokens.output,
      total_tokens: input(composition) + tokens.output
    })
    const searches = isSearched(composition) ? 1 : 0
    assert.strictEqual(usage.tool_calls_details?.search_web.invocation ?? 0, searches)
    const { input_cost, output_cost, tool_calls_cost, total_cost } = usage.cost
    assert.deepStrictEqual([input_cost, output_cost, tool_calls_cost, total_cost].map(micros), [
      input(composition),
      tokens.output,
      searches * 5000,
      input(composition) + tokens.output + searches * 5000
    ])
    const of = (type: string): ReadonlyArray<object> => output.filter((item: { type: string }) => item.type === type)
    assert.lengthOf(of("search_results"), searches)
    assert.containSubset(of("message"), spans.length === 0 ? [] : [{ status }])
    assert.lengthOf(of("message"), spans.length === 0 ? 0 : 1)
    const results: ReadonlyArray<{ date?: string }> = Object(of("search_results")[0]).results ?? []
    assert.deepStrictEqual(
      results.map(({ date }) => date),
      sources.map(({ date }) => date)
    )
  }
})

it.each([
  ["", undefined],
  ["AUZIYQ00000000", "https://crm.example/a"],
  ["BUZIYQ00000000", undefined]
])("a grounding link that begins with %j leads to %s", (start, page) => {
  assert.strictEqual(targetOf(`${start}${Buffer.from("https://crm.example/a").toString("base64url")}`), page)
})

it.each(["http://crm.example/a", "https://crm.example/a?b", "https://crm.example.org/a", "x https://crm.example/a"])(
  "a grounding link does not lead to %s",
  (url) => {
    assert.isUndefined(targetOf(`AUZIYQ00000000${Buffer.from(url).toString("base64url")}`))
  }
)

it("grounding links to one page are all different", () => {
  const links = Array.from({ length: 20 }, (_, index) => redirectTo("https://crm.example/a", dice(index)))
  assert.lengthOf(new Set(links), 20)
})
