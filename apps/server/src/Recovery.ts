import { Effect } from "effect"
import { HttpServerError } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { internalError, refuse } from "./Refusal.ts"
import { fieldIssues } from "./RequestBody.ts"

/** What a request that no handler answered is told: its own fault precisely, ours without a cause. */
export const recover = (error: unknown) => {
  if (HttpApiError.HttpApiSchemaError.is(error)) {
    const issues = fieldIssues(error.cause)
    return refuse(
      400,
      "invalid_request",
      `\`${issues[0]?.path ?? error.kind}\`: ${issues[0]?.message ?? "is not valid"}`,
      { issues }
    )
  }
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RequestParseError")
    return refuse(400, "request_failed", "The request is malformed.")
  return Effect.andThen(Effect.logError("request failed", error), internalError)
}
