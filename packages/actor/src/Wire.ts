import { Predicate, Result, Schema } from "effect"

/** Encodes values of one type as text and decodes them. Both directions throw on a value that does not fit. */
export interface Wire<A> {
  readonly encode: (value: A) => string
  readonly decode: (text: string) => A
}

/**
 * A schema's values as JSON text, its codec compiled once.
 * Choice: `JSON` around the codec instead of `Schema.fromJsonString` within it, which takes three times as long.
 */
export const jsonWire = <A>(schema: Schema.ConstraintCodec<A, unknown>): Wire<A> => {
  const codec = jsonCodec(schema)
  return {
    encode: (value) => JSON.stringify(codec.encode(value)),
    decode: (text) => codec.decode(JSON.parse(text))
  }
}

/**
 * Results as `{"success": …}` or `{"failure": …}`.
 * Choice: the two are distinguished here instead of by `Schema.Result`, which takes twice as long.
 */
export const resultWire = <A, E>(
  success: Schema.ConstraintCodec<A, unknown>,
  failure: Schema.ConstraintCodec<E, unknown>
): Wire<Result.Result<A, E>> => {
  const successes = jsonCodec(success)
  const failures = jsonCodec(failure)
  return {
    encode: (result) =>
      JSON.stringify(
        Result.isSuccess(result)
          ? { success: successes.encode(result.success) }
          : { failure: failures.encode(result.failure) }
      ),
    decode: (text) => {
      const json: unknown = JSON.parse(text)
      if (Predicate.hasProperty(json, "success")) return Result.succeed(successes.decode(json.success))
      if (Predicate.hasProperty(json, "failure")) return Result.fail(failures.decode(json.failure))
      throw new TypeError("neither a success nor a failure")
    }
  }
}

const jsonCodec = <A>(schema: Schema.ConstraintCodec<A, unknown>) => {
  const codec = Schema.toCodecJson(schema)
  const encode: (value: A) => unknown = Schema.encodeUnknownSync(codec)
  const decode: (json: unknown) => A = Schema.decodeUnknownSync(codec)
  return { encode, decode }
}
