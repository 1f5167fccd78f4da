import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CompareMode } from "@sightline/domain/Mode"
import { Region } from "@sightline/domain/Region"
import { Authorization } from "./Authorization.ts"
import { Branding, CheckFailure } from "./CheckApi.ts"
import { withDefault } from "./Default.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { instant } from "./Instant.ts"
import { Provider } from "./PlatformName.ts"
import { ModeNotYetAvailable, spendingProblems } from "./Problem.ts"
import { words } from "./Text.ts"

const query = words(1, 500)
const brand = words(1, 120)

const shared = {
  mode: withDefault(CompareMode, "quick"),
  region: withDefault(Region, "us")
}

/** Two brands on one query. */
export const TwoBrands = Schema.Struct({ query, brand_a: brand, brand_b: brand, ...shared })

/** One brand on two queries. */
export const TwoQueries = Schema.Struct({ query_a: query, query_b: query, brand, ...shared })

/** Two brands, each on a query of its own. */
export const TwoPairs = Schema.Struct({ query_a: query, query_b: query, brand_a: brand, brand_b: brand, ...shared })

/** Body of `POST /v1/compare`. Source: contract, "POST /v1/compare". */
export const CompareRequest = Schema.Union([TwoBrands, TwoQueries, TwoPairs]).annotate({
  identifier: "CompareRequest",
  examples: [{ query: "best running shoes", brand_a: "Nike", brand_b: "Adidas", mode: "quick", region: "us" }]
})

/** What one platform said of one side; `context` is empty when the brand was not named. */
export const CompareSide = Schema.Struct({
  mentioned: Schema.Boolean,
  rank: Schema.NullOr(Schema.Int),
  context: Schema.String
})

const Sides = Schema.Struct({ a: Schema.NullOr(CompareSide), b: Schema.NullOr(CompareSide) })
const FailedSides = Schema.Struct({ a: Schema.optionalKey(CheckFailure), b: Schema.optionalKey(CheckFailure) })

const perProvider = <S extends Schema.Top>(schema: S) => Schema.Record(Provider, Schema.optionalKey(schema))

/** Answer of `POST /v1/compare`. Source: contract, "Compare result"; decisions P1. */
export const CompareResponse = Schema.Struct({
  request_id: Schema.String,
  id: Schema.String,
  mode: Schema.Literal("compare"),
  query_a: Schema.String,
  query_b: Schema.String,
  brand_a: Schema.String,
  brand_b: Schema.String,
  providers: perProvider(Sides),
  errors: Schema.optionalKey(perProvider(FailedSides)),
  delta_pct: Schema.Finite,
  winner: Schema.Literals(["a", "b", "tie"]),
  interpretation: Schema.String,
  citations: Schema.Array(
    Schema.Struct({ url: Schema.String, title: Schema.String, branding: Schema.NullOr(Branding) })
  ),
  created_at: instant,
  duration_ms: Schema.Int,
  cost_cents: Schema.Finite,
  balance_after_cents: Schema.Finite
}).annotate({
  identifier: "CompareResponse",
  description: "How often each side is named, by engine and in total, and what the comparison cost."
})
export type CompareResponse = typeof CompareResponse.Type

/** `POST /v1/compare`: ask the same platforms about two sides and say which is named more often. */
export class CompareApi extends HttpApiGroup.make("compare")
  .add(
    HttpApiEndpoint.post("run", "/v1/compare", {
      headers: idempotencyKey,
      payload: CompareRequest,
      success: CompareResponse,
      error: [...spendingProblems, ModeNotYetAvailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Compare two sides",
        description:
          "Asks the same engines about two sides and says which side is named more often: two brands on one question, one brand on two questions, or two of each."
      })
    )
  )
  .middleware(Authorization) {}
