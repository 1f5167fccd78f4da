import { Schema } from "effect"

/** Decodes what has a schema's fields and no other ones. */
export const exactly = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
