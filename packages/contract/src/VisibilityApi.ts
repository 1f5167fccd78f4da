import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Trigger } from "@sightline/domain/Watch"
import { Authorization } from "./Authorization.ts"
import { instant } from "./Instant.ts"
import { moment } from "./Page.ts"
import { PlatformName } from "./PlatformName.ts"
import { text } from "./Text.ts"

/** A brand and a question: the subject of a report. */
export const VisibilityPairs = Schema.Struct({
  request_id: Schema.String,
  pairs: Schema.Array(
    Schema.Struct({
      brand: Schema.String,
      query: Schema.String,
      checks: Schema.Int.annotate({ description: "How often the pair was checked." }),
      last_checked_at: instant
    }).annotate({ identifier: "CheckedPair" })
  ).annotate({ description: "At most 500, most recently checked first." })
}).annotate({ identifier: "VisibilityPairs", description: "The brands and questions that were checked." })
export type VisibilityPairs = typeof VisibilityPairs.Type

const granularity = Schema.Literals(["day", "hour"])

/**
 * Query of `GET /v1/visibility`: by default the last 30 days by day.
 *
 * Shape: without `brand` and `query` the report is about the pair that was checked last; one without the other is refused.
 */
export const VisibilityQuery = {
  brand: Schema.optionalKey(text(1, 100)),
  query: Schema.optionalKey(text(1, 500)),
  start: moment,
  end: moment,
  granularity: Schema.optionalKey(granularity.annotate({ description: "`day` by default; `hour` for up to 31 days." }))
}

/** How many answers named the brand: a share with its 95 % interval (Wilson). */
export const Share = {
  answers: Schema.Int.annotate({ description: "Answers; failures and surfaces that showed none do not count." }),
  mentions: Schema.Int.annotate({ description: "Answers that name the brand." }),
  rate: Schema.NullOr(Schema.Finite).annotate({ description: "`mentions` / `answers`, 0 to 1; null without answers." }),
  low: Schema.NullOr(Schema.Finite).annotate({
    description: "The lower end of the 95 % Wilson interval of `rate`; null without answers."
  }),
  high: Schema.NullOr(Schema.Finite).annotate({
    description: "The upper end of the 95 % Wilson interval of `rate`; null without answers."
  }),
  mean_rank: Schema.NullOr(Schema.Finite).annotate({
    description: "Over the answers that rank the brand; null without any."
  })
}

const Bucket = Schema.Struct({ bucket: instant, ...Share }).annotate({ identifier: "VisibilityBucket" })

/** The share of voice of brands: the part of all namings that each one has. At most 20 brands, always including the followed one. */
const brands = Schema.Array(
  Schema.Struct({
    brand: Schema.String,
    own: Schema.Boolean.annotate({ description: "Whether it is the brand of the report." }),
    answers: Schema.Int.annotate({ description: "Answers that name this brand." }),
    share: Schema.Finite.annotate({ description: "Of all brand mentions, also of brands that are not shown; 0 to 1." })
  }).annotate({ identifier: "BrandShare" })
)

/**
 * How visible a brand is in the answers to a question.
 *
 * Shape: `sources` are registrable domains. `changes` cover the last 1,000 checks of the window.
 * Laws: a failed platform and a surface that showed no answer are no answer; over buckets, and over platforms, answers and
 * mentions add up to `total`.
 */
export const Visibility = Schema.Struct({
  request_id: Schema.String,
  pair: Schema.NullOr(Schema.Struct({ brand: Schema.String, query: Schema.String })).annotate({
    description: "null: nothing has been checked yet."
  }),
  window: Schema.Struct({ start: instant, end: instant, granularity }),
  checks: Schema.Int.annotate({ description: "Checks in the window." }),
  total: Schema.Struct(Share).annotate({ identifier: "VisibilityShare" }),
  platforms: Schema.Array(
    Schema.Struct({
      platform: PlatformName,
      ...Share,
      series: Schema.Array(Bucket),
      brands: brands.annotate({ description: "Share of voice in the answers of this platform alone." })
    }).annotate({ identifier: "PlatformVisibility" })
  ),
  series: Schema.Array(Bucket).annotate({
    description: "All platforms together; buckets without answers are left out."
  }),
  brands: brands.annotate({
    description:
      "Share of voice: the share of each brand in all brand mentions of the last 2,500 checks whose text is still kept (30 days). At most 20 brands, always including your own."
  }),
  sources: Schema.Array(
    Schema.Struct({
      domain: Schema.String,
      answers: Schema.Int.annotate({ description: "Answers that cite the site." }),
      pages: Schema.Int.annotate({ description: "Different pages of the site that were cited." })
    }).annotate({ identifier: "CitedSite" })
  ).annotate({
    description: "The sites that most answers cite, at most 20."
  }),
  changes: Schema.Array(
    Schema.Struct({
      check_id: Schema.String,
      previous_id: Schema.String,
      created_at: instant,
      triggers: Schema.Array(Trigger),
      summary: Schema.String
    }).annotate({ identifier: "VisibilityChange" })
  ).annotate({
    description:
      "The latest changes in the window between successive checks of the same mode and region, newest first, at most 20."
  })
}).annotate({ identifier: "Visibility", description: "How visible the brand was in the window." })
export type Visibility = typeof Visibility.Type

/** `/v1/visibility`: reports over the checks of a brand and a question. */
export class VisibilityApi extends HttpApiGroup.make("visibility")
  .add(
    HttpApiEndpoint.get("pairs", "/v1/visibility/pairs", {
      success: VisibilityPairs
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List brands and questions",
        description: "Extension. The brands and questions that have been checked."
      })
    ),
    HttpApiEndpoint.get("read", "/v1/visibility", {
      query: VisibilityQuery,
      success: Visibility
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get visibility over time",
        description: "Extension. How visible a brand is in the answers to a question, over time."
      })
    )
  )
  .middleware(Authorization) {}
