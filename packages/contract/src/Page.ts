import { Schema } from "effect"

/** Query of a list that is given page by page: `limit` is 1 to 200, 50 by default. */
export const pageQuery = {
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "`next_cursor` of the page before." })),
  limit: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^(?:[1-9]\d?|1\d\d|200)$/)).annotate({
      description: "1 to 200; 50 by default."
    })
  )
}

/** Where the next page of a list begins; null at the end. */
export const nextCursor = Schema.NullOr(Schema.String)

/** A moment or a day in a query: ISO 8601. */
export const moment = Schema.optionalKey(
  Schema.String.annotate({ format: "date-time", description: "An ISO 8601 date or moment." })
)
