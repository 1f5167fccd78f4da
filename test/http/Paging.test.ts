/** Planted and seen red: another limit where none is named; the cursor left out. */
import { pageAsked } from "@sightline/server/handlers/Paging"
import { assert, it } from "vitest"

it("who names no limit gets 50, and a page goes on where the cursor says", () => {
  assert.deepStrictEqual(pageAsked({}), { limit: 50 })
  assert.deepStrictEqual(pageAsked({ cursor: "c", limit: "7" }), { cursor: "c", limit: 7 })
})
