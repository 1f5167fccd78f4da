import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { HealthStatus } from "@sightline/domain/Health"
import { PlatformName } from "./PlatformName.ts"
import { InternalError, InvalidRequest } from "./Problem.ts"

/** The health of one platform. Rate and latency are null with fewer than 20 captures in the last seven days. */
export const PlatformHealth = Schema.Struct({
  status: HealthStatus,
  success_rate_7d: Schema.NullOr(Schema.Finite).annotate({
    description: "Share of captures that returned an answer, or found that the surface shows none; 0 to 1."
  }),
  p95_latency_ms: Schema.NullOr(Schema.Int),
  sample_size_7d: Schema.Int
}).annotate({ identifier: "PlatformHealth" })
export type PlatformHealth = typeof PlatformHealth.Type

/** Answer of `GET /v1/health`. The four LLM APIs have the names of their slots, live surfaces those of their modes. */
export const HealthResponse = Schema.Struct({
  request_id: Schema.String,
  platforms: Schema.Record(PlatformName, PlatformHealth)
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
