import { fieldIssues } from "@sightline/contract/FieldIssues"
import { Effect, Schema } from "effect"
import { Failure } from "./Failure.ts"

/**
 * A form's values as a request body; what does not fit is said at its field, before anything is sent.
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
