/** Planted faults seen by these laws: a UUID of version 4; one id made when the process starts and given to every row. */
import { assert, describe, it } from "vitest"
import { makeRowId } from "@sightline/store/RowId"

const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

describe("the id of a row", () => {
  it("begins with the millisecond it was made in, so that later rows sort after earlier ones", () => {
    const before = Date.now()
    const id = makeRowId()
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.isAtLeast(timeOf(id), before)
    assert.isAtMost(timeOf(id), Date.now())
  })

  it("is never used twice", () => {
    assert.strictEqual(new Set(Array.from({ length: 10_000 }, makeRowId)).size, 10_000)
  })
})
