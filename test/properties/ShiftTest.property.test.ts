/**
 * Planted faults, each seen red: more signs instead of at least as many; one platform instead of all; the observed signs not counted
 * among the permutations; one answer too many.
 */
import { chanceOf, type SplitCounts } from "@sightline/domain/ShiftTest"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const anyDivided = (answersMax: number): fc.Arbitrary<SplitCounts> =>
  fc
    .record({ answersBefore: fc.nat(answersMax), answersSince: fc.nat(answersMax) })
    .chain(({ answersBefore, answersSince }) =>
      fc.record({
        answersBefore: fc.constant(answersBefore),
        signsBefore: fc.nat(answersBefore),
        answersSince: fc.constant(answersSince),
        signsSince: fc.nat(answersSince)
      })
    )

/** Every distribution of a platform's signs over its answers, as its counts before and since. */
const dealings = ({
  answersBefore,
  signsBefore,
  answersSince,
  signsSince
}: SplitCounts): ReadonlyArray<SplitCounts> => {
  const answers = answersBefore + answersSince
  const signs = signsBefore + signsSince
  return Array.from({ length: 2 ** answers }, (_, mask) =>
    Array.from({ length: answers }, (_bit, at) => (mask >> at) & 1)
  )
    .filter((bits) => bits.filter((bit) => bit === 1).length === signs)
    .map((bits) => {
      const since = bits.slice(answersBefore).filter((bit) => bit === 1).length
      return { answersBefore, answersSince, signsSince: since, signsBefore: signs - since }
    })
}

const together = (a: ReadonlyArray<SplitCounts>, b: ReadonlyArray<SplitCounts>) =>
  a.flatMap((x) => b.map((y) => [x, y] as const))

describe("chanceOf", () => {
  it("is the share of distributions with at least as many signs since, by exhaustive count", () =>
    fc.assert(
      fc.property(anyDivided(4), anyDivided(3), (a, b) => {
        const all = together(dealings(a), dealings(b))
        const seen = a.signsSince + b.signsSince
        const asMany = all.filter(([x, y]) => x.signsSince + y.signsSince >= seen)
        assert.closeTo(chanceOf([a, b]), asMany.length / all.length, 1e-9)
      }),
      { numRuns: 300 }
    ))

  it("is a valid p-value: under random distribution, P(chance ≤ x) ≤ x", () =>
    fc.assert(
      fc.property(anyDivided(4), anyDivided(3), fc.double({ min: 0, max: 1, noNaN: true }), (a, b, x) => {
        const all = together(dealings(a), dealings(b)).map((both) => chanceOf(both))
        assert.isAtMost(all.filter((chance) => chance <= x).length / all.length, x + 1e-9)
      }),
      { numRuns: 300 }
    ))

  it("is 1 without any answers before or since", () =>
    fc.assert(
      fc.property(anyDivided(40), (one) => {
        assert.closeTo(chanceOf([{ ...one, answersBefore: 0, signsBefore: 0 }]), 1, 1e-9)
        assert.closeTo(chanceOf([{ ...one, answersSince: 0, signsSince: 0 }]), 1, 1e-9)
        assert.closeTo(chanceOf([]), 1, 1e-9)
      })
    ))

  it("a platform without answers since changes nothing", () =>
    fc.assert(
      fc.property(anyDivided(30), anyDivided(30), (one, silent) => {
        const both = [one, { ...silent, answersSince: 0, signsSince: 0 }]
        assert.closeTo(chanceOf(both), chanceOf([one]), 1e-9)
      })
    ))

  it("more of the same signs since are less likely, and always possible: 0 < chance <= 1", () =>
    fc.assert(
      fc.property(fc.array(anyDivided(60), { minLength: 1, maxLength: 6 }), (platforms) => {
        const [first, ...others] = platforms
        if (first === undefined || first.signsBefore === 0 || first.signsSince === first.answersSince) return
        const more = { ...first, signsBefore: first.signsBefore - 1, signsSince: first.signsSince + 1 }
        const [less, chance] = [chanceOf([more, ...others]), chanceOf(platforms)]
        assert.isAbove(less, 0)
        assert.isAtMost(less, chance + 1e-12)
        assert.isAtMost(chance, 1)
      })
    ))

  it.each([
    [{ answersBefore: 20, signsBefore: 10, answersSince: 3, signsSince: 3 }, 286 / 1771],
    [{ answersBefore: 20, signsBefore: 0, answersSince: 3, signsSince: 3 }, 1 / 1771],
    [{ answersBefore: 5, signsBefore: 5, answersSince: 5, signsSince: 0 }, 1]
  ])("%j is %d", (divided, chance) => {
    assert.closeTo(chanceOf([divided]), chance, 1e-9)
  })
})
