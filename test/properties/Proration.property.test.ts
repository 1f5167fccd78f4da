/**
 * Planted faults, each seen red:
 * - rounding down to whole credits
 * - one platform too many counted as answered; failures other than `provider_error` counted as answers
 * - the cached price of a quick call not shared; a live mode or a comparison charged at a cached price
 * - a discovery charged in shares, or without an answer
 * - one side of a live comparison not on offer
 * - a price one credit lower
 */
import { Credits, credits } from "@sightline/domain/Credits"
import { AskMode, Mode } from "@sightline/domain/Mode"
import { cachedPriceOf, checkOffers, compareOffers, priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcome, prorate } from "@sightline/domain/Proration"
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
})

describe("chargeOf", () => {
  it("charges answers only: charge × asked = price × answered, a discovery all or nothing", () => {
    fc.assert(
      fc.property(anyCall, fc.boolean(), (call, cached) => {
        const price = cached ? cachedPriceOf(call) : priceOf(call)
        if (call.endpoint === "discover") {
          assert.strictEqual(chargeOf({ ...call, cached }), call.answered === 0 ? Credits.make(0) : price)
          return
        }
        if (call.endpoint === "ask") {
          const charge = priceOf(call) * call.answered + cachedPriceOf(call) * call.recalled
          assert.strictEqual(chargeOf({ ...call, cached }) * call.platforms.length, charge)
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

  it("matches the contract's examples", () => {
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
    for (const cached of [false, true])
      assert.deepStrictEqual(
        [0, 1].map((k) => whole("chatgpt_live", k, cached)),
        [Credits.make(0), credits(35)]
      )
  })

  it("has the full price of each mode of a check, and of a discovery", () => {
    const prices: Readonly<Record<Mode, number>> = {
      quick: 150,
      perplexity_live: 85,
      chatgpt_live: 35,
      gemini_live: 35,
      ai_overview: 15,
      ai_mode: 35,
      bing_copilot: 15,
      all_live: 165
    }
    for (const mode of Mode.literals)
      assert.strictEqual(
        priceOf({ endpoint: "check", mode, platforms: checkOffers[mode].platforms }),
        credits(prices[mode])
      )
    assert.strictEqual(priceOf({ endpoint: "discover", mode: "quick", platforms: ["claude_api"] }), credits(50))
  })

  it("charges an ask 10, 6, 7 or 4.2 per fresh answer, 1 per cached one, 0 per failure", () => {
    const platforms = ["gemini_api", "chatgpt_api", "claude_api", "perplexity_api"] as const
    const charged = (mode: AskMode, ...came: ReadonlyArray<Outcome>) => {
      const outcomes = Object.fromEntries(platforms.map((platform, place) => [platform, came[place]]))
      return chargeOf({ endpoint: "ask", mode, platforms, outcomes, cached: false })
    }
    const prices = { live: 10, live_no_search: 6, standard: 7, standard_no_search: 4.2 }
    for (const mode of AskMode.literals) {
      const price = prices[mode]
      assert.strictEqual(priceOf({ endpoint: "ask", mode, platforms }), credits(4 * price))
      assert.strictEqual(charged(mode, "ok", "ok", "ok", "ok"), credits(4 * price))
      assert.strictEqual(charged(mode, "ok", "cached", "provider_error", "ok"), credits(2 * price + 1))
      assert.strictEqual(charged(mode, "cached", "cached", "cached", "cached"), credits(4))
      assert.strictEqual(charged(mode, "provider_error", "request_unsupported"), credits(0))
    }
  })

  it("charges a comparison, fresh or cached, 150 × k / 8 or 150 × k / 2", () => {
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
