import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Mode } from "@sightline/domain/Mode"
import { FailureCode } from "@sightline/domain/Platform"
import { Region } from "@sightline/domain/Region"
import { Trigger } from "@sightline/domain/Watch"
import { Authorization } from "./Authorization.ts"
import { cost, mention, place, surface, timing } from "./CallFields.ts"
import { NamedMode } from "./CheckApi.ts"
import { instant } from "./Instant.ts"
import { moment, nextCursor, pageQuery } from "./Page.ts"
import { PlatformName } from "./PlatformName.ts"
import { NotFound } from "./Problem.ts"
import { text } from "./Text.ts"

/** Query of `GET /v1/checks`: `start` is included and `end` is not. */
export const ChecksQuery = {
  brand: Schema.optionalKey(text(1, 100).annotate({ description: "Exactly as in the check." })),
  query: Schema.optionalKey(text(1, 500).annotate({ description: "Exactly as in the check." })),
  mode: Schema.optionalKey(NamedMode),
  watch_id: Schema.optionalKey(
    Schema.String.check(Schema.isUUID()).annotate({ description: "Only the runs of this watch." })
  ),
  start: moment,
  end: moment,
  ...pageQuery
}

const kept = {
  id: Schema.String,
  brand: Schema.String,
  query: Schema.String,
  mode: Mode,
  region: Region,
  created_at: instant.annotate({ description: "When the check was charged." }),
  duration_ms: timing.duration_ms,
  cost_cents: cost.cost_cents,
  watch_id: Schema.NullOr(Schema.String).annotate({ description: "The watch that ran the check; null for a call." })
}

const verdict = { platform: PlatformName, ...place, ...surface }

const failures = Schema.Array(
  Schema.Struct({ platform: PlatformName, code: FailureCode }).annotate({ identifier: "PlatformFailure" })
).annotate({
  description: "The platforms that gave no answer, and why."
})

/** Checks and runs of watches, newest first. */
export const CheckList = Schema.Struct({
  request_id: Schema.String,
  checks: Schema.Array(
    Schema.Struct({
      ...kept,
      platforms: Schema.Array(Schema.Struct(verdict).annotate({ identifier: "PlatformVerdict" })),
      failures
    }).annotate({ identifier: "CheckSummary" })
  ),
  next_cursor: nextCursor
}).annotate({ identifier: "CheckList", description: "A page of checks, newest first." })
export type CheckList = typeof CheckList.Type

/** What one platform answered. */
export const KeptAnswer = Schema.Struct({
  ...verdict,
  model: Schema.String.annotate({ description: "The model that answered; empty if a surface does not name it." }),
  context: mention.context,
  citations: Schema.Array(
    Schema.Struct({ url: Schema.String, title: Schema.String }).annotate({ identifier: "KeptCitation" })
  ),
  brands: Schema.Array(Schema.String).annotate({
    description:
      "The brands in the answer, by rank, starting at 1; the requested brand has its own rank. Empty once `text` is null."
  }),
  text: Schema.NullOr(Schema.String).annotate({
    description: "The answer's text without links that only cite; null 30 days after the engine was last asked."
  })
}).annotate({ identifier: "KeptAnswer" })

/** The difference from the previous check of the same question, brand, mode and region that had any answer. */
export const Difference = Schema.Struct({
  previous_id: Schema.String,
  triggers: Schema.Array(Trigger),
  summary: Schema.String.annotate({ description: "Empty when nothing changed." })
}).annotate({ identifier: "Difference" })

/** A check with what every platform answered. */
export const CheckFound = Schema.Struct({
  request_id: Schema.String,
  check: Schema.Struct({
    ...kept,
    city: Schema.NullOr(Schema.String).annotate({ description: "null when the request names none." }),
    charge_id: Schema.String.annotate({ description: "`id` of the check's charge in `/v1/charges`." }),
    platforms: Schema.Array(KeptAnswer),
    failures,
    difference: Schema.NullOr(Difference).annotate({
      description: "Compared with the previous check of the same brand, question, mode and region; null without one."
    })
  }).annotate({ identifier: "CheckRecord" })
}).annotate({
  identifier: "CheckFound",
  description: "The check, its answers, and how they differ from the previous check."
})
export type CheckFound = typeof CheckFound.Type

/** `/v1/checks`: the checks made by calls and by watches. */
export class CheckHistoryApi extends HttpApiGroup.make("checks")
  .add(
    HttpApiEndpoint.get("list", "/v1/checks", {
      query: ChecksQuery,
      success: CheckList
    }).annotateMerge(
      OpenApi.annotations({ summary: "List checks", description: "Extension. The account's checks, newest first." })
    ),
    HttpApiEndpoint.get("find", "/v1/checks/:id", {
      params: { id: Schema.String },
      success: CheckFound,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a check",
        description: "Extension. A check with its answers and what changed since the previous check."
      })
    )
  )
  .middleware(Authorization) {}
