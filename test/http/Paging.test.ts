/** Planted and seen red: each bound moved by one; a part of a row asked for. */
import { assert, it } from "vitest"
import { pageOf, sizeOf } from "@sightline/server/Paging"

it.each([
  [undefined, 50],
  [-3, 1],
  [0, 1],
  [1, 1],
  [1.9, 1],
  [200, 200],
  [201, 200]
])("an operator who asks for %s rows gets %i", (limit, rows) => {
  assert.strictEqual(sizeOf(limit), rows)
})

it("a customer who names no limit gets 50, and a page goes on where the cursor says", () => {
  assert.deepStrictEqual(pageOf({}), { limit: 50 })
  assert.deepStrictEqual(pageOf({ cursor: "c", limit: "7" }), { cursor: "c", limit: 7 })
})
