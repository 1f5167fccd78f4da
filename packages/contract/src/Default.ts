import { Effect, Schema } from "effect"

/** An optional field with a default, which the description of the API shows. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Rebuild"]["Encoded"] & S["Type"]) =>
  Schema.withDecodingDefaultKey<S["Rebuild"]>(Effect.succeed(value))(schema.annotate({ default: value }))
