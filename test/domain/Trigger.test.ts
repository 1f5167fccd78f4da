/**
 * Planted faults, each seen red: a surface that showed no answer is kept; a platform that does not name the brand is left out; a page
 * is counted once for each of its addresses; addresses are kept as they were cited; an address without a canonical form is left out.
 */
import { resultOf } from "@sightline/domain/Trigger"
import { assert, it } from "vitest"

const citing = (...urls: ReadonlyArray<string>) => urls.map((url) => ({ url }))

it("a result has presence, rank and each canonical page once, and leaves out a surface that showed no answer", () => {
  const found = [
    {
      platform: "ai_mode",
      mentioned: true,
      rank: 2,
      citations: citing("https://a.com/x#1", "http://www.a.com/x/?utm_source=y", "https://b.com", "ftp://c.com")
    },
    { platform: "bing_copilot", mentioned: false, rank: null, citations: [] },
    { platform: "ai_overview", surfacePresent: false, mentioned: false, rank: null, citations: [] }
  ] as const
  assert.deepEqual(resultOf(found), [
    { platform: "ai_mode", present: true, rank: 2, citations: ["https://a.com/x", "https://b.com", "ftp://c.com"] },
    { platform: "bing_copilot", present: false, rank: null, citations: [] }
  ])
})
