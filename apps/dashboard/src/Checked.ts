import { Effect, Schema, SchemaIssue } from "effect"
import { Failure } from "./Failure.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const pathOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> = []) =>
  path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")

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
          message: "Some fields need another look.",
          issues: issuesOf(issue).issues.map(({ path, message }) => ({ path: pathOf(path), message }))
        })
    )
  )
