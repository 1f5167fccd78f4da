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

/** The answer to an aborted request: 499 if its caller has hung up, otherwise 503 because the server stops. */
export const interrupted = (cause: Cause.Cause<unknown>) =>
  Effect.flatMap(HttpServerError.causeResponse(cause), ([response]) =>
    response.status === 499 ? Effect.succeed(response) : restarting
  )

/** Whether a request failed because it has no route. */
export const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** The answer to a request that no handler answered: with details if the request is at fault, without them if the service is. */
export const recover = (error: unknown) => {
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    return refuseFields(fieldIssues(error.cause.issue))
  }
  return Effect.andThen(Effect.logError("Request failed", error), internalError)
}
