import type { OpenApi } from "effect/http-api"

const reference = /"#\/components\/schemas\/([^"]+)"/g

const namesIn = (part: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(part).matchAll(reference), ([, name = ""]) => name)

/** A JSON Schema of values that may have more properties than it names. */
export const opened = <A>(schema: A): A =>
  JSON.parse(JSON.stringify(schema), (name, value) =>
    name === "additionalProperties" && value === false ? undefined : value
  )

/**
 * Lets answers and webhooks have more fields than the description of the API names, as they may within `/v1`; requests may
 * not. Otherwise all objects would be closed, and clients that validate answers would refuse those of the next release.
 */
export const withOpenAnswers: typeof OpenApi.Transform.Service = (description) => {
  const paths: OpenApi.OpenAPISpecPaths = description["paths"]
  const schemas: Record<string, unknown> = description["components"].schemas
  const bodies = Object.values(paths).flatMap(({ post, patch }) => [post?.requestBody ?? {}, patch?.requestBody ?? {}])
  const taken = new Set(namesIn(bodies))
  for (const name of taken) for (const inside of namesIn(schemas[name])) taken.add(inside)
  for (const [name, schema] of Object.entries(schemas)) if (!taken.has(name)) schemas[name] = opened(schema)
  return description
}
