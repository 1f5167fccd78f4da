import { Schema } from "effect"
import type { OpenApi } from "effect/http-api"

// The `u` flag is needed, because without it the description of the API omits a pattern.
const limits = { 100: /^(?:[1-9]\d?|100)$/u, 200: /^(?:[1-9]\d?|1\d\d|200)$/u }

/** Query of a paged list: `limit` is 1 to `most`, 50 by default. */
export const pageQueryUpTo = (most: keyof typeof limits) => ({
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "`next_cursor` of the previous page." })),
  limit: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(limits[most], { message: `must be a whole number from 1 to ${most}` })
    ).annotate({ description: `1 to ${most}; 50 by default.` })
  )
})

/** Describes the limit of a page as the number that it is: in a description made from its schema it is a text with a pattern. */
export const withPageLimits: typeof OpenApi.Transform.Service = (description) => {
  const paths: OpenApi.OpenAPISpecPaths = description["paths"]
  for (const { get } of Object.values(paths))
    for (const parameter of get?.parameters ?? []) {
      const { pattern, description: said }: { readonly pattern?: string; readonly description?: string } =
        parameter.schema
      const [most] = Object.entries(limits).find(([, { source }]) => source === pattern) ?? []
      if (most !== undefined)
        parameter.schema = { type: "integer", minimum: 1, maximum: Number(most), description: said }
    }
  return description
}

/** Query of a list whose pages have up to 200 entries, as nearly all have. */
export const pageQuery = pageQueryUpTo(200)

/** Where the next page of a list begins. */
export const nextCursor = Schema.NullOr(Schema.String).annotate({
  description: "`cursor` of the next page; null on the last one."
})

/** A moment or a day in a query: ISO 8601. */
export const moment = Schema.optionalKey(
  Schema.String.annotate({ description: "An ISO 8601 date, or a date and time with a time zone." })
)
