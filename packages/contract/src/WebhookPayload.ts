import { Schema } from "effect"
import { FailureCode, Slot } from "@sightline/domain/Platform"
import { Trigger } from "@sightline/domain/Watch"
import { AskResult, BrandMention, ProviderResult, AggregatedCitation } from "./AskApi.ts"
import { instant } from "./Instant.ts"

const repeated = "The same in every attempt and replay of an event: use it to drop duplicates."

/** Payload of `ask.completed`; `id` is the same for every attempt and replay. Source: contract, "ask.completed". */
export const AskCompleted = Schema.Struct({
  id: Schema.String.annotate({ description: `${repeated} It is not the ask's id.` }),
  type: Schema.Literal("ask.completed"),
  created: Schema.Int.annotate({ description: "Unix seconds." }),
  data: AskResult
}).annotate({ identifier: "AskCompleted" })
export type AskCompleted = typeof AskCompleted.Type

const mention = Schema.Struct({ ...BrandMention.fields, provider: Slot })

const certainty = {
  baseline_rate: Schema.Finite.annotate({
    description:
      "Of the answers of the engines concerned, in the `runs_seen` runs before. `mention_added`, `mention_removed`: the share that " +
      "names the brand. `rank_changed`: the share that has it beyond its usual place. `citation_changed`: the share of cited pages that were known."
  }),
  recent_rate: Schema.Finite.annotate({
    description: "The same share in the `runs_since` latest runs."
  }),
  runs_seen: Schema.Int.annotate({ description: "How many runs before those the change is held against." }),
  runs_since: Schema.Int.annotate({ description: "In how many latest runs the change is seen." }),
  confidence: Schema.Finite.annotate({ description: "1 less the chance that noise looks like this." })
}

/** The confidence of a firing with the sensitivity `evidence`: for its first trigger, and for each that fired. */
export const FiredEvidence = Schema.Struct({
  ...certainty,
  by_trigger: Schema.Record(Schema.String, Schema.Struct(certainty))
})

/**
 * Payload of `watch.fired`.
 *
 * Shape: `trigger` is the first of `triggers_fired`; `previous_response` are the mentions of the run compared with, null without one;
 * a provider's `surface_present` is there, and false, where its page showed no AI answer;
 * `evidence` is there for watches whose sensitivity is `evidence`, for `trigger` and then for each that fired.
 * Source: contract, "watch.fired"; decisions W5.
 */
export const WatchFired = Schema.Struct({
  event: Schema.Literal("watch.fired"),
  watch_id: Schema.String,
  watch_name: Schema.String,
  fired_at: instant,
  trigger: Trigger,
  triggers_fired: Schema.Array(Trigger),
  run_id: Schema.String.annotate({ description: repeated }),
  diff_summary: Schema.String,
  delta: Schema.Struct({
    new_brands: Schema.Array(Schema.String),
    dropped_brands: Schema.Array(Schema.String),
    rank_changes: Schema.Array(Schema.Struct({ brand: Schema.String, from_rank: Schema.Int, to_rank: Schema.Int })),
    top3_reordered: Schema.Boolean
  }),
  previous_response: Schema.NullOr(Schema.Array(mention)),
  current_response: Schema.Struct({
    providers: Schema.Array(
      Schema.Union([
        Schema.Struct({
          ...ProviderResult.fields,
          provider: Slot,
          surface_present: Schema.optionalKey(Schema.Literal(false))
        }),
        Schema.Struct({ provider: Slot, error: Schema.Struct({ code: FailureCode, message: Schema.String }) })
      ])
    ),
    brand_mentions: Schema.Array(mention),
    citations: Schema.Array(Schema.Struct({ ...AggregatedCitation.fields, providers_cited: Schema.Array(Slot) })),
    usage: AskResult.fields.usage
  }),
  evidence: Schema.optionalKey(FiredEvidence)
}).annotate({ identifier: "WatchFired" })
export type WatchFired = typeof WatchFired.Type
