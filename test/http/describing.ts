import { JsonSchema, Result, Schema, SchemaRepresentation } from "effect"

/** The schemas as ones that take no property but those they name: the description leaves what is sent open for more. */
const closed = (schemas: JsonSchema.Definitions): JsonSchema.Definitions =>
  JSON.parse(JSON.stringify(schemas), (_, value) =>
    value?.type === "object" && value.properties !== undefined ? { additionalProperties: false, ...value } : value
  )

/** Whether a value is what a schema of the description says, with nothing beside it. `schemas` are those that it may refer to. */
export const describing = (schemas: JsonSchema.Definitions) => {
  const $defs = closed(schemas)
  return (schema: JsonSchema.JsonSchema) => {
    const document = JsonSchema.fromSchemaOpenApi3_1({ ...schema, $defs })
    const described = SchemaRepresentation.fromJsonSchemaDocument(document, { patterns: "apply" })
    const decode = Schema.decodeUnknownResult(Schema.toType(described), { onExcessProperty: "error" })
    return (value: unknown): boolean => Result.isSuccess(decode(value))
  }
}
