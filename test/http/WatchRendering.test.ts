/**
 * The evidence in a payload of `watch.fired`, for any findings and any triggers of the watch.
 *
 * Planted and seen red: evidence of triggers that the watch does not have; the rates of the last trigger in place of those of the first;
 * evidence sent to a watch that fires on every change; tokens in the payload although no engine counted any.
 */
import type { Finding } from "@sightline/domain/Evidence"
import { changeOf } from "@sightline/domain/EvidenceChange"
import { AccountId } from "@sightline/domain/Account"
import { zero } from "@sightline/domain/Credits"
import { Trigger } from "@sightline/domain/Watch"
import type { CheckOutcome } from "@sightline/engine/CheckRunner"
import { sightingOf } from "@sightline/engine/Sightings"
import { watchRendering } from "@sightline/server/handlers/WatchRendering"
import type { RunJob } from "@sightline/store/RunJobs"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { assert, it } from "vitest"

const findings: ReadonlyArray<Finding> = Trigger.literals.map((trigger, place) => ({
  trigger,
  places: [{ platform: "chatgpt_api", fromRank: 1, toRank: 4 }],
  baselineRate: place / 10,
  recentRate: 1,
  runsSeen: 20 + place,
  runsSince: 2,
  confidence: 0.9999
}))

const job: RunJob = {
  id: "run",
  watchId: "watch",
  attempt: 1,
  tries: 1,
  late: 0,
  accountId: AccountId.make("00000000-0000-4000-8000-000000000000"),
  environment: "live",
  query: "best tools",
  brand: "Acme",
  mode: "quick",
  triggerOn: Trigger.literals,
  sensitivity: "evidence"
}

const outcome: CheckOutcome = {
  id: "check",
  check: { query: job.query, brand: job.brand, mode: "quick", platforms: ["chatgpt_api"], region: "us", models: {} },
  createdAt: DateTime.makeUnsafe(0),
  durationMillis: 5,
  sightings: [],
  millis: new Map(),
  failures: [],
  charge: zero,
  cache: "miss"
}

const payloadOf = (run: RunJob, found: ReadonlyArray<Finding>, of = outcome) => {
  const change = changeOf(found, run)
  const { head, tail } = watchRendering({ run, change, findings: found, previous: null, mentions: [], outcome: of })
  return { change, payload: JSON.parse(`${head}2026-01-01T00:00:00.000Z${tail}`) }
}

const ratesOf = ({ baselineRate, recentRate, runsSeen, runsSince, confidence }: Finding) => ({
  baseline_rate: baselineRate,
  recent_rate: recentRate,
  runs_seen: runsSeen,
  runs_since: runsSince,
  confidence
})

it("evidence names only the triggers that fired: it has the rates of the first, and one entry by name for each", () =>
  fc.assert(
    fc.property(fc.subarray([...findings]), fc.subarray([...Trigger.literals]), (found, triggerOn) => {
      const { change, payload } = payloadOf({ ...job, triggerOn }, found)
      const fired = found.filter(({ trigger }) => triggerOn.includes(trigger))
      const [first] = fired
      const by_trigger = Object.fromEntries(fired.map((finding) => [finding.trigger, ratesOf(finding)]))
      assert.deepEqual(
        change.triggers,
        fired.map(({ trigger }) => trigger)
      )
      assert.deepEqual(payload.evidence, first === undefined ? undefined : { ...ratesOf(first), by_trigger })
    })
  ))

it("a watch that fires on every change gets no evidence", () => {
  const { payload } = payloadOf({ ...job, sensitivity: "every_change" }, findings)
  assert.notProperty(payload, "evidence")
})

it("an answer whose tokens nobody counted has none", () => {
  const answer = { text: "Acme", raw: "Acme", citations: [], fanOut: [], brandEntities: [] }
  const said = { ...answer, searched: true, model: "", finish: "stop" } as const
  const seen = { ...outcome, sightings: [sightingOf("chatgpt_api", said, "Acme")] }
  const { payload } = payloadOf(job, findings, seen)
  assert.deepEqual(payload.current_response.providers[0].tokens, { input: 0, output: 0 })
})
