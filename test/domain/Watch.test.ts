/**
 * Planted faults, each seen red: a surface that showed no answer kept; a platform that does not name the brand left out; a page
 * counted for each of its addresses; addresses as they were cited.
 */
import type { Sighting } from "@sightline/domain/Check"
import { findBrand } from "@sightline/domain/Brand"
import { resultOf } from "@sightline/domain/Watch"
import { assert, it } from "vitest"

const sighting = (
  platform: Sighting["platform"],
  text: string,
  urls: ReadonlyArray<string>,
  surface = true
): Sighting => ({
  platform,
  answer: {
    text,
    raw: text,
    citations: urls.map((url) => ({ url, title: "" })),
    fanOut: [],
    brandEntities: [],
    searched: true,
    model: "",
    finish: "stop",
    ...(surface ? {} : { surfacePresent: false as const })
  },
  visibility: findBrand({ text, brandEntities: [] }, "Acme")
})

it("a run's result has presence, rank and each canonical page once, and no surface that showed no answer", () => {
  const sightings = [
    sighting("ai_mode", "1. Bolt\n2. Acme", ["https://a.com/#x", "https://a.com/#y", "https://b.com"]),
    sighting("bing_copilot", "Bolt.", []),
    sighting("ai_overview", "", [], false)
  ]
  assert.deepEqual(
    resultOf(sightings, (url) => url.replace(/#.*/, "")),
    [
      { platform: "ai_mode", present: true, rank: 2, citations: ["https://a.com/", "https://b.com"] },
      { platform: "bing_copilot", present: false, rank: null, citations: [] }
    ]
  )
})
