import { Schema, SchemaTransformation } from "effect"
import { Credits } from "@sightline/domain/Credits"

/** A `bigint` column that counts: the driver hands over a BigInt, every count of ours is exact as a number. */
export const Count = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Int, SchemaTransformation.transform({ decode: Number, encode: BigInt }))
)

/** A `bigint` column of millicredits. */
export const Amount = Schema.BigInt.pipe(
  Schema.decodeTo(Credits, SchemaTransformation.transform({ decode: Number, encode: BigInt }))
)
