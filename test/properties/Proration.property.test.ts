/**
 * Planted faults, each seen red: a floor at whole credits; one platform too many answered; the cached price of a quick
 * call not shared out; a live mode charged from cache; failures other than `provider_error` counted as answers; a comparison
 * charged from cache; a discovery shared out, or charged without an answer; one side of a live comparison not on offer.
 */
import { Credits, credits } from "@sightline/domain/Credits"
import type { Mode } from "@sightline/domain/Mode"
import { cachedPriceOf, checkOffers, compareOffers, priceOf } from "@sightline/domain/PriceList"
import { chargeOf, prorate } from "@sightline/domain/Proration"
import { Array, Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { anyCall, orders } from "./orders.ts"

const answers = (n: number, k: number) => {
  const [first, ...rest] = Array.makeBy(n, (place) => (place < k ? Result.succeed(0) : Result.fail(0)))
  return [first ?? Result.fail(0), ...rest] as const
}

describe("prorate", () => {
  it("charges the exact share: charge × asked = price × answered, for every order and every k", () => {
    for (const order of orders) {
      for (const price of [priceOf(order), cachedPriceOf(order)]) {
        const n = order.platforms.length
        for (let k = 0; k <= n; k++) {
          const { charge, refund } = prorate(price, answers(n, k))
          assert.strictEqual(charge * n, price * k)
          assert.strictEqual(charge + refund, price)
        }
      }
    }
  })

  it("is exact also for ask: 10, 7, 6, 4.2 and 1 a call", () => {
    for (const [price, n] of [
      [40, 4],
      [28, 4],
      [24, 4],
      [16.8, 4],
      [4, 4]
    ] as const) {
      for (let k = 0; k <= n; k++)
        assert.strictEqual(prorate(credits(price), answers(n, k)).charge * n, price * 1000 * k)
    }
  })
})

describe("chargeOf", () => {
  it("charges what answered and nothing else: charge × asked = price × answered, a discovery at all or nothing", () => {
    fc.assert(
      fc.property(anyCall, fc.boolean(), (call, cached) => {
        const price = cached ? cachedPriceOf(call) : priceOf(call)
        if (call.endpoint === "discover") {
          assert.strictEqual(chargeOf({ ...call, cached }), call.answered === 0 ? Credits.make(0) : price)
          return
        }
        assert.strictEqual(chargeOf({ ...call, cached }) * call.platforms.length, price * call.answered)
      })
    )
  })

  it("does not depend on the order of the platforms", () => {
    fc.assert(
      fc.property(anyCall, fc.boolean(), (call, cached) => {
        const platforms = Array.reverse(call.platforms)
        assert.strictEqual(chargeOf({ ...call, platforms, cached }), chargeOf({ ...call, cached }))
      })
    )
  })

  it("never charges less for one more answer", () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        for (const platform of call.platforms) {
          const better = { ...call, outcomes: { ...call.outcomes, [platform]: "ok" as const }, cached: false }
          assert.isAtLeast(chargeOf(better), chargeOf({ ...call, cached: false }))
        }
      })
    )
  })

  it("spells out the contract's examples", () => {
    const whole = (mode: Mode, k: number, cached = false) => {
      const { platforms } = checkOffers[mode]
      const outcomes = Object.fromEntries(
        platforms.map((platform, place) => [platform, place < k ? "ok" : "provider_error"])
      )
      return chargeOf({
        endpoint: "check",
        mode,
        platforms,
        outcomes,
        cached
      })
    }
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5, 6].map((k) => whole("all_live", k)),
      [0, 27.5, 55, 82.5, 110, 137.5, 165].map(credits)
    )
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((k) => whole("quick", k)),
      [0, 37.5, 75, 112.5, 150].map(credits)
    )
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((k) => whole("quick", k, true)),
      [0, 1.25, 2.5, 3.75, 5].map(credits)
    )
    assert.deepStrictEqual(
      [0, 1].map((k) => whole("chatgpt_live", k)),
      [Credits.make(0), credits(35)]
    )
  })

  it("spells out a comparison, fresh and from cache alike: 150 × k / 8, and 150 × k / 2", () => {
    for (const cached of [false, true])
      for (const mode of ["quick", "perplexity_live"] as const) {
        const { platforms } = compareOffers[mode]
        assert.lengthOf(platforms, mode === "quick" ? 8 : 2)
        for (let k = 0; k <= platforms.length; k++) {
          const outcomes = Object.fromEntries(
            platforms.map((asked, place) => [asked, place < k ? "ok" : "provider_error"])
          )
          const charge = chargeOf({ endpoint: "compare", mode, platforms, outcomes, cached })
          assert.strictEqual(charge, credits((150 * k) / platforms.length))
        }
      }
  })
})
