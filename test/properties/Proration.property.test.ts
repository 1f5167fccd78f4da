/**
 * Planted faults, each seen red: `Math.floor` in the charge; one platform too many answered; the cached price of a quick
 * call not shared out; a live mode charged its share of five credits from cache; a failed platform counted as answered.
 */
import { Credits, credits } from "@sightline/domain/Credits"
import type { Mode } from "@sightline/domain/Mode"
import { FailureCode, type Platform } from "@sightline/domain/Platform"
import { cachedPriceOf, checkOffers, priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcome, prorate } from "@sightline/domain/Proration"
import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

type Platforms = readonly [Platform, ...Array<Platform>]

const modes = Object.keys(checkOffers) as ReadonlyArray<Mode>

/** Every order there can be: each mode with all of its platforms, and `quick` with any of its subsets. */
const orders = modes.flatMap((mode) => {
  const { platforms } = checkOffers[mode]
  const subsets = mode === "quick" ? 2 ** platforms.length - 1 : 0
  const chosen = Array.from({ length: subsets }, (_, bits) => platforms.filter((_, place) => ((bits + 1) >> place) & 1))
  return [platforms, ...chosen].map((some) => ({ endpoint: "check" as const, mode, platforms: some as Platforms }))
})

const anyOrder = fc.constantFrom(...orders)

/** An order with some outcome for each of its platforms. */
const calls = anyOrder.chain((order) =>
  fc
    .array(fc.constantFrom<Outcome>("ok", ...FailureCode.literals), {
      minLength: order.platforms.length,
      maxLength: order.platforms.length
    })
    .map((outcomes) => ({
      ...order,
      outcomes: Object.fromEntries(order.platforms.map((platform, place) => [platform, outcomes[place]])) as Partial<
        Record<Platform, Outcome>
      >,
      answered: outcomes.filter((outcome) => outcome === "ok").length
    }))
)

const answers = (n: number, k: number) => {
  const [first, ...rest] = Array.from({ length: n }, (_, place) => (place < k ? Result.succeed(0) : Result.fail(0)))
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
    for (const [price, n] of [[150, 8], [150, 2], [40, 4], [28, 4], [24, 4], [16.8, 4], [4, 4]] as const) {
      for (let k = 0; k <= n; k++) assert.strictEqual(prorate(credits(price), answers(n, k)).charge * n, price * 1000 * k)
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
        const platforms = [...call.platforms].reverse() as unknown as Platforms
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
      const outcomes = Object.fromEntries(platforms.map((platform, place) => [platform, place < k ? "ok" : "provider_error"]))
      return chargeOf({ endpoint: "check", mode, platforms, outcomes: outcomes as Partial<Record<Platform, Outcome>>, cached })
    }
    assert.deepStrictEqual([0, 1, 2, 3, 4, 5, 6].map((k) => whole("all_live", k)), [0, 27.5, 55, 82.5, 110, 137.5, 165].map(credits))
    assert.deepStrictEqual([0, 1, 2, 3, 4].map((k) => whole("quick", k)), [0, 37.5, 75, 112.5, 150].map(credits))
    assert.deepStrictEqual([0, 1, 2, 3, 4].map((k) => whole("quick", k, true)), [0, 1.25, 2.5, 3.75, 5].map(credits))
    assert.deepStrictEqual([0, 1].map((k) => whole("chatgpt_live", k)), [Credits.make(0), credits(35)])
  })
})
