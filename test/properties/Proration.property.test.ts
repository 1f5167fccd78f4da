/**
 * Planted faults, each seen red: a floor at whole credits; one platform too many answered; the cached price of a quick
 * call not shared out; a live mode charged from cache; failures other than `provider_error` counted as answers.
 */
import { Credits, credits } from "@sightline/domain/Credits"
import { Mode } from "@sightline/domain/Mode"
import { FailureCode } from "@sightline/domain/Platform"
import { cachedPriceOf, checkOffers, priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcome, type Outcomes, prorate } from "@sightline/domain/Proration"
import { Array, Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const modes = Mode.literals

/** Every order there can be: each mode with all of its platforms, and `quick` with any of its subsets. */
const orders = modes.flatMap((mode) => {
  const { platforms } = checkOffers[mode]
  const subsets = mode === "quick" ? 2 ** platforms.length - 1 : 0
  const chosen = Array.makeBy(subsets, (bits) => platforms.filter((_, place) => ((bits + 1) >> place) & 1))
  return [platforms, ...chosen]
    .filter(Array.isReadonlyArrayNonEmpty)
    .map((some) => ({ endpoint: "check" as const, mode, platforms: some }))
})

const anyOrder = fc.constantFrom(...orders)

/** An order with some outcome for each of its platforms. */
const calls = fc
  .tuple(anyOrder, fc.array(fc.constantFrom<Outcome>("ok", ...FailureCode.literals), { minLength: 6, maxLength: 6 }))
  .map(([{ endpoint, mode, platforms }, drawn]) => {
    const outcomes: Outcomes = Object.fromEntries(platforms.map((platform, place) => [platform, drawn[place]]))
    return { endpoint, mode, platforms, outcomes, answered: Object.values(outcomes).filter((it) => it === "ok").length }
  })

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

  it("is exact also for compare, discover and ask: 150 over 8 and 2 calls, 10, 7, 6 and 4.2 a call", () => {
    for (const [price, n] of [
      [150, 8],
      [150, 2],
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
  it("charges what answered and nothing else: charge × asked = price × answered", () => {
    fc.assert(
      fc.property(calls, fc.boolean(), (call, cached) => {
        const price = cached ? cachedPriceOf(call) : priceOf(call)
        assert.strictEqual(chargeOf({ ...call, cached }) * call.platforms.length, price * call.answered)
      })
    )
  })

  it("does not depend on the order of the platforms", () => {
    fc.assert(
      fc.property(calls, fc.boolean(), (call, cached) => {
        const platforms = Array.reverse(call.platforms)
        assert.strictEqual(chargeOf({ ...call, platforms, cached }), chargeOf({ ...call, cached }))
      })
    )
  })

  it("never charges less for one more answer", () => {
    fc.assert(
      fc.property(calls, (call) => {
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
})
