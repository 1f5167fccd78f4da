/**
 * Planted faults, each seen red:
 * - rounding that favours one side; two decimal places
 * - a side without answers multiplied by zero; a share of the sum instead of the higher rate
 * - the winner not swapped; leader and other swapped, also if the second side leads
 * - angle brackets, quotes, bidirectional controls or entities of a name left in the sentence; every `&` removed; a long name in full
 * - a side without answers reported as having some; a verdict without any answer
 * - the wrong question beside a brand
 * - answers counted that do not name the brand
 */
import { compare, type Comparison, interpret, tally, type Tally } from "@sightline/domain/Compare"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { anyWords, assertQuoted } from "./quoted.ts"

const anyTally: fc.Arbitrary<Tally> = fc
  .nat({ max: 8 })
  .chain((answers) => fc.record({ answers: fc.constant(answers), mentions: fc.nat({ max: answers }) }))

const rate = ({ mentions, answers }: Tally) => (answers === 0 ? 0 : mentions / answers)
const swapped = { a: "b", b: "a", tie: "tie" } as const

const anySide = fc.record({ query: anyWords, brand: anyWords })
const anyComparison: fc.Arbitrary<Comparison> = fc.record({
  a: anySide,
  b: anySide,
  mode: fc.constantFrom("quick", "perplexity_live"),
  region: fc.constant("us")
})

describe("compare", () => {
  it("swapping the sides negates delta and swaps the winner", () =>
    fc.assert(
      fc.property(anyTally, anyTally, (a, b) => {
        const one = compare(a, b)
        const other = compare(b, a)
        assert.isTrue(one.deltaPct === -other.deltaPct)
        assert.strictEqual(one.winner, swapped[other.winner])
      })
    ))

  it("ties exactly when the rates are equal, and then delta is 0", () =>
    fc.assert(
      fc.property(anyTally, anyTally, (a, b) => {
        const { deltaPct, winner } = compare(a, b)
        assert.strictEqual(winner === "tie", Math.abs(rate(a) - rate(b)) < 1e-9)
        if (winner === "tie") assert.isTrue(Object.is(deltaPct, 0))
        else assert.strictEqual(winner, rate(a) > rate(b) ? "a" : "b")
      })
    ))

  it("keeps delta within ±100 with at most one decimal place", () =>
    fc.assert(
      fc.property(anyTally, anyTally, (a, b) => {
        const { deltaPct } = compare(a, b)
        assert.isAtMost(Math.abs(deltaPct), 100)
        assert.strictEqual(Number(deltaPct.toFixed(1)), deltaPct)
      })
    ))

  it("is the difference in per cent of the higher rate: (rate_a - rate_b) / max × 100", () =>
    fc.assert(
      fc.property(anyTally, anyTally, (a, b) => {
        const highest = Math.max(rate(a), rate(b))
        const expected = highest === 0 ? 0 : ((rate(a) - rate(b)) / highest) * 100
        assert.closeTo(compare(a, b).deltaPct, expected, 0.0501)
      })
    ))

  it.each([
    [{ mentions: 3, answers: 4 }, { mentions: 1, answers: 4 }, 66.7, "a"],
    [{ mentions: 1, answers: 4 }, { mentions: 4, answers: 4 }, -75, "b"],
    [{ mentions: 2, answers: 3 }, { mentions: 4, answers: 4 }, -33.3, "b"],
    [{ mentions: 2, answers: 4 }, { mentions: 1, answers: 2 }, 0, "tie"],
    [{ mentions: 0, answers: 0 }, { mentions: 1, answers: 4 }, -100, "b"],
    [{ mentions: 0, answers: 4 }, { mentions: 0, answers: 0 }, 0, "tie"]
  ] as const)("%j against %j is %d, %s", (a, b, deltaPct, winner) => {
    assert.deepEqual(compare(a, b), { deltaPct, winner })
  })
})

it("tally counts the answers, and those that name the brand", () => {
  assert.deepEqual(tally([{ mentioned: true }, { mentioned: false }, { mentioned: true }]), { mentions: 2, answers: 3 })
})

