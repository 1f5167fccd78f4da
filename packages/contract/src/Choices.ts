import { Schema } from "effect"

/** A choice out of a closed set: a list of at least one of its values, none of them twice. */
export const choices = <const Values extends ReadonlyArray<string>>(value: Schema.Literals<Values>) =>
  Schema.Array(value).check(
    Schema.isMinLength(1, { message: "must have at least one item" }),
    Schema.isUnique({ message: "must not have an item twice" })
  )

/** The message for a value that is none of these; a schema may take more values than the message lists. */
export const oneOf = (values: ReadonlyArray<string>) => ({
  message: `must be one of ${values.map((value) => `"${value}"`).join(", ")}`
})
