import { type Change, compare, resultOf } from "@sightline/domain/Trigger"
import { Trigger } from "@sightline/domain/Watch"
import type { CheckResult } from "@sightline/store/Checks"

/** The difference between two checks of the same brand and question, as a watch with all triggers would report it. */
export const differenceOf = (
  { brand, query }: { readonly brand: string; readonly query: string },
  previous: CheckResult,
  current: CheckResult
): Pick<Change, "triggers" | "summary"> =>
  compare(resultOf(previous.sightings), resultOf(current.sightings), { brand, query, triggerOn: Trigger.literals })
