import { type Cause, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { fieldIssues } from "@sightline/contract/FieldIssues"
import { internalError, refuse, refuseFields } from "./Refusal.ts"

const restarting = refuse(
  503,
  "service_unavailable",
  "The service is being restarted. Send the call again, with the Idempotency-Key it had.",
  { headers: { connection: "close" } }
)

/** What a request is told that was given up: that the server stops, unless its caller has gone (499) and hears nothing. */
export const interrupted = (cause: Cause.Cause<unknown>) =>
  Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
    response.status === 499 ? Effect.succeed(response) : restarting
  )

/** Whether what went wrong with a request is that it has no route. */
export const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** What a request that no handler answered is told: its own fault precisely, ours without a cause. */
export const recover = (error: unknown) => {
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    return refuseFields(fieldIssues(error.cause.issue))
  }
  return Effect.andThen(Effect.logError("Request failed", error), internalError)
}
