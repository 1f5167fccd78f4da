import { Schema } from "effect"

/** A moment in an answer, ISO 8601 in UTC; clients made from the description of the API read it as a date. */
export const instant = Schema.String.annotate({ format: "date-time" })
