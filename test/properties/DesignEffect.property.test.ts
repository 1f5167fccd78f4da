/**
 * Planted faults, each seen red:
 * - answers compared with those of two runs before
 * - the correlation not corrected for its rate
 * - answers of a failed platform counted as answers without the sign
 * - runs aligned at their first instead of their last
 * - opposed answers counted as similar
 * - a stretch that does not end with its runs
 * - only the platforms in scope used to estimate how runs continue
 */
import { designEffect, type Indicators } from "@sightline/domain/DesignEffect"
import { dice } from "@sightline/sandbox/Dice"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const anyTold: fc.Arbitrary<Indicators> = fc.array(fc.constantFrom(0, 1, null), { maxLength: 12 })
const anyRuns = fc.integer({ min: 1, max: 8 })
const close = (value: number, expected: number) => assert.closeTo(value, expected, 1e-9)

/** Random values of independent platforms, each with the same probability. */
const rolled = (key: string, platforms: number, runs: number, rate: number): ReadonlyArray<Indicators> => {
  const rolls = dice(key)
  return Array.from({ length: platforms }, () => Array.from({ length: runs }, () => Number(rolls.chance(rate))))
}

describe("resemblance", () => {
  it("is at least 1 and at most the answers of the runs, whatever the order of the platforms", () =>
    fc.assert(
      fc.property(fc.array(anyTold, { minLength: 1, maxLength: 6 }), anyRuns, (platforms, runs) => {
        const value = designEffect(platforms, platforms, runs)
        assert.isAtLeast(value, 1)
        assert.isAtMost(value, platforms.length * runs + 1e-9)
        close(designEffect(platforms.toReversed(), platforms.toReversed(), runs), value)
      })
    ))

  it("is 1 if nothing varied, and for one platform in one run", () =>
    fc.assert(
      fc.property(anyTold, anyRuns, (told, runs) => {
        close(designEffect([told], [told], 1), 1)
        const constant = told.map((value) => (value === null ? null : 1))
        close(designEffect([constant, constant], [constant, constant], runs), 1)
      })
    ))

  it("counts platforms with always equal values as one, aligned at the latest run", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1), { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        (told, platforms) => {
          const same: ReadonlyArray<Indicators> = Array.from({ length: platforms }, () => told)
          close(designEffect(same, same, 1), new Set(told).size === 2 ? platforms : 1)
        }
      )
    ))

  it("a platform that failed, or was not yet followed, contributes nothing", () => {
    const both = [0, 1, 0, 1]
    const told: ReadonlyArray<readonly [platforms: ReadonlyArray<Indicators>, expected: number]> = [
      [[both, [0, 1, null, null]], 2.5 / 1.5],
      [[both, [null, null, null, null]], 1],
      // The platform with two runs was added later: it is aligned with the last two.
      [
        [
          [0, 1, 1, 1],
          [0, 1]
        ],
        1
      ],
      [
        [
          [1, 1, 0, 1],
          [0, 1]
        ],
        2.25 / 1.25
      ]
    ]
    for (const [platforms, expected] of told) assert.closeTo(designEffect(platforms, [], 1), expected, 1e-9)
  })

  it("counts persistent runs as fewer, and alternating ones in full", () => {
    const [stays, alternates] = [
      [0, 0, 0, 0, 1, 1, 1, 1],
      [0, 1, 0, 1, 0, 1, 0, 1]
    ]
    const told: ReadonlyArray<
      readonly [scope: Indicators, platforms: ReadonlyArray<Indicators>, runs: number, expected: number]
    > = [
      [stays, [stays], 2, 1 + 0.75],
      [stays, [stays], 3, 1 + 2 * ((2 / 3) * 0.75 + (1 / 3) * 0.75 ** 2)],
      [alternates, [alternates], 5, 1],
      [alternates, [stays, alternates], 2, 1],
      [[1, 1], [stays], 2, 1.75]
    ]
    for (const [scope, platforms, runs, expected] of told) {
      assert.closeTo(designEffect([scope], platforms, runs), expected, 1e-9)
    }
  })

  it("is near 1 for independent answers", () => {
    const platforms = rolled("independent", 6, 2000, 0.4)
    for (const runs of [1, 3, 8]) assert.isBelow(designEffect(platforms, platforms, runs), 1.1)
  })

  it("matches the theory for answers that repeat with probability one half over eight runs", () => {
    const rolls = dice("repeated")
    let last = 0
    const told = Array.from({ length: 20_000 }, () => (last = rolls.chance(0.5) ? last : Number(rolls.chance(0.5))))
    const expected = 1 + 2 * [1, 2, 3, 4, 5, 6, 7].reduce((sum, lag) => sum + (1 - lag / 8) * 0.5 ** lag, 0)
    assert.closeTo(designEffect([told], [told], 8), expected, 0.1)
  })
})
