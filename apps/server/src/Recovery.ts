import { Effect } from "effect"
import { HttpServerError } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { fieldIssues } from "@sightline/contract/FieldIssues"
import { internalError, refuse, refuseFields } from "./Refusal.ts"

/** What a request that no handler answered is told: its own fault precisely, ours without a cause. */
export const recover = (error: unknown) => {
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    return refuseFields(fieldIssues(error.cause.issue))
  }
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError")
    return refuse(400, "request_failed", "The request is malformed.")
  return Effect.andThen(Effect.logError("Request failed", error), internalError)
}
