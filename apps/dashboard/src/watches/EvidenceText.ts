import type { RunList } from "@sightline/contract/WatchApi"
import { countText, percentText, wordText } from "@sightline/dashboard/text/Format"

/** The evidence for the triggers that a run fired. */
export type RunEvidence = NonNullable<RunList["runs"][number]["evidence"]>

const signs = new Map([
  ["mention_added", "answers that name the brand"],
  ["mention_removed", "answers that name the brand"],
  ["rank_changed", "answers with the brand beyond its usual place"],
  ["citation_changed", "cited pages that were known"]
])

// Rounded down, so that a probability below 1 is never shown as 100 %.
const exact = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 4, roundingMode: "floor" })

/** The evidence for each trigger that fired, from the watch's own history, in one sentence each. */
export const evidenceText = ({ by_trigger: byTrigger }: RunEvidence): ReadonlyArray<string> =>
  Object.entries(byTrigger).map(
    ([trigger, { baseline_rate: before, recent_rate: since, runs_seen: seen, runs_since: latest, confidence }]) =>
      `${wordText(trigger)}: ${signs.get(trigger) ?? "seen"} ${percentText(before)} over ${countText(seen)} runs, ` +
      `${percentText(since)} over the latest ${countText(latest)}; confidence ${exact.format(confidence)}`
  )
