import { Schema } from "effect"

/**
 * Text a customer sends: every length in the contract is counted in code points, so an emoji is one character.
 *
 * Laws: accepts exactly the well-formed strings of `minimum` to `maximum` code points without U+0000.
 * Source: decisions A3, E1. The database can store neither U+0000 nor a lone surrogate.
 */
export const text = (minimum: number, maximum: number) => {
  const length = { message: `must have ${minimum} to ${maximum} characters` }
  return Schema.String.check(
    Schema.makeFilter<string>((value) => !value.includes("\u0000") || "must not contain U+0000"),
    Schema.makeFilter<string>((value) => value.isWellFormed() || "must not contain a lone surrogate"),
    // Last, because the description of the API says of a text what is annotated there.
    Schema.isMinCodePoints(minimum, length),
    Schema.isMaxCodePoints(maximum, length)
  )
}
