import { Record } from "effect"
import type { OpenApi } from "effect/http-api"
import { ChargedEndpoint } from "./AccountApi.ts"

type Headers = NonNullable<OpenApi.OpenApiSpecResponse["headers"]>

const charged: ReadonlySet<string> = new Set(ChargedEndpoint.literals)

const count = { type: "integer", minimum: 0 }
const credits = { type: "number" }

/** The headers that are figures. Their declared schemas are of the text that is sent. */
const figures: Readonly<Record<string, object>> = {
  "x-ratelimit-limit": count,
  "x-ratelimit-remaining": count,
  "x-cost-cents": credits,
  "x-balance-after-cents": credits,
  "retry-after": count
}

const header = (required: boolean, description: string): Headers[string] => ({
  schema: { type: "string" },
  required,
  description
})

/** The headers of an answer that do not depend on what was asked. */
const headersOf = ({ security, parameters, tags }: OpenApi.OpenAPISpecOperation, status: number): Headers => {
  const succeeded = status < 300
  const recognised = security.length > 0 && status !== 401
  const keyed = parameters.some(({ name }) => name === "idempotency-key")
  return {
    ...(recognised && {
      "x-ratelimit-limit": header(succeeded, "Capacity of the rate-limit bucket, in calls."),
      "x-ratelimit-remaining": header(succeeded, "Calls left in the bucket.")
    }),
    ...(tags.includes("check") && { "x-request-id": header(true, "`request_id` of the body.") }),
    ...(keyed &&
      succeeded &&
      tags.some((tag) => charged.has(tag)) && {
        "x-charge-id": header(true, "`id` of the call's charge in `/v1/charges`; `charge_id` in `/v1/ledger`.")
      }),
    ...(keyed &&
      succeeded && {
        "idempotency-replay": header(false, "`true` on a replay of the answer to the first call with this key.")
      }),
    ...(tags.includes("session") &&
      (status === 201 || status === 204) && {
        "set-cookie": header(true, "The session cookie (`HttpOnly`); a 204 clears it.")
      }),
    ...(status === 401 && { "www-authenticate": header(true, "`Bearer`, the accepted scheme.") }),
    ...(status === 429 && { "retry-after": header(true, "Seconds to wait before the next call.") })
  }
}

/** All headers of both, figures as numbers. A header in both has the annotations of both; those of `declared` win. */
const merged = (own: Headers, declared: Headers): Headers =>
  Record.map(
    Record.union(own, declared, (ours, theirs) => ({ ...ours, ...theirs })),
    (header, name) => ({ ...header, schema: { ...header.schema, ...figures[name] } })
  )

/**
 * Adds the headers that do not depend on the endpoint to a description of the API: endpoints and problems declare only
 * bodies. Headers that an endpoint declares itself are kept as they are, and described.
 */
export const withHeaders: typeof OpenApi.Transform.Service = (description) => {
  const paths: OpenApi.OpenAPISpecPaths = description["paths"]
  for (const { get, post, patch, delete: remove } of Object.values(paths))
    for (const operation of [get, post, patch, remove].filter((one) => one !== undefined))
      for (const [status, response] of Object.entries(operation.responses))
        response.headers = merged(headersOf(operation, Number(status)), response.headers ?? {})
  return description
}
