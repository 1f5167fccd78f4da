import { Effect, Schema } from "effect"

/** A field that may be left out, and what it is then. The description of the API says so. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Rebuild"]["Encoded"] & S["Type"]) =>
  Schema.withDecodingDefaultKey<S["Rebuild"]>(Effect.succeed(value))(schema.annotate({ default: value }))
