/** Planted and seen red: an hour told as a day because it begins one. */
import { assert, it } from "vitest"
import { bucketText, momentText } from "@sightline/dashboard/text/Format"

it("a figure by the hour is told as an hour, that at midnight UTC too, and one by the day as a day", () => {
  const midnight = new Date("2026-11-23T00:00:00Z")
  assert.strictEqual(bucketText(midnight, "hour"), `${momentText(midnight.toISOString())} UTC`)
  const day = bucketText(midnight, "day")
  assert.include(day, "23")
  assert.notInclude(day, ":")
})
