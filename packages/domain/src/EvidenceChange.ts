import { joinSentences, listed, moved, named, type Sentence } from "./DiffSummary.ts"
import type { Finding } from "./Evidence.ts"
import { type Change, type RankChange, reordersTop3 } from "./Trigger.ts"
import type { Subject } from "./Watch.ts"

const percent = (share: number): string => `${Math.round(100 * share)} %`
const runs = (count: number): string => (count === 1 ? "run" : `${count} runs`)

const rankChangesOf = ({ trigger, places }: Finding, brand: string): ReadonlyArray<RankChange> =>
  trigger !== "rank_changed"
    ? []
    : places.flatMap(({ platform, fromRank, toRank }) =>
        fromRank === null || toRank === null ? [] : [{ platform, brand, fromRank, toRank }]
      )

// Rates may change without beginning or ending at zero: a brand that is still named is not reported as no longer named.
const extentOf = ({ trigger, baselineRate, recentRate }: Finding) => {
  if (trigger === "mention_added") return { adverb: "now", extent: baselineRate === 0 ? "" : " more often" }
  return recentRate === 0 ? { adverb: "no longer", extent: "" } : { adverb: "now", extent: " less often" }
}

const sentenceOf = (finding: Finding, brand: string): Sentence => {
  const { trigger, baselineRate, recentRate, runsSeen, runsSince } = finding
  const platforms = finding.places.map(({ platform }) => platform)
  const recently = `in the last ${runs(runsSince)}`
  const before = `in the ${runs(runsSeen)} before`
  switch (trigger) {
    case "mention_added":
    case "mention_removed": {
      const { adverb, extent } = extentOf(finding)
      // The first word separates the figure from a name that is written from right to left.
      const rates = `in ${percent(recentRate)} of answers ${recently}, ${percent(baselineRate)} ${before}`
      return (called) => `${named(platforms, adverb)(called)}${extent} (${rates})`
    }
    case "rank_changed":
      return (called) => `${moved(rankChangesOf(finding, brand))(called)} ${recently}`
    case "citation_changed": {
      const cite = platforms.length === 1 ? "cites" : "cite"
      return () =>
        `${listed(platforms)} ${cite} other pages than before ` +
        `(${percent(1 - recentRate)} of them new ${recently}, ${percent(1 - baselineRate)} ${before})`
    }
  }
}

/**
 * What a run reports of the changes that were found beyond noise.
 *
 * Shape: findings as `weigh` returns them, at most one for each trigger and in their order.
 * Laws: without a finding of a requested trigger nothing is reported; the summary is made like that of `compare`.
 * Source: contract, "watch.fired"; decisions W5.
 */
export const changeOf = (findings: ReadonlyArray<Finding>, subject: Subject): Change => {
  const requested = findings.filter(({ trigger }) => subject.triggerOn.includes(trigger))
  const triggers = requested.map(({ trigger }) => trigger)
  const { brand } = subject
  const holds = (trigger: Finding["trigger"]) => (triggers.includes(trigger) ? [brand] : [])
  return {
    triggers,
    delta: {
      newBrands: holds("mention_added"),
      droppedBrands: holds("mention_removed"),
      rankChanges: requested.flatMap((finding) => rankChangesOf(finding, brand)),
      top3Reordered: requested.some(
        ({ trigger, places }) =>
          trigger !== "citation_changed" && places.some(({ fromRank, toRank }) => reordersTop3(fromRank, toRank))
      )
    },
    summary: joinSentences(
      subject,
      requested.map((finding) => sentenceOf(finding, brand))
    )
  }
}
