import { Schema } from "effect"

/**
 * Text a customer sends: every length in the contract is counted in code points, so an emoji is one character.
 *
 * Laws: accepts exactly the well-formed strings of `minimum` to `maximum` code points without U+0000.
 * Source: decisions A3, E1. The database can store neither U+0000 nor a lone surrogate.
 */
export const text = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isBetweenCodePoints(minimum, maximum, { message: `must have ${minimum} to ${maximum} characters` }),
    Schema.makeFilter<string>((value) => !value.includes("\u0000") || "must not contain U+0000"),
    Schema.makeFilter<string>((value) => value.isWellFormed() || "must not contain a lone surrogate")
  )