describe("interpret", () => {
  it("removes all markup, controls and quotes of the caller", () =>
    fc.assert(
      fc.property(anyComparison, anyTally, anyTally, (comparison, a, b) => {
        assertQuoted(interpret(comparison, a, b))
      })
    ))

  it("shortens long names and questions", () => {
    const long = { query: "q".repeat(500), brand: "b".repeat(120) }
    const other = { query: "o".repeat(500), brand: "c".repeat(120) }
    const comparison: Comparison = { a: long, b: other, mode: "quick", region: "us" }
    assert.isAtMost(interpret(comparison, { mentions: 1, answers: 4 }, { mentions: 2, answers: 4 }).length, 700)
  })

  it("leaves real company names unchanged", () => {
    for (const brand of [
      "AT&T",
      "Procter & Gamble",
      "McDonald's",
      "Yahoo!",
      "C&A; Sons",
      "Ørsted",
      "小米",
      "دیجی\u200cکالا"
    ])
      assert.include(
        interpret(
          { a: { query: "q", brand }, b: { query: "q", brand: "b" }, mode: "quick", region: "us" },
          { mentions: 1, answers: 1 },
          { mentions: 0, answers: 1 }
        ),
        brand === "C&A; Sons" ? "“C A; Sons”" : `“${brand}”`
      )
  })

  const comparison: Comparison = {
    a: { query: "best crm", brand: "Acme" },
    b: { query: "best crm", brand: "Globex" },
    mode: "quick",
    region: "us"
  }

  it.each([
    [
      [3, 4],
      [1, 3],
      "“Acme” was named in 3 of 4 answers, “Globex” was named in 1 of 3 answers. “Globex” is named 55.6 % less often than “Acme”."
    ],
    [
      [1, 4],
      [2, 4],
      "“Acme” was named in 1 of 4 answers, “Globex” was named in 2 of 4 answers. “Acme” is named 50 % less often than “Globex”."
    ],
    [
      [0, 4],
      [1, 1],
      "“Acme” was named in 0 of 4 answers, “Globex” was named in 1 of 1 answer. Only “Globex” was named."
    ],
    [
      [1, 100],
      [100, 100],
      "“Acme” was named in 1 of 100 answers, “Globex” was named in 100 of 100 answers. “Acme” is named 99 % less often than “Globex”."
    ],
    [[0, 0], [0, 0], "“Acme” got no answer, “Globex” got no answer."],
    [[3, 4], [0, 0], "“Acme” was named in 3 of 4 answers, “Globex” got no answer. Only “Acme” was named."],
    [[0, 2], [0, 0], "“Acme” was named in 0 of 2 answers, “Globex” got no answer. Neither was named."],
    [[0, 2], [0, 3], "“Acme” was named in 0 of 2 answers, “Globex” was named in 0 of 3 answers. Neither was named."],
    [
      [1, 2],
      [2, 4],
      "“Acme” was named in 1 of 2 answers, “Globex” was named in 2 of 4 answers. They are named equally often."
    ]
  ] as const)("for %j and %j states who is named more often, and the counts", (a, b, text) => {
    const [left, right] = [a, b].map(([mentions, answers]): Tally => ({ mentions, answers }))
    assert.strictEqual(interpret(comparison, left ?? assert.fail(), right ?? assert.fail()), text)
  })

  it("states the question of each side if the questions differ", () => {
    const two = { ...comparison, b: { query: "cheapest crm", brand: "Acme" } }
    assert.strictEqual(
      interpret(two, { mentions: 1, answers: 1 }, { mentions: 0, answers: 1 }),
      "“Acme” for “best crm” was named in 1 of 1 answer, “Acme” for “cheapest crm” was named in 0 of 1 answer. Only “Acme” for “best crm” was named."
    )
  })

  it("states the question of each side if the brands differ too", () => {
    const two = { ...comparison, b: { query: "cheapest crm", brand: "Globex" } }
    assert.strictEqual(
      interpret(two, { mentions: 0, answers: 1 }, { mentions: 1, answers: 1 }),
      "“Acme” for “best crm” was named in 0 of 1 answer, “Globex” for “cheapest crm” was named in 1 of 1 answer. Only “Globex” for “cheapest crm” was named."
    )
  })

  it("distinguishes the sides by letter if they look alike", () => {
    const query = (end: string) => `what is the best project management software for a small team in ${end}`
    const alike = { ...comparison, a: { query: query("law"), brand: "Acme" }, b: { query: query("IT"), brand: "Acme" } }
    const side = "“Acme” for “what is the best project management software for a small te…”"
    assert.strictEqual(
      interpret(alike, { mentions: 1, answers: 4 }, { mentions: 2, answers: 4 }),
      `${side} (a) was named in 1 of 4 answers, ${side} (b) was named in 2 of 4 answers. ${side} (a) is named 50 % less often than ${side} (b).`
    )
  })
})
