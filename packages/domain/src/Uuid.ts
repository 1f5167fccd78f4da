import { Schema, SchemaTransformation } from "effect"

/** The id of something: a UUID in lower case, as Postgres writes it, however its owner does. */
export const Uuid = Schema.String.check(Schema.isUUID()).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase())
)
