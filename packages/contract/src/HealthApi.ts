import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { HealthStatus } from "@sightline/domain/Health"
import { PlatformName } from "./PlatformName.ts"
import { InternalError, InvalidRequest } from "./Problem.ts"

/** The health of one platform. */
export const PlatformHealth = Schema.Struct({
  status: HealthStatus.annotate({
    description:
      "By the share of captures that succeeded: `ok` from 95 %, `degraded` from 50 %, `down` below; `unknown` with fewer than 20 in seven days."
  }),
  success_rate_7d: Schema.NullOr(Schema.Finite).annotate({
    description:
      "Share of captures that returned an answer, or found that the surface shows none, 0 to 1; null while unknown."
  }),
  p95_latency_ms: Schema.NullOr(Schema.Int).annotate({
    description: "95 % of the captures that succeeded took at most so many milliseconds; null while unknown."
  }),
  sample_size_7d: Schema.Int.annotate({ description: "The number of captures in seven days." })
}).annotate({ identifier: "PlatformHealth" })
export type PlatformHealth = typeof PlatformHealth.Type

/** Answer of `GET /v1/health`. */
export const HealthResponse = Schema.Struct({
  request_id: Schema.String,
  platforms: Schema.Record(PlatformName, PlatformHealth).annotate({
    description: "The four LLM APIs by the names of providers, the live surfaces by their modes."
  })
}).annotate({ identifier: "HealthResponse", description: "The reliability of each platform." })
export type HealthResponse = typeof HealthResponse.Type

/**
 * `GET /v1/health`: how reliably the platforms answered live keys in the last seven days. Needs no key. Source: decisions
 * U3.
 */
export class HealthApi extends HttpApiGroup.make("health").add(
  HttpApiEndpoint.get("read", "/v1/health", {
    success: HealthResponse,
    error: [InvalidRequest, InternalError]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Get the health of the platforms",
      description:
        "How reliably each platform answered in the last seven days, from captures for live keys. Needs no key."
    })
  )
) {}
