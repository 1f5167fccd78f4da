/**
 * The share of a process in the draws of all processes.
 *
 * Planted and seen red: draws that never decay, or at another rate; draws of others not counted, or fewer in total than one's own; no
 * minimum.
 */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Share } from "@sightline/store/Share"

const halfLifeMicros = 300_000_000
const draws = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1e9 })),
  { maxLength: 20 }
)

it("of a process that draws alone is everything, whatever the others were said to draw", () => {
  fc.assert(
    fc.property(draws, (drawn) => {
      const share = new Share()
      for (const [own, , at] of drawn) share.draw(own, 0, BigInt(at))
      assert.strictEqual(share.of(1), 1)
    })
  )
})

it("of two processes with the same view add up to everything, unless one is raised to the minimum", () => {
  fc.assert(
    fc.property(draws, (drawn) => {
      const [one, other] = [new Share(), new Share()]
      for (const [own, rest, at] of drawn) {
        one.draw(own, own + rest, BigInt(at))
        other.draw(rest, own + rest, BigInt(at))
      }
      const shares = [one.of(0.5), other.of(0.5)]
      const least = 1 / 32
      assert.isTrue(shares.every((share) => share >= least && share <= 1))
      const [smaller = 0, larger = 0] = shares.toSorted((a, b) => a - b)
      if (smaller > least) assert.closeTo(smaller + larger, 1, 1e-9)
    })
  )
})

it("counts draws of one half-life ago half, and of many half-lives ago hardly at all", () => {
  const share = new Share()
  share.draw(8, 8, 0n)
  share.draw(0, 3, BigInt(halfLifeMicros))
  assert.strictEqual(share.of(0), 4 / 8)
  share.draw(0, 0, BigInt(20 * halfLifeMicros))
  assert.closeTo(share.of(0.25), 0.25, 1e-4)
})
