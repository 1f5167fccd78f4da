import { fieldIssues } from "@sightline/contract/FieldIssues"
import { Effect, Schema } from "effect"
import { Failure } from "./Failure.ts"

/**
 * Validates a form's values as a request body, so that mistakes are shown at their fields before anything is sent.
 *
 * Errors: `Failure` with an issue per field, as the API would answer.
 */
export const checked = <A, I>(schema: Schema.Codec<A, I>, body: unknown): Effect.Effect<A, Failure> =>
  Schema.decodeUnknownEffect(schema)(body, { errors: "all" }).pipe(
    Effect.mapError(
      ({ issue }) =>
        new Failure({
          code: "invalid_request",
          message: "Some fields are not valid.",
          issues: fieldIssues(issue)
        })
    )
  )
