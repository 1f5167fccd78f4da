/**
 * What an evidence watch tells and forgets, of runs made so that one number decides.
 *
 * Planted and seen red: one change judged by what another has forgotten; a watch judged by who answered this time; only the platforms that changed
 * starting afresh; the place before taken of all runs; a place of long ago for that of the last runs; a plural of one; a delta of what is
 * not asked for.
 */
import { type EvidenceState, type Finding, noEvidence, weigh } from "@sightline/domain/Evidence"
import { changeOf } from "@sightline/domain/EvidenceChange"
import type { WatchResult } from "@sightline/domain/Watch"
import { assert, describe, it } from "vitest"
import { all, showing, subject } from "./showings.ts"

const alone = (rank: number | null, citations: ReadonlyArray<string> = []): WatchResult => [
  showing("chatgpt_api", rank, citations)
]
const times = (count: number, run: WatchResult) => Array.from({ length: count }, () => run)

const listen = (...runs: ReadonlyArray<WatchResult>) =>
  runs.reduce<{ readonly state: EvidenceState; readonly findings: ReadonlyArray<Finding> }>(
    ({ state, findings }, run) => {
      const heard = weigh(state, run)
      return { state: heard.state, findings: [...findings, ...heard.findings] }
    },
    { state: noEvidence, findings: [] }
  )
const triggersOf = ({ findings }: ReturnType<typeof listen>) => findings.map(({ trigger }) => trigger)

describe("weigh", () => {
  it("two changes of one run are each found once", () => {
    const changed = [...times(40, all(1, ["a", "b"])), ...times(10, all(null, ["c", "d"]))]
    assert.deepEqual(triggersOf(listen(...changed)), ["mention_removed", "citation_changed"])
  })

  it("a change that all platforms together show is the new normal of all of them", () => {
    const named = (rank: number | null) => [showing("chatgpt_api", null), ...all(rank).slice(1)]
    const { state, findings } = listen(...times(40, named(1)), named(null))
    assert.lengthOf(findings, 1)
    assert.deepEqual(
      state.tracks.filter(({ aspect }) => aspect === "presence").map(({ values }) => values.length),
      [1, 1, 1, 1]
    )
  })

  it("a watch of several platforms is judged as such while only one of them answers", () => {
    assert.deepEqual(triggersOf(listen(...times(24, alone(1)), ...times(3, alone(null)))), ["mention_removed"])
    assert.deepEqual(triggersOf(listen(...times(24, all(1)), ...times(3, alone(null)))), [])
  })

  it("the place before is that of the runs before, not of all", () => {
    // Of all fifteen the middle place is the second.
    const { findings } = listen(...times(6, alone(1)), ...times(4, alone(2)), ...times(5, alone(5)))
    assert.deepEqual(
      findings.map(({ trigger, places }) => [trigger, places]),
      [["rank_changed", [{ platform: "chatgpt_api", fromRank: 1, toRank: 5 }]]]
    )
  })
})

describe("changeOf", () => {
  const changed = (before: WatchResult, since: WatchResult, about = subject) =>
    changeOf(listen(...times(40, before), ...times(3, since)).findings, about)

  it("says since when a brand is at another place", () => {
    assert.strictEqual(
      changed(alone(5), alone(2)).summary,
      "For “best crm”, the brand “Acme” moved up from 5th to 2nd place on ChatGPT in the last 3 runs."
    )
  })

  it("says of one platform that it cites other pages", () => {
    assert.match(
      changed(alone(1, ["a"]), alone(1, ["c"])).summary,
      /^For “best crm”, ChatGPT cites other pages than before \(/
    )
  })

  it("has no rank change in the delta where none is asked for", () => {
    const { triggers, delta } = changed(all(5, ["a", "b"]), all(2, ["c", "d"]), {
      ...subject,
      triggerOn: ["citation_changed"]
    })
    assert.deepEqual(triggers, ["citation_changed"])
    assert.deepEqual(delta.rankChanges, [])
  })
})
