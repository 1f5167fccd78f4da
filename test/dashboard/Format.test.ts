/**
 * Planted and seen red: an hour is shown as a day because it begins one.
 */
import { assert, it } from "vitest"
import { bucketText, momentText } from "@sightline/dashboard/text/Format"

it("an hourly figure is shown as an hour, even at midnight UTC, and a daily one as a day", () => {
  const midnight = new Date("2026-11-23T00:00:00Z")
  assert.strictEqual(bucketText(midnight, "hour"), `${momentText(midnight.toISOString())} UTC`)
  const day = bucketText(midnight, "day")
  assert.include(day, "23")
  assert.notInclude(day, ":")
})
