import { Predicate, Result, Schema, SchemaIssue } from "effect"

/** The first error in a request body: its path, and whether the field is missing, unknown or invalid. */
export interface Violation {
  readonly path: ReadonlyArray<string | number>
  readonly kind: "missing" | "unknown" | "invalid"
  readonly expected: string
}

const missing = "missing"
const unknown = "unknown"

const describe = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (Predicate.isTagged(issue, "MissingKey")) return missing
    return Predicate.isTagged(issue, "UnexpectedKey") ? unknown : SchemaIssue.defaultLeafHook(issue)
  }
})

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "number" ? key : String(key)
}

const violationOf = (issue: SchemaIssue.Issue): Violation => {
  const [first] = describe(issue).issues
  const message = first?.message ?? ""
  return {
    path: (first?.path ?? []).map(keyOf),
    kind: message === missing || message === unknown ? message : "invalid",
    expected: message.replace(/^Expected /, "")
  }
}

/** Decodes a body strictly, or gives the first violation. An unknown field is a violation at any depth. */
export const decodeStrictly = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (body: unknown): Result.Result<S["Type"], Violation> =>
    Result.mapError(decode(body), (error) => violationOf(error.issue))
}

/** `input[0].content`: a path as JavaScript writes it. */
export const bracketed = (path: Violation["path"]): string =>
  path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("")

/** `messages.0.content`: a path with dots only. */
export const dotted = (path: Violation["path"]): string => path.join(".")
