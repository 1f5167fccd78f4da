import { Predicate } from "effect"
import type { OpenApi } from "effect/http-api"

type Json = Readonly<Record<string, unknown>>

/** A schema with the members of one of its keywords beside it, or as it is if two of them have the same keyword. */
const joined = (schema: Json, keyword: "allOf" | "anyOf"): Json => {
  const { [keyword]: members, ...rest } = schema
  if (!Array.isArray(members) || (keyword === "anyOf" && members.length > 1)) return schema
  const parts: ReadonlyArray<Json> = [rest, ...members]
  const keywords = parts.flatMap((part) => Object.keys(part))
  return new Set(keywords).size === keywords.length ? Object.assign({}, ...parts) : schema
}

/**
 * Joins conditions, and the only member of an `anyOf`, with the schema that they belong to: generators of clients make a type of each
 * member, which of a condition is `unknown`.
 *
 * Laws: the same values fit. No member may have a keyword that depends on others beside it, such as `additionalProperties`.
 */
export const withPlainSchemas: typeof OpenApi.Transform.Service = (description) =>
  JSON.parse(JSON.stringify(description), (_, value) =>
    Predicate.isReadonlyObject(value) ? joined(joined(value, "allOf"), "anyOf") : value
  )
