import { Result, Schema, SchemaIssue } from "effect"
import { Failure } from "./Failure.ts"

const formatted = SchemaIssue.makeFormatterStandardSchemaV1()

type Path = ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined

const dotted = (path: Path) => (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")

/** What the contract has against a body, as the API would put it, before anything is sent; null when it fits. */
export const failureIn = <A>(schema: Schema.ConstraintDecoder<A>, body: unknown): Failure | null => {
  const read = Schema.decodeUnknownResult(schema, { errors: "all" })(body)
  if (Result.isSuccess(read)) return null
  const issues = formatted(read.failure.issue).issues.map(({ path, message }) => ({ path: dotted(path), message }))
  return new Failure({ code: "invalid_request", message: "Some fields need another look.", issues })
}
