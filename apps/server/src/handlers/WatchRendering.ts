import type { WatchFired } from "@sightline/contract/WebhookPayload"
import type { Sighting } from "@sightline/domain/Check"
import { aggregateCitations } from "@sightline/domain/Citation"
import { toCents } from "@sightline/domain/Credits"
import type { Finding } from "@sightline/domain/Evidence"
import { type PlatformFailed, slotOf } from "@sightline/domain/Platform"
import type { RunMention } from "@sightline/domain/RunMention"
import type { Change } from "@sightline/domain/Trigger"
import type { CheckOutcome } from "@sightline/engine/CheckRunner"
import type { WatchRendering } from "@sightline/engine/WatchRunner"
import { renderCitation, renderPage } from "./AskRendering.ts"

type Current = WatchFired["current_response"]
type Provider = Current["providers"][number]

const renderMention = ({
  brand,
  platform,
  rank,
  sentiment,
  context
}: RunMention): Current["brand_mentions"][number] => ({
  brand,
  provider: slotOf(platform),
  rank,
  sentiment,
  context
})

const renderProvider = ({ platform, answer }: Sighting, millis: number): Provider => ({
  provider: slotOf(platform),
  model: answer.model,
  content: answer.raw,
  citations: answer.citations.map(renderCitation),
  tokens: answer.tokens ?? { input: 0, output: 0 },
  latency_ms: millis,
  ...(answer.surfacePresent === undefined ? {} : { surface_present: answer.surfacePresent })
})

const renderFailure = ({ platform, code, message }: PlatformFailed): Provider => ({
  provider: slotOf(platform),
  error: { code, message }
})

/** One entry for each platform of the check, in its order. */
const renderProviders = ({ check, sightings, millis, failures }: CheckOutcome): ReadonlyArray<Provider> => {
  const entries = new Map([
    ...sightings.map((seen) => [seen.platform, renderProvider(seen, millis.get(seen.platform) ?? 0)] as const),
    ...failures.map((failed) => [failed.platform, renderFailure(failed)] as const)
  ])
  return check.platforms.flatMap((platform) => entries.get(platform) ?? [])
}

const renderDelta = ({ delta }: Change): WatchFired["delta"] => ({
  new_brands: delta.newBrands,
  dropped_brands: delta.droppedBrands,
  rank_changes: delta.rankChanges.map(({ brand, fromRank, toRank }) => ({
    brand,
    from_rank: fromRank,
    to_rank: toRank
  })),
  top3_reordered: delta.top3Reordered
})

const renderFinding = ({ baselineRate, recentRate, runsSeen, runsSince, confidence }: Finding) => ({
  baseline_rate: baselineRate,
  recent_rate: recentRate,
  runs_seen: runsSeen,
  runs_since: runsSince,
  confidence
})

const renderEvidence = (findings: ReadonlyArray<Finding>, { triggers }: Change): Pick<WatchFired, "evidence"> => {
  const fired = findings.filter(({ trigger }) => triggers.includes(trigger))
  const first = fired.find(({ trigger }) => trigger === triggers[0])
  if (first === undefined) return {}
  const by_trigger = Object.fromEntries(fired.map((finding) => [finding.trigger, renderFinding(finding)]))
  return { evidence: { ...renderFinding(first), by_trigger } }
}

const renderCurrent = (outcome: CheckOutcome, mentions: ReadonlyArray<RunMention>): Current => ({
  providers: renderProviders(outcome),
  brand_mentions: mentions.map(renderMention),
  citations: aggregateCitations(
    outcome.sightings.map(({ platform, answer }) => ({ provider: platform, citations: answer.citations }))
  ).map(renderPage(slotOf)),
  usage: {
    billable_units: outcome.sightings.length,
    latency_ms: outcome.durationMillis,
    cost_cents: toCents(outcome.charge)
  }
})

/**
 * The payload of `watch.fired` without the value of `fired_at`, which only the recording statement knows.
 * Source: contract, "watch.fired".
 */
export const watchRendering: WatchRendering = ({ run, change, findings, previous, mentions, outcome }) => {
  const [trigger = "mention_added"] = change.triggers
  const evidence = run.sensitivity === "evidence" ? renderEvidence(findings, change) : {}
  const opening = { event: "watch.fired", watch_id: run.watchId, watch_name: `${run.query} × ${run.brand}` }
  const rest: Omit<WatchFired, "event" | "watch_id" | "watch_name" | "fired_at"> = {
    trigger,
    triggers_fired: change.triggers,
    run_id: run.id,
    diff_summary: change.summary,
    delta: renderDelta(change),
    previous_response: previous?.map(renderMention) ?? null,
    current_response: renderCurrent(outcome, mentions),
    ...evidence
  }
  return {
    head: `${JSON.stringify(opening).slice(0, -1)},"fired_at":"`,
    tail: `",${JSON.stringify(rest).slice(1)}`,
    told: JSON.stringify({ summary: change.summary, ...evidence })
  }
}
