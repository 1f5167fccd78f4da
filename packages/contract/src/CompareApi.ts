import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CompareMode } from "@sightline/domain/Mode"
import { Region } from "@sightline/domain/Region"
import { Authorization } from "./Authorization.ts"
import { cost, mention, timing } from "./CallFields.ts"
import { Branding, CheckFailure } from "./CheckApi.ts"
import { withDefault } from "./Default.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
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

/** What one platform said of one side. */
export const CompareSide = Schema.Struct(mention).annotate({ identifier: "CompareSide" })

const side = Schema.NullOr(CompareSide).annotate({ description: "null when the question of this side failed." })
const Sides = Schema.Struct({ a: side, b: side }).annotate({
  identifier: "CompareSides",
  description: "What one engine answered to each side."
})

const failure = Schema.optionalKey(CheckFailure)
const FailedSides = Schema.Struct({ a: failure, b: failure }).annotate({
  identifier: "CompareFailures",
  description: "The sides whose question failed on one engine."
})

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
  errors: Schema.optionalKey(
    perProvider(FailedSides).annotate({
      description: "The questions that failed, by engine and side; absent when none did."
    })
  ),
  delta_pct: Schema.Finite.annotate({
    description:
      "(rate of a − rate of b) / the higher rate × 100, from -100 to 100; a side's rate is the share of its answers that name its brand."
  }),
  winner: Schema.Literals(["a", "b", "tie"]).annotate({ description: "The side with the higher rate." }),
  interpretation: Schema.String.annotate({ description: "The result in words, safe to display." }),
  citations: Schema.Array(
    Schema.Struct({
      url: Schema.String,
      title: Schema.String,
      branding: Schema.NullOr(Branding).annotate({ description: "null if the address has no domain." })
    }).annotate({ identifier: "CompareCitation" })
  ).annotate({ description: "The pages that the answers to both sides cite, each once." }),
  ...timing,
  ...cost
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
