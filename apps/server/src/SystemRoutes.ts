import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { refuse } from "./http/Refusal.ts"
import { RequestId } from "./http/RequestId.ts"

const ok = Effect.map(RequestId, (requestId) => HttpServerResponse.jsonUnsafe({ ok: true, request_id: requestId }))

/** Whether the process runs at all. Says nothing about its dependencies. */
const live = HttpRouter.add("GET", "/livez", ok)

/** Whether the process can do its work: its database answers. */
const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const sql = yield* SqlClient.SqlClient
    const answer = sql`SELECT 1`.pipe(
      Effect.timeout("2 seconds"),
      Effect.matchEffect({
        onSuccess: () => ok,
        onFailure: () => refuse(503, "service_unavailable", "The database does not answer.")
      })
    )
    yield* router.add("GET", "/readyz", answer)
  })
)

/** The paths of the probes. */
export const probes: ReadonlyArray<string> = ["/livez", "/readyz"]

/** Probes for the operator of the process. */
export const layerProbes = Layer.merge(live, ready)

/** `/metrics` in the Prometheus text format. For the admin port. */
export const layerMetrics = PrometheusMetrics.layerHttp({ path: "/metrics" })
