/**
 * Which requests the simulated capture vendors accept, and how they read them: the limits from both sides.
 *
 * Planted and seen red: a question of the maximum length is refused, or one beyond it accepted; a field of one endpoint is accepted by
 * another; a field is accepted that the vendor refuses; countries are swapped; escapes are decoded byte by byte, or in upper case
 * only.
 */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { cloro } from "@sightline/sandbox/wire/Cloro"
import type { Seen as ByCloro } from "@sightline/sandbox/wire/CloroResult"
import { readTask, type Seen as ByDataForSeo } from "@sightline/sandbox/wire/DataForSeoRequest"

const task = { keyword: "best crm", location_code: 2840, language_code: "en" }

const messageOf = (surface: ByDataForSeo, more: object) => {
  const read = readTask(surface, [{ ...task, ...more }])
  return Result.isFailure(read) ? [read.failure.code, read.failure.message] : "taken"
}

describe("a task of DataForSEO", () => {
  it.each<readonly [string, ByDataForSeo, object]>([
    ["a tag", "gemini_live", { tag: "chk_01" }],
    ["no device", "bing_copilot", {}],
    ["a telephone", "ai_overview", { device: "mobile", os: "android" }],
    ["another telephone", "ai_mode", { device: "mobile", os: "ios" }],
    ["a desktop", "bing_copilot", { device: "desktop", os: "macos" }],
    ["an overview that comes late", "ai_overview", { load_async_ai_overview: true }],
    ["a forced search", "chatgpt_live", { force_web_search: false }],
    ["the longest search", "ai_mode", { keyword: "k".repeat(700) }],
    ["the longest prompt", "chatgpt_live", { keyword: "k".repeat(2000) }]
  ])("may have %s", (_what, surface, more) => {
    assert.strictEqual(messageOf(surface, more), "taken")
  })

  it.each<readonly [string, ByDataForSeo, object]>([
    ["keyword", "chatgpt_live", { keyword: "k".repeat(2001) }],
    ["keyword", "gemini_live", { keyword: "k".repeat(2001) }],
    ["keyword", "ai_overview", { keyword: "k".repeat(701) }],
    ["keyword", "bing_copilot", { keyword: "k".repeat(701) }],
    ["location_code", "chatgpt_live", { location_code: "2840" }],
    ["language_code", "ai_mode", { language_code: 9 }],
    ["device", "ai_mode", { device: "tablet" }],
    ["force_web_search", "chatgpt_live", { force_web_search: "yes" }]
  ])("is refused for a wrong %s, on %s", (field, surface, more) => {
    assert.deepStrictEqual(messageOf(surface, more), ["40501", `Invalid Field: '${field}'.`])
  })

  it.each<readonly [string, ByDataForSeo, object]>([
    ["device", "chatgpt_live", { device: "desktop" }],
    ["device", "gemini_live", { device: "desktop" }],
    ["force_web_search", "gemini_live", { force_web_search: true }],
    ["load_async_ai_overview", "ai_mode", { load_async_ai_overview: true }],
    ["load_async_ai_overview", "bing_copilot", { load_async_ai_overview: true }]
  ])("is refused for %s where its endpoint has no such field: %s", (field, surface, more) => {
    assert.deepStrictEqual(messageOf(surface, more), ["40506", `Unknown Fields in POST Data: '${field}'.`])
  })

  it.each([
    [2840, "US"],
    [2826, "GB"],
    [2124, "CA"],
    [2036, "AU"]
  ])("at the location %i asks in %s", (location_code, country) => {
    assert.deepStrictEqual(
      readTask("ai_mode", [{ ...task, location_code }]),
      Result.succeed({ question: "best crm", country })
    )
  })

  it.each([
    ["a+b+c", "a b c"],
    ["a%2Bb%2bc", "a+b+c"],
    ["100%25 best", "100% best"],
    ["caf%c3%A9", "café"],
    ["100% best", "100% best"],
    // No character has these bytes, so they are not an escape.
    ["a%ffb", "a%ffb"]
  ])("asks %s as %s", (keyword, question) => {
    assert.deepStrictEqual(readTask("ai_mode", [{ ...task, keyword }]), Result.succeed({ question, country: "US" }))
  })
})

const fieldOf = (surface: ByCloro, body: object) => {
  const read = cloro.read(surface, body)
  return Result.isFailure(read) ? [read.failure.status, read.failure.param] : read.success
}

const every = { markdown: true, html: true, rawResponse: true }

describe("a request to cloro", () => {
  it.each<readonly [ByCloro, object]>([
    ["perplexity_live", { state: "x", include: every }],
    ["chatgpt_live", { include: { ...every, searchQueries: true, ads: true, shopping: true } }],
    ["gemini_live", { include: {} }],
    ["ai_mode", { include: every }]
  ])("%s: asks the prompt, in the United States where no country is named", (surface, more) => {
    const prompt = "p".repeat(10_000)
    assert.deepStrictEqual(fieldOf(surface, { prompt, ...more }), { question: prompt, country: "US" })
    assert.deepStrictEqual(fieldOf(surface, { prompt: "p", country: "FR" }), { question: "p", country: "FR" })
    assert.deepStrictEqual(fieldOf(surface, { prompt: `${prompt}p` }), [400, "prompt"])
    assert.deepStrictEqual(fieldOf(surface, { prompt: "" }), [400, "prompt"])
  })

  it.each([
    { device: "mobile" },
    { device: "desktop", state: "x" },
    { include: { html: true, aioverview: { markdown: true } } },
    { include: { aioverview: {} } }
  ])("ai_overview: asks the query, in the United States where no country is named: %j", (more) => {
    assert.deepStrictEqual(fieldOf("ai_overview", { query: "q", ...more }), { question: "q", country: "US" })
    assert.deepStrictEqual(fieldOf("ai_overview", { query: "q", country: "DE", ...more }), {
      question: "q",
      country: "DE"
    })
  })

  it.each<readonly [string, ByCloro, object]>([
    ["include.searchQueries", "gemini_live", { prompt: "p", include: { searchQueries: true } }],
    ["include.shopping", "ai_mode", { prompt: "p", include: { shopping: true } }],
    ["include.markdown", "ai_overview", { query: "q", include: { markdown: true } }],
    ["include.html", "perplexity_live", { prompt: "p", include: { html: "yes" } }],
    ["device", "chatgpt_live", { prompt: "p", device: "mobile" }],
    ["device", "ai_overview", { query: "q", device: "tablet" }]
  ])("is refused for %s on %s", (field, surface, body) => {
    assert.deepStrictEqual(fieldOf(surface, body), [400, field])
  })
})
