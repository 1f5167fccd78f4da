import { Schema } from "effect"
import { Slot } from "@sightline/domain/Platform"
import { Trigger } from "@sightline/domain/Watch"
import { AggregatedCitation, AskResult, BrandMention, ProviderError, ProviderResult } from "./AskResult.ts"
import { surface, timing } from "./CallFields.ts"
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

const mention = Schema.Struct({ ...BrandMention.fields, provider: Slot }).annotate({ identifier: "RunMention" })

const model = Schema.String.annotate({ description: "The model that answered; empty if a surface does not name it." })

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
  by_trigger: Schema.Record(Schema.String, Schema.Struct(certainty).annotate({ identifier: "TriggerEvidence" }))
}).annotate({
  identifier: "FiredEvidence",
  description: "Only with the sensitivity `evidence`: for the first trigger that fired and, in `by_trigger`, for each."
})

/** Payload of `watch.fired`. Source: contract, "watch.fired"; decisions W5. */
export const WatchFired = Schema.Struct({
  event: Schema.Literal("watch.fired"),
  watch_id: Schema.String,
  watch_name: Schema.String.annotate({ description: "The question and the brand: `<query> × <brand>`." }),
  fired_at: instant,
  trigger: Trigger.annotate({ description: "The first of `triggers_fired`." }),
  triggers_fired: Schema.Array(Trigger),
  run_id: Schema.String.annotate({ description: repeated }),
  diff_summary: Schema.String.annotate({ description: "What changed, in words." }),
  delta: Schema.Struct({
    new_brands: Schema.Array(Schema.String).annotate({ description: "The brand, if a platform has begun to name it." }),
    dropped_brands: Schema.Array(Schema.String).annotate({
      description: "The brand, if a platform has stopped naming it."
    }),
    rank_changes: Schema.Array(
      Schema.Struct({
        brand: Schema.String,
        from_rank: Schema.Int.annotate({ description: "The rank in the previous run." }),
        to_rank: Schema.Int.annotate({ description: "The rank in this run." })
      }).annotate({ identifier: "RankChange" })
    ),
    top3_reordered: Schema.Boolean.annotate({
      description: "Whether the brand entered, left or moved within the first three of any platform."
    })
  }).annotate({ identifier: "RunDelta" }),
  previous_response: Schema.NullOr(Schema.Array(mention)).annotate({
    description: "The mentions of the run that this one was compared with; null without one."
  }),
  current_response: Schema.Struct({
    providers: Schema.Array(
      Schema.Union([
        Schema.Struct({ ...ProviderResult.fields, provider: Slot, model, ...surface }).annotate({
          identifier: "RunResult"
        }),
        Schema.Struct({ ...ProviderError.fields, provider: Slot }).annotate({ identifier: "RunError" })
      ])
    ).annotate({ description: "An entry for each platform of the mode, always in the same order." }),
    brand_mentions: Schema.Array(mention),
    citations: Schema.Array(
      Schema.Struct({ ...AggregatedCitation.fields, providers_cited: Schema.Array(Slot) }).annotate({
        identifier: "RunCitation"
      })
    ),
    usage: Schema.Struct({ ...AskResult.fields.usage.fields, latency_ms: timing.duration_ms })
  }).annotate({ identifier: "RunResponse" }),
  evidence: Schema.optionalKey(FiredEvidence)
}).annotate({ identifier: "WatchFired" })
export type WatchFired = typeof WatchFired.Type
