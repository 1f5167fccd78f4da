/**
 * Planted faults, each seen red:
 * - a platform of one run counted as absent in the other
 * - citations compared in the first run; a rank compared with none; citations compared in one direction
 * - the top three judged by the new rank only, or up to the fourth
 * - triggers not filtered
 * - dropped brands taken from the added ones
 * - the caller's words not stripped
 * - up and down swapped
 * - sentences about triggers that did not fire
 * - the rank in a first run reported as the previous one
 */
import { compare } from "@sightline/domain/Trigger"
import { Platform } from "@sightline/domain/Platform"
import { type Showing, type Subject, Trigger, type WatchResult } from "@sightline/domain/Watch"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { anyWords, assertQuoted } from "./quoted.ts"

const subject: Subject = { query: "best crm", brand: "Acme", triggerOn: Trigger.literals }

const anyShowing = (platform: Platform): fc.Arbitrary<Showing> =>
  fc
    .record({
      rank: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 2 }),
      citations: fc.uniqueArray(fc.constantFrom("https://a.com", "https://b.com", "https://c.com"))
    })
    .map(({ rank, citations }) => ({ platform, present: rank !== null, rank, citations }))

const anyResult: fc.Arbitrary<WatchResult> = fc
  .subarray(Platform.literals.slice(0, 4), { minLength: 1 })
  .chain((platforms) => fc.tuple(...platforms.map(anyShowing)))

const anyTriggers = fc.subarray([...Trigger.literals])
const swapped: Readonly<Record<Trigger, Trigger>> = {
  mention_added: "mention_removed",
  mention_removed: "mention_added",
  rank_changed: "rank_changed",
  citation_changed: "citation_changed"
}
const nothing = { newBrands: [], droppedBrands: [], rankChanges: [], top3Reordered: false }

describe("compare", () => {
  it("equal runs have no difference: compare(r, r) = nothing, in any order of platforms and citations", () =>
    fc.assert(
      fc.property(anyResult, (result) => {
        const turned = result.toReversed().map(({ platform, present, rank, citations }) => ({
          platform,
          present,
          rank,
          citations: citations.toReversed()
        }))
        assert.deepEqual(compare(result, turned, subject), { triggers: [], delta: nothing, summary: "" })
      })
    ))

  it("swapping the runs swaps added and removed, and reverses every rank change", () =>
    fc.assert(
      fc.property(anyResult, anyResult, (a, b) => {
        const there = compare(a, b, subject)
        const back = compare(b, a, subject)
        assert.sameMembers(
          there.triggers.map((trigger) => swapped[trigger]),
          [...back.triggers]
        )
        assert.deepEqual(there.delta.newBrands, back.delta.droppedBrands)
        assert.strictEqual(there.delta.top3Reordered, back.delta.top3Reordered)
        assert.sameMembers(
          there.delta.rankChanges.map(({ platform, fromRank, toRank }) => `${platform} ${fromRank} ${toRank}`),
          back.delta.rankChanges.map(({ platform, fromRank, toRank }) => `${platform} ${toRank} ${fromRank}`)
        )
      })
    ))

  it("a platform in only one of the runs changes nothing", () =>
    fc.assert(
      fc.property(anyResult, anyResult, anyShowing("ai_mode"), (a, b, lone) => {
        assert.deepEqual(compare([...a, lone], b, subject), compare(a, b, subject))
        assert.deepEqual(compare(a, [lone, ...b], subject), compare(a, b, subject))
      })
    ))

  it("runs without a common platform have no difference", () =>
    fc.assert(
      fc.property(anyShowing("chatgpt_api"), anyShowing("claude_api"), (a, b) => {
        assert.deepEqual(compare([a], [b], subject).triggers, [])
      })
    ))

  it("a first run only reports the brand if it is named", () =>
    fc.assert(
      fc.property(anyResult, (result) => {
        const { triggers, delta } = compare(null, result, subject)
        const isNamed = result.some(({ present }) => present)
        assert.deepEqual(triggers, isNamed ? ["mention_added"] : [])
        assert.deepEqual(delta.newBrands, isNamed ? ["Acme"] : [])
        assert.deepEqual([delta.droppedBrands, delta.rankChanges], [[], []])
        assert.strictEqual(
          delta.top3Reordered,
          result.some(({ rank }) => rank !== null && rank <= 3)
        )
      })
    ))

  it("fires for each difference on a platform of both runs, each trigger once and in the contract's order", () =>
    fc.assert(
      fc.property(anyResult, anyResult, (a, b) => {
        const both = b.flatMap((is) => a.filter(({ platform }) => platform === is.platform).map((was) => ({ was, is })))
        const expected = {
          mention_added: both.some(({ was, is }) => was.rank === null && is.rank !== null),
          mention_removed: both.some(({ was, is }) => was.rank !== null && is.rank === null),
          rank_changed: both.some(({ was, is }) => was.rank !== null && is.rank !== null && was.rank !== is.rank),
          citation_changed: both.some(
            ({ was, is }) => was.citations.toSorted().join(" ") !== is.citations.toSorted().join(" ")
          )
        }
        assert.deepEqual(
          compare(a, b, subject).triggers,
          Trigger.literals.filter((trigger) => expected[trigger])
        )
      })
    ))

  it("fires only requested triggers, and the summary mentions no others", () =>
    fc.assert(
      fc.property(anyResult, anyResult, anyTriggers, (a, b, triggerOn) => {
        const all = compare(a, b, subject)
        const some = compare(a, b, { ...subject, triggerOn })
        assert.deepEqual(
          some.triggers,
          all.triggers.filter((trigger) => triggerOn.includes(trigger))
        )
        assert.deepEqual(some.delta, all.delta)
        assert.strictEqual(some.summary === "", some.triggers.length === 0)
        assert.strictEqual(some.summary.includes("page"), some.triggers.includes("citation_changed"))
        assert.strictEqual(some.summary.includes("place"), some.triggers.includes("rank_changed"))
      })
    ))

  it("the top three are reordered only by a rank change within them, into them or out of them", () => {
    const at = (rank: number | null): WatchResult => [
      { platform: "chatgpt_api", present: rank !== null, rank, citations: [] }
    ]
    const reorders = (from: number | null, to: number | null) => compare(at(from), at(to), subject).delta.top3Reordered
    assert.deepEqual(
      [
        reorders(1, 2),
        reorders(3, 4),
        reorders(null, 3),
        reorders(2, null),
        reorders(4, 5),
        reorders(null, 4),
        reorders(2, 2)
      ],
      [true, true, true, true, false, false, false]
    )
  })
})

