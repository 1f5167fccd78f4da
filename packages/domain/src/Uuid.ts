import { Schema, SchemaTransformation } from "effect"

/** An id in the form of a UUID. Upper case is accepted and decoded to lower case, as Postgres writes it. */
export const Uuid = Schema.String.check(Schema.isUUID()).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase())
)
