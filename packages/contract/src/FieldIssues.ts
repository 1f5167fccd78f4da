import { Predicate, SchemaIssue } from "effect"
import type { FieldIssue } from "./Problem.ts"

const kinds: Readonly<Record<string, string>> = {
  String: "a string",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list",
  Objects: "an object"
}

const leaf: SchemaIssue.LeafHook = (issue) => {
  if (Predicate.isTagged(issue, "MissingKey")) return "is required"
  if (Predicate.isTagged(issue, "UnexpectedKey")) return "is not a known field"
  const kind = Predicate.isTagged(issue, "InvalidType") ? kinds[issue.ast._tag] : undefined
  return kind === undefined ? SchemaIssue.defaultLeafHook(issue) : `Expected ${kind}`
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: leaf })

// Turns a schema's message, such as "Expected …", into a predicate, such as "must be …".
const predicate = (message: string): string => {
  const [, expected] = /^Expected (.*)$/s.exec(message) ?? []
  if (expected === undefined) return message
  const choices = expected.split(" | ")
  return choices.length > 1 ? `must be one of ${choices.join(", ")}` : `must be ${expected.replace(/^a value /, "")}`
}

/**
 * The path of a field as errors show it: with dots, at most 200 characters. An empty name is shown as `""`, because an empty path is the
 * whole value.
 */
export const pathOf = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> = []): string =>
  path
    .map((part) => String(typeof part === "object" ? part.key : part) || '""')
    .join(".")
    .slice(0, 200)

/** The issues of a value that does not fit its schema: at most 20 fields, each with a predicate that is short enough to show. */
export const fieldIssues = (issue: SchemaIssue.Issue): ReadonlyArray<FieldIssue> =>
  format(issue)
    .issues.slice(0, 20)
    .map(({ path, message }) => ({ path: pathOf(path), message: predicate(message) }))

/** An issue as a sentence without its full stop: "`limit` must be a whole number". */
export const sentence = ({ path, message }: FieldIssue): string =>
  `${path === "" ? "The request body" : `\`${path}\``} ${message}`
