import { Schema, type SchemaAST } from "effect"

/**
 * Text a customer sends: every length in the contract is counted in code points, so an emoji is one character.
 *
 * Laws: accepts exactly the well-formed strings of `minimum` to `maximum` code points without U+0000.
 * Source: decisions A3, E1. The database can store neither U+0000 nor a lone surrogate.
 */
export const text = (minimum: number, maximum: number, ...further: ReadonlyArray<SchemaAST.Check<string>>) => {
  const length = { message: `must have ${minimum} to ${maximum} characters` }
  return Schema.String.check(
    Schema.makeFilter<string>((value) => !value.includes("\u0000") || "must not contain U+0000"),
    Schema.makeFilter<string>((value) => value.isWellFormed() || "must not contain a lone surrogate"),
    ...further,
    // Last, because the description of the API takes the annotations of a text from its last check.
    Schema.isMinCodePoints(minimum, length),
    Schema.isMaxCodePoints(maximum, length)
  )
}

/** A visible character: not white space, a control character or an ignorable one (joiners, direction marks, fillers). */
const visible = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/u

/**
 * Text that is not blank: a name, a secret, or words for an engine. A blank question would be asked, and charged, for nothing; a
 * blank secret is a mistake, and anyone can guess it.
 *
 * Laws: accepts what `text` accepts, unchanged, if it contains a visible character.
 */
export const words = (minimum: number, maximum: number) => {
  const isSeen = Schema.makeFilter<string>((value) => value === "" || visible.test(value) || "must not be blank", {
    // The closest pattern that the regular expressions of all languages support.
    toJsonSchema: () => ({ pattern: "\\S" })
  })
  return text(minimum, maximum, isSeen)
}
