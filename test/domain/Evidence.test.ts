/**
 * How an evidence watch weighs its runs, and what it tells of a change.
 *
 * Planted faults, each seen red:
 * - the false-alarm limit is 1 in 100, or 1 in a billion
 * - a run without answers is remembered
 * - a change is not forgotten, and so is found again
 * - there is no bound on what is remembered
 * - a failed platform counts as 0
 * - pages are learnt for ever
 * - one run is enough to compare with
 * - single platforms, or worse places, are not looked at
 * - platforms are listed that did not change, or the place of a brand that did not move
 * - a trigger that is not asked for is told
 * - a place is told where the brand was not named, or is no longer named
 * - the place since is taken from runs in which nothing had moved yet
 * - rates are of platforms that did not change, or of the places themselves
 * - pages are learnt from answers that cite none, or forgotten because of an answer that failed
 * - the first three are called reordered because of a trigger that is not told
 * - one change makes a watch forget every aspect of a platform, or one aspect of all platforms
 * - pages are not learnt again after others replaced them
 * - a brand that is named less often is told as no longer named
 * - one platform is judged by the rule for several, or several by the rule for one
 * - a platform that is looked at beside others is believed as soon as all of them together
 * - each answer counts as independent of the ones before it, or of the ones beside it
 */
import { EvidenceState, type Finding, noEvidence, weigh } from "@sightline/domain/Evidence"
import { changeOf } from "@sightline/domain/EvidenceChange"
import type { Platform } from "@sightline/domain/Platform"
import type { WatchResult } from "@sightline/domain/Watch"
import { type Dice, dice } from "@sightline/sandbox/Dice"
import { Schema } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { all, quick, showing, subject } from "./showings.ts"

/** The brand's place before and after, the same on every platform. */
const placed = (fromRank: number | null, toRank: number | null): Finding["places"] =>
  quick.map((platform) => ({ platform, fromRank, toRank }))

/** A run in which each answer names the brand with the same chance, at one of six places, and cites some of twenty pages. */
const noisy = (rolls: Dice, rate: number): WatchResult =>
  quick.map((platform) =>
    showing(
      platform,
      rolls.chance(rate) ? 1 + rolls.below(6) : null,
      Array.from({ length: 6 }, () => (rolls.chance(0.4) ? `passing ${rolls.next()}` : `page ${rolls.below(20)}`))
    )
  )

interface Heard {
  readonly state: EvidenceState
  readonly findings: ReadonlyArray<Finding>
  /** The run of each finding. */
  readonly runs: ReadonlyArray<number>
}

const listen = (runs: ReadonlyArray<WatchResult>, known: EvidenceState = noEvidence): Heard =>
  runs.reduce<Heard>(
    (heard, result, index) => {
      const { state, findings } = weigh(heard.state, result)
      return {
        state,
        findings: [...heard.findings, ...findings],
        runs: [...heard.runs, ...findings.map(() => index + 1)]
      }
    },
    { state: known, findings: [], runs: [] }
  )

const times = <A>(count: number, one: () => A): ReadonlyArray<A> => Array.from({ length: count }, one)
const triggersOf = ({ findings, runs }: Heard) => findings.map(({ trigger }, place) => `${trigger} ${runs[place]}`)

const anyRun: fc.Arbitrary<WatchResult> = fc
  .subarray([...quick])
  .chain((platforms) =>
    fc.tuple(
      ...platforms.map((platform) =>
        fc
          .tuple(fc.option(fc.integer({ min: 1, max: 5 })), fc.subarray(["a", "b", "c"]))
          .map(([rank, citations]) => showing(platform, rank, citations))
      )
    )
  )

