/**
 * What a page is told when a call fails, and the order of its tables.
 *
 * Planted and seen red: issues that are dropped, an announced mode read as unknown, empty values first when a column is
 * turned round, a pair of surrogates cut in two.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { cut } from "@sightline/dashboard/text/Cut"
import { failureOf, isSignedOut } from "@sightline/dashboard/Failure"
import { sorted } from "@sightline/dashboard/table/Sorting"

const refusal = (code: string, details?: unknown) => ({
  error: { code, message: "No.", ...(details === undefined ? {} : { details }) },
  request_id: "r-1"
})

describe("a failed call", () => {
  it("is told with its code, its message, its request and the issues of its fields", () => {
    const issues = [{ path: "models.claude", message: "is not available" }]
    const failure = failureOf(refusal("invalid_request", { issues }))
    assert.deepInclude(failure, { code: "invalid_request", message: "No.", requestId: "r-1" })
    assert.deepEqual(failure.issues, issues)
  })

  it("is told as well where its details are figures: a balance that is too small", () => {
    const details = { balance_cents: 3, required_cents: 150, topup_url: "http://127.0.0.1/billing" }
    const failure = failureOf({ ...refusal("insufficient_balance", details), ...details })
    assert.deepInclude(failure, { code: "insufficient_balance", issues: [] })
  })

  it("is told by its word where a mode is only announced", () => {
    const body = {
      error: "mode_roadmap",
      mode: "deep",
      eta: "2027",
      available_modes: [],
      message: "Later.",
      request_id: "r"
    }
    assert.deepInclude(failureOf(body), { code: "mode_roadmap", message: "Later." })
  })

  it("says no more than that it failed where nobody meant it to be read", () => {
    for (const odd of [undefined, null, "x", 7, new Error("secret"), { error: { code: 1 } }, { _tag: "SchemaError" }])
      assert.notInclude(failureOf(odd).message, "secret")
    assert.strictEqual(failureOf({ _tag: "HttpClientError" }).code, "unreachable")
  })

  it("leads to the sign-in only where a key or a session is missing", () => {
    assert.isTrue(isSignedOut(failureOf(refusal("unauthorized"))))
    assert.isTrue(isSignedOut(failureOf(refusal("missing_authorization"))))
    assert.isFalse(isSignedOut(failureOf(refusal("forbidden"))))
  })
})

describe("a table in order", () => {
  const rows = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(null)), { maxLength: 12 })

  it("keeps its rows, empty ones last whichever way: sorted(rows) is a permutation of rows", () =>
    fc.assert(
      fc.property(rows, fc.boolean(), (values, down) => {
        const order = sorted(values, (value) => value, down)
        const known = order.filter((value) => value !== null)
        assert.sameMembers([...order], values)
        assert.deepEqual(order.slice(0, known.length), known)
        known.slice(1).forEach((value, n) => assert.isAtLeast((down ? -1 : 1) * (value - (known[n] ?? 0)), 0))
      })
    ))
})

describe("a text that is cut", () => {
  const texts = fc.array(fc.constantFrom("a", "é", "😀", "👩‍👧", " ")).map((letters) => letters.join(""))

  it("begins as the text does and stays well-formed: cut(text, n).length ≤ n", () =>
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, length) => {
        const shown = cut(text, length)
        assert.isAtMost(shown.length, length)
        assert.isTrue(text.startsWith(shown))
        assert.isTrue(shown.isWellFormed())
      })
    ))
})
