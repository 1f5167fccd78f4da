import { Schema } from "effect"

/** Decodes a value that has the fields of a schema and no others. */
export const exactly = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