describe("weigh", () => {
  it("equal runs never lead to a finding, however many there are", () =>
    fc.assert(
      fc.property(anyRun, (run) => {
        assert.deepEqual(listen(times(70, () => run)).findings, [])
      }),
      { numRuns: 10 }
    ))

  it("a run without answers changes nothing: weigh(s, []) = s", () =>
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 8 }), (runs) => {
        const { state } = listen(runs)
        assert.deepEqual(weigh(state, []), { state, findings: [] })
      })
    ))

  it("the state is bounded, and survives storing", () => {
    const rolls = dice("stored")
    const { state } = listen(times(200, () => noisy(rolls, 0.5)))
    assert.isAtMost(Math.max(...state.tracks.map(({ values }) => values.length)), 64)
    assert.isAtMost(JSON.stringify(state).length, 16_384)
    const codec = Schema.fromJsonString(EvidenceState)
    assert.deepEqual(Schema.decodeSync(codec)(Schema.encodeSync(codec)(state)), state)
  })

  it("finds on the first run, and only once, that a brand that was always named is gone", () => {
    const gone = listen([...times(20, () => all(1)), ...times(30, () => all(null))])
    assert.deepEqual(triggersOf(gone), ["mention_removed 21"])
    const [finding] = gone.findings
    assert.deepInclude(finding, { baselineRate: 1, recentRate: 0, runsSeen: 20, runsSince: 1 })
    assert.isAbove(finding?.confidence ?? 0, 0.9999)
    assert.deepEqual(finding?.places, placed(1, null))
  })

  it("counts as seen only the runs that gave evidence, not those that pages are learnt from", () => {
    const { findings } = listen([...times(18, () => all(1, ["a", "b"])), ...times(8, () => all(1, ["c", "d"]))])
    const [finding] = findings
    assert.deepInclude(finding, { trigger: "citation_changed", baselineRate: 1, recentRate: 0 })
    assert.strictEqual(finding?.runsSeen, 6)
  })

  it("learns the pages again that replaced others, and finds the next change", () => {
    const from = (...pages: ReadonlyArray<string>) => times(26, () => all(1, pages))
    assert.lengthOf(listen([...from("a", "b"), ...from("c", "d"), ...from("e", "f")]).findings, 2)
  })

  it("finds that a brand is named again", () => {
    const there = listen([...times(20, () => all(1)), ...times(20, () => all(null)), ...times(5, () => all(1))])
    assert.deepEqual(triggersOf(there), ["mention_removed 21", "mention_added 41"])
    assert.deepEqual(there.findings[1]?.places, placed(null, 1))
  })

  it("finds nothing before there are runs to compare with", () => {
    assert.deepEqual(listen([all(1), all(1), all(1), all(1), all(null)]).findings, [])
    assert.deepEqual(listen([all(1)]).findings, [])
    const six: ReadonlyArray<Platform> = [...quick, "ai_mode", "ai_overview"]
    assert.deepEqual(triggersOf(listen([...times(4, () => all(1, [], six)), all(null, [], six)])), [])
    assert.deepEqual(triggersOf(listen([...times(5, () => all(1, [], six)), all(null, [], six)])), [
      "mention_removed 6"
    ])
  })

  it("lists only the platforms on which the change shows", () => {
    const withThree = (rank: number | null) => [...all(rank, [], quick.slice(1)), showing("chatgpt_api", null)]
    const { findings } = listen([...times(40, () => withThree(1)), withThree(null)])
    assert.deepEqual(
      findings.map(({ places }) => places.map(({ platform }) => platform)),
      [quick.slice(1)]
    )
    assert.deepInclude(findings[0], { baselineRate: 1, recentRate: 0 })
  })

  it("compares pages with those of the first 12 runs: pages cited later do not become known", () => {
    const rolls = dice("learnt")
    const runs = times(40, () => noisy(rolls, 0.5))
    assert.deepEqual(listen(runs).state.pages, listen(runs.slice(0, 12)).state.pages)
    assert.notDeepEqual(listen(runs).state.pages, listen(runs.slice(0, 11)).state.pages)
  })

  it("learns no pages from answers that cite none, and forgets none because of answers that failed", () => {
    const silent = times(12, () => all(1))
    const { findings } = listen([
      ...silent,
      ...times(18, () => all(1, ["a", "b"])),
      ...times(1, () => all(1, ["a"], quick.slice(1))),
      ...times(8, () => all(1, ["c", "d"]))
    ])
    assert.deepEqual(
      findings.map(({ trigger, places }) => [trigger, places.length]),
      [["citation_changed", 4]]
    )
  })

  it("a platform that starts to fail is no removal", () => {
    const runs = [...times(30, () => all(1)), ...times(30, () => all(1, [], quick.slice(1)))]
    assert.deepEqual(listen(runs).findings, [])
  })

  it("finds that a single platform dropped the brand, and lists that platform", () => {
    const rolls = dice("one platform")
    const dropped = (run: number) =>
      quick.map((platform) =>
        showing(platform, platform === "chatgpt_api" && run >= 40 ? null : rolls.chance(0.95) ? 1 : null)
      )
    const heard = listen(Array.from({ length: 56 }, (_, run) => dropped(run)))
    const removal = heard.findings.find(({ trigger }) => trigger === "mention_removed")
    assert.deepEqual(
      removal?.places.map(({ platform }) => platform),
      ["chatgpt_api"]
    )
    assert.match(triggersOf(heard).join(), /mention_removed 4[1-8]/)
    const remembered = (aspect: string) =>
      heard.state.tracks.filter((track) => track.aspect === aspect).map(({ values }) => values.length)
    const [since = 0, ...others] = remembered("presence")
    assert.isBelow(since, 40)
    assert.deepEqual([...others, ...remembered("place")], [56, 56, 56, 56, 56, 56, 56])
  })

  it("finds a new place, and gives the place before and since", () => {
    const rolls = dice("places")
    const around = (place: number) => () => all(null).map(({ platform }) => showing(platform, place + rolls.below(3)))
    const { findings } = listen([...times(30, around(1)), ...times(8, around(5))])
    assert.deepEqual(
      findings.map(({ trigger }) => trigger),
      ["rank_changed"]
    )
    for (const { fromRank, toRank } of findings[0]?.places ?? []) {
      assert.isTrue(fromRank !== null && fromRank <= 3 && toRank !== null && toRank >= 5)
    }
  })

  it("gives as the place since that of the answers that moved, not the usual place of the others", () => {
    const half = (moved: ReadonlyArray<Platform>) => () =>
      quick.map((platform) => showing(platform, moved.includes(platform) ? 4 : 1))
    const { findings } = listen([
      ...times(40, () => all(1)),
      ...times(1, half(quick.slice(0, 2))),
      ...times(1, half(quick.slice(2)))
    ])
    assert.deepEqual(
      findings.map(({ trigger, places }) => [trigger, places]),
      [["rank_changed", placed(1, 4)]]
    )
    assert.deepInclude(findings[0], { baselineRate: 0, recentRate: 0.5 })
  })

  it("gives no place of a brand that is not named, whatever else is found", () => {
    const { findings } = listen([...times(18, () => all(null, ["a", "b"])), ...times(8, () => all(null, ["c", "d"]))])
    assert.deepEqual(
      findings.map(({ trigger, places }) => [trigger, places]),
      [["citation_changed", placed(null, null)]]
    )
  })

  it("finds that other pages are cited, but not that each run cites a different choice of the same pages", () => {
    const rolls = dice("pages")
    const from = (site: string) => () =>
      quick.map((platform) =>
        showing(
          platform,
          1,
          times(5, () => `https://${site}/${rolls.below(15)}`)
        )
      )
    const { findings, runs } = listen([...times(40, from("old")), ...times(4, from("new"))])
    assert.deepEqual(
      findings.map(({ trigger }) => trigger),
      ["citation_changed"]
    )
    assert.isAbove(runs[0] ?? 0, 40)
  })

  it("at most 5 % of unchanged watches ever fire in 100 runs, at any rate of mention", () => {
    const alarmed = [0.3, 0.6, 0.9].flatMap((rate) =>
      Array.from({ length: 10 }, (_, watch) => {
        const rolls = dice("unchanged", rate, watch)
        return listen(times(100, () => noisy(rolls, rate))).findings.length > 0
      })
    )
    assert.isAtMost(alarmed.filter(Boolean).length, 1)
  })

  it("a removal on the only platform of a watch is believed sooner than one on one of several platforms", () => {
    const alone = (rank: number | null) => all(rank, [], ["chatgpt_api"])
    const among = (rank: number | null) => [...alone(rank), ...all(1, [], quick.slice(1))]
    const after = (known: number, run: typeof alone) =>
      triggersOf(listen([...times(known, () => run(1)), ...times(3, () => run(null))]))
    assert.deepEqual(after(24, alone), ["mention_removed 27"])
    assert.deepEqual(after(20, alone), [])
    assert.deepEqual(after(24, among), [])
  })

  it("with four platforms, a single one needs four times the certainty of all of them together", () => {
    const lively = (run: number, isNamed: boolean) =>
      quick.map((platform, place) => showing(platform, (place === 0 ? isNamed : (run + place) % 2 === 0) ? 1 : null))
    // Three silent runs after 46 have a chance of 1 in C(49, 3) = 18,424; four have 1 in 230,300. The limit is 1 in 10,000.
    const silent = listen(Array.from({ length: 50 }, (_, run) => lively(run, run < 46)))
    assert.deepEqual(triggersOf(silent), ["mention_removed 50"])
  })

  it("answers that often repeat the previous run, or those of other platforms, do not count as independent", () => {
    const alarmed = (run: (rolls: Dice, last: WatchResult) => WatchResult) =>
      Array.from({ length: 20 }, (_, watch) => {
        const rolls = dice("alike", watch)
        const runs: Array<WatchResult> = []
        for (let count = 0; count < 80; count++) runs.push(run(rolls, runs.at(-1) ?? noisy(rolls, 0.5)))
        return listen(runs).findings.length > 0
      }).filter(Boolean).length
    const again = alarmed((rolls, last) =>
      noisy(rolls, 0.5).map((is, at) => (rolls.chance(0.5) ? (last[at] ?? is) : is))
    )
    const beside = alarmed((rolls) =>
      noisy(rolls, 0.5).map(({ platform }, at, run) =>
        showing(platform, run[at % 2]?.rank ?? null, run[at % 2]?.citations)
      )
    )
    assert.isAtMost(again, 3)
    assert.isAtMost(beside, 2)
  })

  it("a brand that eight of ten answers named is found missing within 3 runs in 9 of 10 watches", () => {
    const found = Array.from({ length: 20 }, (_, watch) => {
      const rolls = dice("removed", watch)
      const { state } = listen(times(40, () => noisy(rolls, 0.8)))
      return triggersOf(
        listen(
          times(3, () => noisy(rolls, 0)),
          state
        )
      ).some((fired) => fired.startsWith("mention_removed"))
    })
    assert.isAtLeast(found.filter(Boolean).length, 18)
  })
})

