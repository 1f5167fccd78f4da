import { Schema } from "effect"
import { Platform } from "./Platform.ts"

/** How often a watch runs. Source: contract, `interval`. */
export const Interval = Schema.Literals(["hourly", "daily", "weekly"])
export type Interval = typeof Interval.Type

/** What a run may find. `trigger` is the first in this order that fired. Source: contract, `trigger_on`. */
export const Trigger = Schema.Literals(["mention_added", "mention_removed", "rank_changed", "citation_changed"])
export type Trigger = typeof Trigger.Type

/** What counts as a change: any difference, or only one that the watch's own noise does not explain. Source: decisions W5. */
export const Sensitivity = Schema.Literals(["every_change", "evidence"])
export type Sensitivity = typeof Sensitivity.Type

/** Whether a watch runs. Source: contract, "Watch status". */
export const WatchStatus = Schema.Literals(["active", "paused"])
export type WatchStatus = typeof WatchStatus.Type

/** The wallet's owner has as many active watches as it may have. Nothing was created or resumed. */
export class TooManyWatches extends Schema.TaggedError<TooManyWatches>()("TooManyWatches", { most: Schema.Int }) {}

/** How far a run of a watch has come. Source: decisions W2, W6. */
export const RunStatus = Schema.Literals(["queued", "running", "completed", "skipped_insufficient_balance", "failed"])
export type RunStatus = typeof RunStatus.Type

/** What a watch looks for, and which triggers it reports: all that its runs are judged by. */
export interface Subject {
  readonly query: string
  readonly brand: string
  readonly triggerOn: ReadonlyArray<Trigger>
}

/**
 * What one platform's answer showed in a run: whether it names the brand, where, and which pages it cites.
 *
 * Shape: `rank` is null where the brand is not named; `citations` are canonical URLs without repetition.
 */
const Showing = Schema.Struct({
  platform: Platform,
  present: Schema.Boolean,
  rank: Schema.NullOr(Schema.Int),
  citations: Schema.Array(Schema.String)
})
export type Showing = typeof Showing.Type

/**
 * A run in the form in which later runs are compared with it: what each platform showed.
 *
 * Shape: a platform that failed, or whose surface showed no answer, is left out: nothing is known of it, which is neither presence nor
 * absence. Source: decisions W3.
 */
export const WatchResult = Schema.Array(Showing)
export type WatchResult = typeof WatchResult.Type