describe("the summary", () => {
  it("removes all markup, controls and quotes of the caller", () =>
    fc.assert(
      fc.property(anyResult, anyResult, anyWords, anyWords, (a, b, query, brand) => {
        assertQuoted(compare(a, b, { ...subject, query, brand }).summary)
      })
    ))

  const showing = (platform: Platform, rank: number | null, ...citations: Array<string>): Showing => ({
    platform,
    present: rank !== null,
    rank,
    citations
  })

  it.each([
    [
      null,
      [showing("chatgpt_api", 2), showing("claude_api", 1)],
      "For “best crm”, ChatGPT and Claude now name “Acme”."
    ],
    [
      [
        showing("chatgpt_api", null),
        showing("claude_api", 1),
        showing("gemini_api", 3),
        showing("perplexity_api", 1, "a", "b")
      ],
      [
        showing("chatgpt_api", 2),
        showing("claude_api", null),
        showing("gemini_api", 1),
        showing("perplexity_api", 1, "b", "c", "d")
      ],
      "For “best crm”, ChatGPT now names “Acme”. Claude no longer names it. It moved up from 3rd to 1st place on Gemini. " +
        "Perplexity cites 2 new pages and no longer cites 1 page."
    ],
    [
      [showing("ai_overview", 1, "a"), showing("ai_mode", 12)],
      [showing("ai_overview", 2), showing("ai_mode", 11)],
      "For “best crm”, the brand “Acme” moved down from 1st to 2nd place on Google AI Overview and up from 12th to 11th place on Google AI Mode. " +
        "Google AI Overview no longer cites 1 page."
    ],
    [
      [showing("chatgpt_api", 1, "a", "b"), showing("claude_api", 1, "a"), showing("gemini_api", 1)],
      [showing("chatgpt_api", 1, "c"), showing("claude_api", 1, "d"), showing("gemini_api", 1, "e")],
      "For “best crm”, ChatGPT cites 1 new page and no longer cites 2 pages; " +
        "Claude cites 1 new page and no longer cites 1 page; Gemini cites 1 new page."
    ],
    [
      null,
      [showing("chatgpt_live", 1), showing("gemini_live", 1), showing("perplexity_live", 1)],
      "For “best crm”, ChatGPT, Gemini, and Perplexity now name “Acme”."
    ],
    [
      [showing("bing_copilot", null)],
      [showing("bing_copilot", null, "a")],
      "For “best crm”, Bing Copilot cites 1 new page."
    ]
  ] as const)("from %j to %j reads as a person writes", (previous, current, summary) => {
    assert.strictEqual(compare(previous, current, subject).summary, summary)
  })
})
