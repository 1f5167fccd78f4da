import type { CliError } from "effect/cli"

// What the library expects of an option that is given more than once.
const once = "at most 1 value"

/** What the library expects of a number, and the words used here instead. */
const numbers: ReadonlyMap<string, string> = new Map([
  ["Expected a string representing a finite number", "a number"],
  ["Expected an integer", "a whole number"]
])

/**
 * What is wrong with an invalid command, in one line. An option that is given twice, or whose number is malformed, is
 * named; a misspelling gets suggestions.
 */
export const usageError = (error: CliError.CliError): string => {
  if (error._tag === "InvalidValue" && error.expected === once) return `--${error.option} may be given only once`
  if (error._tag === "InvalidValue") {
    const number = numbers.get(error.expected)
    if (number !== undefined) return `${error.kind === "flag" ? "--" : ""}${error.option} must be ${number}`
  }
  const [message = ""] = error.message.split("\n\n")
  const meant = "suggestions" in error ? error.suggestions.join(" or ") : ""
  return meant === "" ? message : `${message}; did you mean ${meant}?`
}
