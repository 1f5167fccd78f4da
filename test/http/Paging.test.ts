/** Planted and seen red: another limit where none is given; the cursor ignored. */
import { pageAsked } from "@sightline/server/handlers/Paging"
import { assert, it } from "vitest"

it("a page has 50 items without a limit, and starts at its cursor", () => {
  assert.deepStrictEqual(pageAsked({}), { limit: 50 })
  assert.deepStrictEqual(pageAsked({ cursor: "c", limit: "7" }), { cursor: "c", limit: 7 })
})
