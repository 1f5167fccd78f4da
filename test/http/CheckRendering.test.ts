/**
 * The rendering of a check is the same whatever was rendered before from the same answers.
 *
 * Planted and seen red: a rendered slot cached without its brand; one cached without the `include` list; `errors` before `providers`; the
 * query not encoded; the span of a citation on every platform, or on none; a site's domain in place of its icon; fields of live surfaces in
 * a slot of `quick`.
 */
import { it } from "@effect/vitest"
import type { Answer } from "@sightline/domain/Answer"
import { credits } from "@sightline/domain/Credits"
import { LiveSurface, LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import type { CheckOutcome } from "@sightline/engine/CheckRunner"
import { sightingOf } from "@sightline/engine/Sightings"
import { renderCheck } from "@sightline/server/handlers/CheckRendering"
import { renderReply } from "@sightline/store/Replies"
import { textOf } from "@sightline/store/Utf8"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { assert } from "vitest"

const said: Omit<Answer, "text" | "raw"> = {
  citations: [{ url: "https://www.wirecutter.com/runners", title: "“Runners” — tested", text: "1. 品牌" }],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "m",
  finish: "stop"
}
const platforms = ["chatgpt_api", "claude_api"] as const
const texts = ["1. Acmé — für “alle”\n2. Bolt", "Bolt, then Acmé 品牌."]

const outcomeOf = (
  answers: ReadonlyArray<Answer>,
  brand: string,
  failed: boolean,
  asked: CheckOutcome["check"]["platforms"] = platforms
): CheckOutcome => ({
  id: "id",
  check: { query: "läufer ☂", brand, mode: "quick", platforms: asked, region: "us", models: {} },
  createdAt: DateTime.makeUnsafe(0),
  durationMillis: 5,
  sightings: asked.flatMap((platform, place) => {
    const answer = answers[place]
    return answer === undefined || (failed && place === 1) ? [] : [sightingOf(platform, answer, brand)]
  }),
  millis: new Map(),
  failures: failed ? [new PlatformFailed({ platform: "claude_api", code: "provider_timeout", message: "m" })] : [],
  charge: credits(5),
  cache: "hit-l1"
})

/** The site behind the citation. */
const site = { name: "Wirecutter", domain: "wirecutter.com", icon_url: "https://wirecutter.com/favicon.ico" }

/** The members of a response, in order. */
const order = [
  "request_id",
  "id",
  "mode",
  "query",
  "brand",
  "providers",
  "errors",
  "created_at",
  "duration_ms",
  "cost_cents"
]

it("a response does not depend on what was rendered earlier from the same answers, in any order of brands and include lists", () => {
  const asked = fc.record({
    brand: fc.constantFrom("Acmé", "Bolt", "Corvane"),
    include: fc.subarray(["raw", "branding"] as const),
    failed: fc.boolean()
  })
  const answers = texts.map((text) => Object.assign({}, said, { text, raw: `raw ${text}` }))
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 12 }), (calls) => {
      for (const { brand, failed, include } of calls) {
        const rendered = (from: ReadonlyArray<Answer>) =>
          textOf(renderReply(renderCheck("request", outcomeOf(from, brand, failed), include), credits(7.5)).body)
        const body = rendered(answers)
        assert.strictEqual(body, rendered(structuredClone(answers)))
        const { brand: named, query, ...told } = JSON.parse(body)
        assert.deepEqual([named, query, told.balance_after_cents], [brand, "läufer ☂", 7.5])
        const members = Object.keys(JSON.parse(body))
        assert.deepEqual(
          members,
          [...order, "cache_hit", "balance_after_cents"].filter((name) => failed || name !== "errors")
        )
        assert.deepEqual(Object.keys(told.providers), failed ? ["chatgpt"] : ["chatgpt", "claude"])
        assert.strictEqual(told.providers.chatgpt.mentioned, brand !== "Corvane")
        assert.strictEqual(told.providers.chatgpt.raw, include.includes("raw") ? answers[0]?.raw : undefined)
        assert.deepEqual(told.providers.chatgpt.citations[0].branding, include.includes("branding") ? site : undefined)
      }
    })
  )
})

it("a slot has what the contract promises of its platform, and nothing else of what the platform said", () => {
  const everything = { ...said, fanOut: ["further"], brandEntities: [{ name: "Acmé" }], sponsored: [] }
  const slotsOf = (asked: CheckOutcome["check"]["platforms"]) => {
    const answers = asked.map((): Answer => ({ ...everything, text: "Acmé", raw: "Acmé" }))
    const outcome = outcomeOf(answers, "Acmé", false, asked)
    const { providers } = JSON.parse(textOf(renderReply(renderCheck("request", outcome, []), credits(0)).body))
    return (holds: (slot: { readonly [Field in string]?: ReadonlyArray<object> }) => boolean) =>
      Object.keys(providers).filter((name) => holds(providers[name]))
  }
  const [quick, live] = [slotsOf(LlmPlatform.literals), slotsOf(LiveSurface.literals)]
  const has = (field: string) => (slot: object) => Object.hasOwn(slot, field)
  const all = quick(has("citations"))
  assert.deepEqual(all, ["chatgpt", "claude", "gemini", "perplexity"])
  assert.lengthOf(live(has("citations")), 6)
  const spanned = ({ citations = [] }) => citations.some(has("text"))
  assert.deepEqual([quick(spanned), live(spanned)], [["chatgpt", "gemini"], []])
  const wider = ({ fan_out = [] }) => fan_out.length > 0
  assert.deepEqual([quick(wider), live(wider).length], [[], 6])
  assert.deepEqual([quick(has("brand_entities")), live(has("brand_entities")).length], [[], 6])
  assert.deepEqual(quick(has("sponsored")), [])
  assert.sameMembers(live(has("sponsored")), ["chatgpt", "ai_overview", "ai_mode", "bing_copilot"])
})
