/**
 * Planted and seen red: half the width under the root; the 95th percentile; the Wald interval; the sum not shrunk; the centre moved
 * twice as far.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { wilson } from "@sightline/domain/Wilson"

const near = 1e-9

/** Hits and trials. */
const anySample = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([trials, share]) => ({ hits: Math.round(share * trials), trials }))

const of = (hits: number, trials: number) => wilson(hits, trials) ?? assert.fail("no estimate")

describe("wilson", () => {
  it("gives the published intervals", () => {
    const published = [
      [8, 10, 0.4902, 0.9433],
      [0, 10, 0, 0.2775],
      [1, 1, 0.2065, 1],
      [50, 100, 0.4038, 0.5962],
      [15, 148, 0.0624, 0.1605]
    ] as const
    for (const [hits, trials, low, high] of published) {
      const found = of(hits, trials)
      assert.deepStrictEqual([found.low.toFixed(4), found.high.toFixed(4)], [low.toFixed(4), high.toFixed(4)])
      assert.strictEqual(found.rate, hits / trials)
    }
  })

  it("has no estimate for zero trials", () => assert.isNull(wilson(0, 0)))

  it("0 ≤ low ≤ rate ≤ high ≤ 1 and low < high, for any sample", () =>
    fc.assert(
      fc.property(anySample, ({ hits, trials }) => {
        const { low, rate, high } = of(hits, trials)
        assert.isTrue(0 <= low && low <= rate && rate <= high && high <= 1 && low < high)
      })
    ))

  it("low = 0 ⇔ no hit, and high = 1 ⇔ no miss", () =>
    fc.assert(
      fc.property(anySample, ({ hits, trials }) => {
        assert.strictEqual(of(hits, trials).low === 0, hits === 0)
        assert.strictEqual(of(hits, trials).high === 1, hits === trials)
      })
    ))

  it("low is exactly 0 without a hit and high exactly 1 without a miss, up to 1,000 trials", () => {
    for (let trials = 1; trials <= 1000; trials++)
      assert.deepStrictEqual([of(0, trials).low, of(trials, trials).high], [0, 1], `${trials}`)
  })

  it("swapping hits and misses mirrors the interval", () =>
    fc.assert(
      fc.property(anySample, ({ hits, trials }) => {
        const [one, other] = [of(hits, trials), of(trials - hits, trials)]
        assert.closeTo(one.low, 1 - other.high, near)
        assert.closeTo(one.high, 1 - other.low, near)
      })
    ))

  it("more trials at the same rate narrow the interval", () =>
    fc.assert(
      fc.property(anySample, fc.integer({ min: 2, max: 100 }), ({ hits, trials }, times) => {
        const [few, many] = [of(hits, trials), of(hits * times, trials * times)]
        assert.isBelow(many.high - many.low, few.high - few.low)
      })
    ))

  it("more hits in as many trials move both ends up", () =>
    fc.assert(
      fc.property(anySample, ({ hits, trials }) => {
        if (hits === trials) return
        const [fewer, more] = [of(hits, trials), of(hits + 1, trials)]
        assert.isTrue(more.low > fewer.low && more.high > fewer.high)
      })
    ))
})
