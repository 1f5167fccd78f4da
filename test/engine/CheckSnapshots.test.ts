/**
 * What a check saw, regardless of earlier checks of the same answers.
 *
 * Planted and seen red: remembered by the first answer alone; remembered regardless of failures; never remembered.
 */
import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import { type Platform, PlatformFailed } from "@sightline/domain/Platform"
import { sightingOf } from "@sightline/engine/Sightings"
import { snapshotOf } from "@sightline/engine/CheckSnapshots"
import { answer } from "./scripted.ts"

const platforms: ReadonlyArray<Platform> = ["chatgpt_api", "claude_api", "gemini_api"]
const texts = ["1. Acme\n2. Bolt", "Bolt is better than Acme.", "Nobody knows Corvane."]
const failure = new PlatformFailed({ platform: "gemini_api", code: "provider_timeout", message: "m" })

it("what a check saw is the same with and without the memory, in any order of checks", () => {
  const answers = texts.map((text) =>
    Object.assign({}, answer, { text, citations: [{ url: `https://a.com/${text.length}`, title: "A" }] })
  )
  const asked = fc.record({
    brand: fc.constantFrom("Acme", "Bolt"),
    places: fc.subarray([0, 1, 2]),
    failures: fc.constantFrom([], [failure])
  })
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 12 }), (checks) => {
      for (const { brand, places, failures } of checks) {
        const sightingsOf = (from: typeof answers) =>
          places.map((place) => sightingOf(platforms[place] ?? "ai_mode", from[place] ?? answer, brand))
        assert.deepEqual(
          snapshotOf(sightingsOf(answers), failures),
          snapshotOf(sightingsOf(structuredClone(answers)), failures)
        )
      }
    })
  )
})

it("checks that saw the same share one object", () => {
  const sightings = () => [sightingOf("claude_api", answer, "Acme")]
  assert.strictEqual(snapshotOf(sightings(), []), snapshotOf(sightings(), []))
})
