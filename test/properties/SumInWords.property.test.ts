/**
 * The calculation shown with a charge, checked with independent arithmetic: fractions of integers, no floats.
 *
 * Planted and seen red: the fresh price in the calculation of a cached call.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Asked } from "@sightline/domain/Platform"
import { checkOffers, compareOffers, discoverOffer } from "@sightline/domain/PriceList"
import { type Accountable, chargeOf, type Outcome } from "@sightline/domain/Proration"
import { sumInWords } from "@sightline/domain/SumInWords"
import { anyCall } from "./orders.ts"

/** A decimal as thousandths. */
const thousandths = (text: string): bigint => {
  const [, whole = "", digits = ""] = /^(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? assert.fail(`no number: ${text}`)
  return BigInt(whole) * 1000n + BigInt(digits.padEnd(3, "0"))
}

/** One side of a calculation: its value before the division, in millionths, and its divisor, in thousandths. */
const evaluate = (side: string): { readonly value: bigint; readonly divisor: bigint } => {
  const [product = "", divisor = "1"] = side.split(" / ")
  const terms = product.split(" + ").map((term) => term.split(" × ").map(thousandths))
  const value = terms.reduce((sum, [one = 0n, other = 1000n]) => sum + one * other, 0n)
  return { value, divisor: thousandths(divisor) }
}

/** Asserts that a calculation, and the result that it states, equal a charge in millicredits. */
const comesTo = (sum: string, charge: number): void => {
  const [left = "", right = left] = sum.split(" = ")
  const { value, divisor } = evaluate(left)
  // thousandths × thousandths / thousandths = thousandths, without a remainder.
  assert.strictEqual(value, BigInt(charge) * divisor, sum)
  assert.strictEqual(thousandths(right), BigInt(charge), sum)
}

describe("sumInWords", () => {
  it("equals the charge for every order, outcome and origin: sum = chargeOf", () => {
    fc.assert(
      fc.property(anyCall, fc.boolean(), (call, cached) =>
        comesTo(sumInWords({ ...call, cached }), chargeOf({ ...call, cached }))
      ),
      { numRuns: 2000 }
    )
  })

  const outcomes = (platforms: ReadonlyArray<Asked>, ...given: ReadonlyArray<Outcome>) =>
    Object.fromEntries(platforms.map((asked, at) => [asked, given[at] ?? "provider_error"]))
  const check = (
    mode: "quick" | "all_live",
    platforms: Accountable["platforms"],
    cached: boolean,
    answered: number
  ) => {
    const given = platforms.slice(0, answered).map(() => "ok" as const)
    return sumInWords({ endpoint: "check", mode, platforms, cached, outcomes: outcomes(platforms, ...given) })
  }

  it("is written as a person would write it", () => {
    const [all, quick] = [checkOffers.all_live.platforms, checkOffers.quick.platforms]
    assert.strictEqual(check("all_live", all, false, 4), "165 × 4 / 6 = 110")
    assert.strictEqual(check("all_live", all, false, 0), "165 × 0 / 6 = 0")
    assert.strictEqual(check("quick", ["claude_api", "gemini_api"], false, 1), "150 × 1 / 4 = 37.5")
    assert.strictEqual(check("quick", ["claude_api", "gemini_api"], true, 2), "5 × 2 / 4 = 2.5")
    assert.strictEqual(check("quick", quick, true, 4), "5 × 4 / 4 = 5")
    const both = compareOffers.quick.platforms
    const compare = { endpoint: "compare", mode: "quick", platforms: both, cached: false } as const
    assert.strictEqual(
      sumInWords({ ...compare, outcomes: outcomes(both, "ok", "ok", "ok", "ok", "ok", "ok", "ok") }),
      "150 × 7 / 8 = 131.25"
    )
    const { platforms } = discoverOffer
    const discover = { endpoint: "discover", mode: "quick", platforms, cached: false } as const
    assert.strictEqual(sumInWords({ ...discover, outcomes: outcomes(platforms, "ok") }), "50 = 50")
    assert.strictEqual(sumInWords({ ...discover, outcomes: {} }), "0")
    const ask = { endpoint: "ask", mode: "live", platforms, cached: false } as const
    assert.strictEqual(
      sumInWords({ ...ask, outcomes: outcomes(platforms, "ok", "cached", "ok") }),
      "2 × 10 + 1 × 1 = 21"
    )
    assert.strictEqual(
      sumInWords({ ...ask, mode: "standard_no_search", outcomes: outcomes(platforms, "ok") }),
      "1 × 4.2 = 4.2"
    )
    assert.strictEqual(sumInWords({ ...ask, outcomes: outcomes(platforms, "cached", "cached") }), "2 × 1 = 2")
    assert.strictEqual(sumInWords({ ...ask, outcomes: {} }), "0 × 10 = 0")
  })
})
