/**
 * A run's evidence in words.
 *
 * Planted fault, seen red: the confidence is rounded to the nearest value, so that a high probability is shown as certainty.
 */
import { assert, it } from "vitest"
import { evidenceText } from "@sightline/dashboard/watches/EvidenceText"

const percent = (share: number) =>
  new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 4 }).format(share)

const certainty = { baseline_rate: 0.934, recent_rate: 0, runs_seen: 14, runs_since: 3, confidence: 0.9999421 }

it("each trigger has a sentence with its rates, its runs and its confidence", () => {
  assert.deepEqual(
    evidenceText({
      ...certainty,
      by_trigger: { mention_removed: certainty, rank_changed: { ...certainty, recent_rate: 1 } }
    }),
    [
      `mention removed: answers that name the brand ${percent(0.93)} over 14 runs, ${percent(0)} over the latest 3; confidence ${percent(0.999942)}`,
      `rank changed: answers with the brand beyond its usual place ${percent(0.93)} over 14 runs, ${percent(1)} over the latest 3; confidence ${percent(0.999942)}`
    ]
  )
})

it("a confidence just below certainty is not shown as certain", () => {
  const [sentence = ""] = evidenceText({
    ...certainty,
    by_trigger: { mention_added: { ...certainty, confidence: 0.99999999 } }
  })
  assert.include(sentence, `confidence ${percent(0.999999)}`)
})
