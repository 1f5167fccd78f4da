import { canonicalUrl } from "@sightline/domain/CanonicalUrl"
import { type Change, compare } from "@sightline/domain/Trigger"
import { Trigger, type WatchResult } from "@sightline/domain/Watch"
import type { CheckResult } from "@sightline/store/Checks"

const resultOf = ({ sightings }: CheckResult): WatchResult =>
  sightings
    .filter(({ surfacePresent }) => surfacePresent !== false)
    .map(({ platform, mentioned, rank, citations }) => ({
      platform,
      present: mentioned,
      rank,
      citations: [...new Set(citations.map(({ url }) => canonicalUrl(url) ?? url))]
    }))

/** What is different between two checks of a brand and a question, as a watch with every trigger would tell it. */
export const differenceOf = (
  { brand, query }: { readonly brand: string; readonly query: string },
  previous: CheckResult,
  current: CheckResult
): Pick<Change, "triggers" | "summary"> =>
  compare(resultOf(previous), resultOf(current), { brand, query, triggerOn: Trigger.literals })
