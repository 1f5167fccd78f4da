/**
 * When the rate of captures without an answer, or without adverts, has jumped.
 *
 * Planted and seen red: a fall of the rate is taken for a jump; there is no minimum of captures; adverts of pages without an answer
 * are counted; any loss is enough.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { canary, jumps } from "@sightline/domain/Canary"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { CaptureCount } from "@sightline/domain/Health"

const misses = (looked: number, missed: number) => ({ looked, missed })

describe("jumps", () => {
  it("equal rates are never a jump: was = is, for any counts", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 2000 }),
        (missed, found, before, now) => {
          const rate = [missed + found, missed] as const
          const scaled = (times: number) => misses(rate[0] * times, rate[1] * times)
          assert.isFalse(jumps(scaled(before), scaled(now)))
        }
      )
    ))

  it("a lower rate is never a jump", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.nat(2000), fc.nat(2000), (looked, a, b) => {
        const [less, more] = [Math.min(a, b, looked), Math.min(Math.max(a, b), looked)]
        assert.isFalse(jumps(misses(looked, more), misses(looked, less)))
      })
    ))

  it("a jump stays a jump when both counts are doubled", () =>
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(300), fc.nat(300), (a, b, c, d) => {
        const [before, now] = [misses(a + b, a), misses(c + d, c)]
        const doubled = [misses(2 * (a + b), 2 * a), misses(2 * (c + d), 2 * c)] as const
        if (jumps(before, now)) assert.isTrue(jumps(...doubled))
      })
    ))

  it("from 30 % to 95 % over 50 captures is a jump, and 20 captures are too few to tell", () => {
    assert.isTrue(jumps(misses(50, 15), misses(50, 48)))
    assert.isTrue(jumps(misses(5000, 1500), misses(50, 48)))
    assert.isFalse(jumps(misses(5000, 1500), misses(20, 19)))
    assert.isFalse(jumps(misses(20, 6), misses(50, 48)))
  })

  it("losing all adverts is a jump where one answer in ten had them", () => {
    assert.isTrue(jumps(misses(3500, 3150), misses(500, 500)))
  })

  it("needs at least 30 captures of the day and 50 of the week", () => {
    assert.isTrue(jumps(misses(50, 0), misses(30, 30)))
    assert.isFalse(jumps(misses(49, 0), misses(30, 30)))
    assert.isFalse(jumps(misses(50, 0), misses(29, 29)))
  })

  it("needs five standard errors of both rates together: from 15 misses in 50 captures, 40 give 5.02 and 39 give 4.82", () => {
    assert.isTrue(jumps(misses(50, 15), misses(50, 40)))
    assert.isFalse(jumps(misses(50, 15), misses(50, 39)))
    assert.isTrue(jumps(misses(350, 175), misses(50, 44)))
    assert.isFalse(jumps(misses(350, 175), misses(50, 43)))
  })

  it("a loss of exactly a third is enough, whatever the counts", () => {
    for (let times = 1; times <= 20; times++) {
      assert.isTrue(jumps(misses(100 * times, 0), misses(300 * times, 100 * times)), String(times))
      assert.isFalse(jumps(misses(100 * times, 0), misses(300 * times, 100 * times - 1)), String(times))
    }
  })

  it("needs a third of what was found to be missing: from three quarters found to a half", () => {
    assert.isTrue(jumps(misses(400, 100), misses(400, 200)))
    assert.isFalse(jumps(misses(400, 100), misses(400, 199)))
  })

  it("a small difference is no jump, however certain it is", () => {
    assert.isFalse(jumps(misses(1_000_000, 300_000), misses(100_000, 33_000)))
  })

  it("chance alone causes no jump: at one rate, the extremes of a thousand days stay below", () => {
    // The largest of 1000 draws of a binomial lies near 3.3 standard deviations.
    for (const rate of [0.1, 0.3, 0.5, 0.9])
      for (const looked of [30, 50, 200, 5000]) {
        const extreme = Math.min(looked, Math.round(looked * rate + 3.3 * Math.sqrt(looked * rate * (1 - rate))))
        assert.isFalse(jumps(misses(looked * 7, Math.round(looked * 7 * rate)), misses(looked, extreme)))
      }
  })
})

const counted = (ending: CaptureEnding, adverts: boolean | null, count: number): CaptureCount => ({
  platform: "ai_mode",
  ending,
  adverts,
  latency: 1000,
  count
})

describe("canary", () => {
  it("says which sign jumped, from which rate to which", () => {
    const before = [counted("ok", true, 300), counted("ok", false, 400), counted("no_answer", false, 300)]
    const now = [counted("ok", false, 7), counted("no_answer", false, 93), counted("captcha", null, 500)]
    assert.deepEqual(canary("ai_mode", before, now), [
      { surface: "ai_mode", sign: "no_answer", before: 0.3, now: 0.93, captures: 100 }
    ])
    const silent = [counted("ok", false, 70), counted("no_answer", false, 30)]
    assert.deepEqual(
      canary("ai_mode", before, silent).map(({ sign, now }) => [sign, now]),
      [["no_adverts", 1]]
    )
  })

  it("says nothing of a surface whose rates are unchanged, or that does not look for adverts", () => {
    const same = [counted("ok", true, 30), counted("ok", false, 70), counted("no_answer", false, 50)]
    assert.deepEqual(canary("ai_mode", same, same), [])
    assert.deepEqual(canary("gemini_live", [counted("ok", null, 500)], [counted("ok", null, 500)]), [])
  })
})