describe("changeOf", () => {
  const changed = (before: WatchResult, since: WatchResult, about = subject) => {
    const { state } = listen(times(40, () => before))
    return changeOf(weigh(state, since).findings, about)
  }

  it("gives a removal as the contract's delta and in words", () => {
    assert.deepEqual(changed(all(1), all(null)), {
      triggers: ["mention_removed"],
      delta: { newBrands: [], droppedBrands: ["Acme"], rankChanges: [], top3Reordered: true },
      summary:
        "For “best crm”, ChatGPT, Claude, Gemini, and Perplexity no longer name “Acme” (in 0 % of answers in the last run, 100 % in the 40 runs before)."
    })
  })

  it('says "less often" or "more often" of a brand that is still named in some answers', () => {
    const half = () => quick.map((platform, at) => showing(platform, at < 2 ? 1 : null))
    const odd = () => quick.map((platform, at) => showing(platform, at < 2 ? null : 1))
    const told = (before: ReadonlyArray<WatchResult>, since: ReadonlyArray<WatchResult>) => {
      const { findings } = listen([...before, ...since])
      return changeOf(findings, subject).summary
    }
    assert.strictEqual(
      told(
        times(40, () => all(1)),
        [half(), odd()]
      ),
      "For “best crm”, ChatGPT, Claude, Gemini, and Perplexity now name “Acme” less often (in 50 % of answers in the last 2 runs, 100 % in the 40 runs before)."
    )
    assert.strictEqual(
      told([...times(10, () => all(null)), half(), odd(), ...times(28, () => all(null))], [all(1), all(1)]),
      "For “best crm”, ChatGPT, Claude, Gemini, and Perplexity now name “Acme” more often (in 100 % of answers in the last 2 runs, 3 % in the 40 runs before)."
    )
  })

  it("gives a new place as one rank change per platform", () => {
    const { triggers, delta, summary } = changed(all(5), all(2))
    assert.deepEqual(triggers, ["rank_changed"])
    assert.deepEqual(
      delta.rankChanges,
      quick.map((platform) => ({ platform, brand: "Acme", fromRank: 5, toRank: 2 }))
    )
    assert.isTrue(delta.top3Reordered)
    assert.include(summary, "“Acme” moved up from 5th to 2nd place on ChatGPT, up from 5th to 2nd place on Claude")
  })

  it("describes other cited pages without a word on the brand", () => {
    const { triggers, delta, summary } = changed(all(1, ["a", "b"]), all(1, ["c", "d"]))
    assert.deepEqual(triggers, ["citation_changed"])
    assert.deepEqual(delta, { newBrands: [], droppedBrands: [], rankChanges: [], top3Reordered: false })
    assert.strictEqual(
      summary,
      "For “best crm”, ChatGPT, Claude, Gemini, and Perplexity cite other pages than before (100 % of them new in the last run, 0 % in the 28 runs before)."
    )
    const alone = changed(all(5, ["a", "b"]), all(2, ["c", "d"]), { ...subject, triggerOn: ["citation_changed"] })
    assert.isFalse(alone.delta.top3Reordered)
  })

  it("has no delta and no summary where nothing that is asked for was found", () => {
    const nothing = {
      triggers: [],
      delta: { newBrands: [], droppedBrands: [], rankChanges: [], top3Reordered: false },
      summary: ""
    }
    assert.deepEqual(changeOf([], subject), nothing)
    assert.deepEqual(changed(all(1), all(null), { ...subject, triggerOn: ["rank_changed"] }), nothing)
  })
})
