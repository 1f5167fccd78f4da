/**
 * Planted and seen red:
 * - a sum that keeps only its last count
 * - platforms without a series; buckets out of order
 * - the mean rank over all answers
 * - shares that do not add up, or leave out the brands that are not listed singly
 * - the followed brand pushed off the list
 * - legal forms and case treated as a difference
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Platform } from "@sightline/domain/Platform"
import { type AnswerCount, sharesOf } from "@sightline/domain/Shares"
import { shareOfVoice } from "@sightline/domain/ShareOfVoice"
import { wilson } from "@sightline/domain/Wilson"

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const anyCount: fc.Arbitrary<AnswerCount> = fc
  .record({
    bucket: fc.constantFrom("2026-11-02T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-03T00:00:00Z"),
    platform: fc.constantFrom(...Platform.literals),
    answers: fc.integer({ min: 1, max: 1000 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    rank: fc.integer({ min: 1, max: 9 })
  })
  .map(({ bucket, platform, answers, part, rank }) => {
    const mentions = Math.round(part * answers)
    return { bucket, platform, answers, mentions, ranked: mentions, rankSum: rank * mentions }
  })
const anyCounts = fc.array(anyCount, { maxLength: 40 })

describe("sharesOf", () => {
  it("total = Σ series = Σ platforms = Σ of the platforms' series, in answers and mentions", () =>
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const { total, series, platforms } = sharesOf(counts)
        const ways = [counts, series, platforms, platforms.flatMap((one) => one.series)]
        for (const of of ways) {
          assert.strictEqual(sum(of.map(({ answers }) => answers)), total.answers)
          assert.strictEqual(sum(of.map(({ mentions }) => mentions)), total.mentions)
        }
        for (const one of platforms) assert.strictEqual(sum(one.series.map(({ answers }) => answers)), one.answers)
      })
    ))

  it("has each bucket and each platform once, sorted", () =>
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const { series, platforms } = sharesOf(counts)
        const sorted = (of: ReadonlyArray<string>) => [...new Set(of)].sort()
        assert.deepStrictEqual(
          series.map(({ bucket }) => bucket),
          sorted(counts.map(({ bucket }) => bucket))
        )
        assert.deepStrictEqual(
          platforms.map(({ platform }) => platform),
          sorted(counts.map(({ platform }) => platform))
        )
      })
    ))

  it("the estimate counts the answers that name the brand, ranked or not", () =>
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const { total, series } = sharesOf(counts.map((count) => ({ ...count, ranked: 0, rankSum: 0 })))
        for (const { answers, mentions, estimate } of [total, ...series])
          assert.deepStrictEqual(estimate, wilson(mentions, answers))
      })
    ))

  it("mean rank = Σ ranks / ranked answers, and null without any", () => {
    const count = { bucket: "b", platform: "ai_mode", answers: 10, mentions: 3, ranked: 3, rankSum: 8 } as const
    assert.strictEqual(sharesOf([count, { ...count, bucket: "c" }]).total.meanRank, 16 / 6)
    assert.strictEqual(sharesOf([{ ...count, ranked: 2 }]).total.meanRank, 4)
    assert.isNull(sharesOf([{ ...count, ranked: 0, rankSum: 0 }]).total.meanRank)
    assert.isNull(sharesOf([{ ...count, mentions: 0, ranked: 0, rankSum: 0 }]).total.meanRank)
    assert.deepStrictEqual(sharesOf([]).total, { answers: 0, mentions: 0, estimate: null, meanRank: null })
  })
})

describe("voices", () => {
  const anyName = fc.constantFrom("Acme", "Globex", "Initech", "Hooli", "Umbra Labs", "Vandelay", "Zorg")
  const anyNamings = fc.array(fc.record({ name: anyName, answers: fc.integer({ min: 1, max: 99 }) }), { maxLength: 20 })

  it("Σ share = 1 over all brands, and share = answers / Σ answers", () =>
    fc.assert(
      fc.property(anyNamings, fc.nat(99), (namings, own) => {
        const found = shareOfVoice({ name: "Acme", answers: own }, namings, 100)
        const total = sum(found.map(({ answers }) => answers))
        if (total > 0) assert.closeTo(sum(found.map(({ share }) => share)), 1, 1e-9)
        for (const { answers, share } of found) assert.strictEqual(share, total === 0 ? 0 : answers / total)
      })
    ))

  it("lists at most so many, the most named first, and always the own brand, once", () =>
    fc.assert(
      fc.property(anyNamings, fc.nat(99), fc.integer({ min: 1, max: 5 }), (namings, own, most) => {
        const found = shareOfVoice({ name: "ACME Inc.", answers: own }, namings, most)
        assert.isAtMost(found.length, most)
        assert.deepStrictEqual(
          found.filter((voice) => voice.own).map(({ name, answers }) => [name, answers]),
          [["ACME Inc.", own]]
        )
        const answers = found.map((voice) => voice.answers)
        assert.deepStrictEqual(
          answers.slice(0, -1),
          answers.slice(0, -1).toSorted((a, b) => b - a)
        )
        assert.notInclude(
          found.filter((voice) => !voice.own).map(({ name }) => name),
          "Acme"
        )
      })
    ))

  it("counts the brands that are not listed singly in all shares, and lists none of them", () => {
    assert.deepStrictEqual(
      shareOfVoice({ name: "Acme", answers: 1 }, [{ name: "Globex", answers: 4 }], 10, 5).map(({ name, share }) => [
        name,
        share
      ]),
      [
        ["Globex", 0.4],
        ["Acme", 0.1]
      ]
    )
  })

  it("sorts equal counts by name, with shares of all namings, listed or not", () => {
    const namings = ["Globex", "Initech", "Hooli", "Zorg"].map((name) => ({ name, answers: 5 }))
    const shown = (most: number, answers: number) =>
      shareOfVoice({ name: "Acme", answers }, namings, most).map(({ name, share }) => [name, share])
    assert.deepStrictEqual(shown(2, 5), [
      ["Acme", 0.2],
      ["Globex", 0.2]
    ])
    assert.deepStrictEqual(shown(4, 0), [
      ["Globex", 0.25],
      ["Hooli", 0.25],
      ["Initech", 0.25],
      ["Acme", 0]
    ])
    assert.deepStrictEqual(
      shareOfVoice({ name: "Acme", answers: 5 }, namings.toReversed(), 2).map(({ name }) => name),
      ["Acme", "Globex"]
    )
  })

  it("the commonest spelling is the one in most answers, counted across platforms", () => {
    const namings = [
      { name: "Nestlé", answers: 2 },
      { name: "NESTLÉ", answers: 3 },
      { name: "Nestlé", answers: 2 }
    ]
    assert.deepStrictEqual(
      shareOfVoice({ name: "Acme", answers: 0 }, namings, 2).map(({ name }) => name),
      ["Nestlé", "Acme"]
    )
  })

  it("merges spellings of one brand under the commonest", () => {
    const namings = [
      { name: "Nestlé", answers: 3 },
      { name: "nestle", answers: 1 },
      { name: "NESTLÉ", answers: 2 },
      { name: "Globex Inc.", answers: 2 },
      { name: "Globex", answers: 5 }
    ]
    assert.deepStrictEqual(
      shareOfVoice({ name: "Acme", answers: 1 }, namings, 10).map(({ name, answers }) => [name, answers]),
      [
        ["Globex", 7],
        ["Nestlé", 6],
        ["Acme", 1]
      ]
    )
  })
})
