/**
 * Planted and seen red: empty values come first when a column's order is reversed.
 */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { sorted } from "@sightline/dashboard/table/Sorting"

const rows = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(null)), { maxLength: 12 })

it("a sorted table keeps its rows, with empty ones last in either direction: sorted(rows) is a permutation of rows", () =>
  fc.assert(
    fc.property(rows, fc.boolean(), (values, down) => {
      const order = sorted(values, (value) => value, down)
      const known = order.filter((value) => value !== null)
      assert.sameMembers([...order], values)
      assert.deepEqual(order.slice(0, known.length), known)
      known.slice(1).forEach((value, n) => assert.isAtLeast((down ? -1 : 1) * (value - (known[n] ?? 0)), 0))
    })
  ))
