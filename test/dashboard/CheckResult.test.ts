/**
 * How the page of a check presents the check.
 *
 * Planted and seen red: a page cited twice by one answer is counted twice; an empty title wins over a real one; a failed platform is
 * left out of the repeat; a surface without an AI answer is counted as an answer.
 */
import { assert, describe, it } from "vitest"
import { CheckRequest } from "@sightline/contract/CheckApi"
import {
  type Answer,
  answersIn,
  type FoundCheck,
  repeatOf,
  sourcesOf,
  verdictOf
} from "@sightline/dashboard/checks/CheckResult"
import { exactly } from "../services/exactly.ts"

const answer = (platform: Answer["platform"], cited: ReadonlyArray<readonly [url: string, title: string]>): Answer => ({
  platform,
  mentioned: true,
  rank: 2,
  model: "m",
  context: "",
  citations: cited.map(([url, title]) => ({ url, title })),
  brands: [],
  text: null
})

const check = (changes: Partial<FoundCheck>): FoundCheck => ({
  id: "a",
  brand: "Nike",
  query: "Which shoes?",
  mode: "quick",
  region: "us",
  created_at: "",
  duration_ms: 1,
  cost_cents: 1,
  watch_id: null,
  city: null,
  charge_id: "c",
  platforms: [],
  failures: [],
  difference: null,
  ...changes
})

describe("sources", () => {
  it("are pages listed once, ordered by how many platforms cite them, with the first real title", () => {
    const platforms = [
      answer("claude", [
        ["https://a.example/", "A"],
        ["https://b.example/", " "],
        ["https://b.example/", ""]
      ]),
      answer("gemini", [["https://b.example/", "B"]])
    ]
    assert.deepEqual(sourcesOf({ platforms }), [
      { url: "https://b.example/", title: "B", platforms: ["Claude", "Gemini"] },
      { url: "https://a.example/", title: "A", platforms: ["Claude"] }
    ])
  })
})

describe("answers", () => {
  it("are those of platforms that gave one, so a page without an AI answer is not counted", () => {
    const [named, silent] = [answer("gemini_live", []), answer("ai_mode", [])]
    const platforms = [named, { ...silent, mentioned: false, rank: null, surface_present: false as const }]
    assert.deepEqual(answersIn({ platforms }), [named])
  })
})

describe("a verdict", () => {
  it("tells a page without an AI answer from an answer without the brand", () => {
    const lost = { ...answer("ai_mode", []), mentioned: false, rank: null }
    assert.strictEqual(verdictOf(lost), "not mentioned")
    assert.strictEqual(verdictOf({ ...lost, surface_present: false }), "no AI answer")
    assert.strictEqual(verdictOf(answer("ai_mode", [])), "mentioned")
  })
})

describe("repeating a check", () => {
  const read = exactly(CheckRequest)

  it("asks the same providers, including one that failed", () => {
    const again = repeatOf(
      check({ platforms: [answer("claude", [])], failures: [{ platform: "gemini", code: "provider_error" }] })
    )
    assert.deepEqual(read(again).providers, ["claude", "gemini"])
  })

  it("names no providers where all were asked, or in a live mode", () => {
    const all = (["chatgpt", "claude", "gemini", "perplexity"] as const).map((platform) => answer(platform, []))
    assert.notProperty(read(repeatOf(check({ platforms: all }))), "providers")
    const live = repeatOf(check({ mode: "ai_mode", city: "Portland", platforms: [answer("ai_mode", [])] }))
    assert.deepEqual(live, { query: "Which shoes?", brand: "Nike", mode: "ai_mode", region: "us", city: "Portland" })
  })
})
