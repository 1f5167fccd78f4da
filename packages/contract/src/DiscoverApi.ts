import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Candidate } from "@sightline/domain/Discover"
import { Authorization } from "./Authorization.ts"
import { cost } from "./CallFields.ts"
import { CheckFailure } from "./CheckApi.ts"
import { withDefault } from "./Default.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { Provider } from "./PlatformName.ts"
import { spendingProblems } from "./Problem.ts"
import { words } from "./Text.ts"

const name = words(1, 120)

/** Body of `POST /v1/discover`. Source: decisions U2. */
export const DiscoverRequest = Schema.Struct({
  brand: name,
  industry: Schema.optionalKey(name),
  count: withDefault(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({ description: "How many, at most." }),
    50
  ),
  language: withDefault(words(2, 8), "en")
}).annotate({ identifier: "DiscoverRequest", examples: [{ brand: "Nike", count: 50, language: "en" }] })

/** Answer of `POST /v1/discover`. */
export const DiscoverResponse = Schema.Struct({
  request_id: Schema.String,
  id: Schema.String,
  brand: Schema.String,
  industry: Schema.NullOr(Schema.String).annotate({ description: "null when the request names none." }),
  language: Schema.String,
  candidates: Schema.Array(Candidate.annotate({ identifier: "Candidate" })).annotate({
    description: "The questions, by score, the highest first."
  }),
  total: Schema.Int.annotate({ description: "The number of candidates: at most `count` of the request." }),
  errors: Schema.optionalKey(
    Schema.Record(Provider, Schema.optionalKey(CheckFailure)).annotate({
      description: "The engines that failed; absent when none did."
    })
  ),
  cached: Schema.Boolean.annotate({ description: "Whether the questions came from the cache, at the same price." }),
  ...cost
}).annotate({ identifier: "DiscoverResponse", description: "The questions found, and what they cost." })
export type DiscoverResponse = typeof DiscoverResponse.Type

/** `POST /v1/discover`: questions that people ask in which a brand would want to be named. */
export class DiscoverApi extends HttpApiGroup.make("discover")
  .add(
    HttpApiEndpoint.post("run", "/v1/discover", {
      headers: idempotencyKey,
      payload: DiscoverRequest,
      success: DiscoverResponse,
      error: spendingProblems
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Discover questions",
        description:
          "Asks the four LLM engines for questions that people ask in which the brand would want to be named."
      })
    )
  )
  .middleware(Authorization) {}
