/**
 * What an evidence watch tells and forgets, on runs made so that one number decides.
 *
 * Planted and seen red:
 * - one change is judged by what another change has forgotten
 * - a watch is judged by the platforms that answered this time
 * - only the platforms that changed start afresh
 * - the place before is taken from all runs
 * - a place of long ago is given as that of the last runs
 * - a singular is written as a plural
 * - the delta holds a change that is not asked for
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
  it("two changes in one run are each found once", () => {
    const changed = [...times(40, all(1, ["a", "b"])), ...times(10, all(null, ["c", "d"]))]
    assert.deepEqual(triggersOf(listen(...changed)), ["mention_removed", "citation_changed"])
  })

  it("a change that all platforms show together becomes the new normal of every platform", () => {
    const named = (rank: number | null) => [showing("chatgpt_api", null), ...all(rank).slice(1)]
    const { state, findings } = listen(...times(40, named(1)), named(null))
    assert.lengthOf(findings, 1)
    assert.deepEqual(
      state.tracks.filter(({ aspect }) => aspect === "presence").map(({ values }) => values.length),
      [1, 1, 1, 1]
    )
  })

  it("a watch of several platforms is judged as one of several even while only one of them answers", () => {
    assert.deepEqual(triggersOf(listen(...times(24, alone(1)), ...times(3, alone(null)))), ["mention_removed"])
    assert.deepEqual(triggersOf(listen(...times(24, all(1)), ...times(3, alone(null)))), [])
  })

  it("the place before is the usual place of the latest runs before the change, not of all runs", () => {
    // Over all fifteen runs the median place is 2.
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

  it("says for how many runs a brand has had another place", () => {
    assert.strictEqual(
      changed(alone(5), alone(2)).summary,
      "For “best crm”, the brand “Acme” moved up from 5th to 2nd place on ChatGPT in the last 3 runs."
    )
  })

  it("says that a single platform cites other pages", () => {
    assert.match(
      changed(alone(1, ["a"]), alone(1, ["c"])).summary,
      /^For “best crm”, ChatGPT cites other pages than before \(/
    )
  })

  it("has no rank change in the delta where that trigger is not asked for", () => {
    const { triggers, delta } = changed(all(5, ["a", "b"]), all(2, ["c", "d"]), {
      ...subject,
      triggerOn: ["citation_changed"]
    })
    assert.deepEqual(triggers, ["citation_changed"])
    assert.deepEqual(delta.rankChanges, [])
  })
})
