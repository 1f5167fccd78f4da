import { Schema } from "effect"

/** The program's exit codes other than 0. `docs/customers/cli.md` lists them for people. */
export const exitCode = { no: 1, usage: 2, forbidden: 3, refused: 4, balance: 5, limited: 6, failed: 7 } as const

/** The command cannot be carried out as given: a setting is missing, or a value is malformed. Nothing was sent. */
export class Misused extends Schema.TaggedError<Misused>()("Misused", { message: Schema.String }) {}

/** A refusal by the API, with its body. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  status: Schema.Int,
  code: Schema.String,
  message: Schema.String,
  body: Schema.String
}) {}

/** There was no answer, or an unreadable one. `message` contains no secret. */
export class Unanswered extends Schema.TaggedError<Unanswered>()("Unanswered", { message: Schema.String }) {}

/** The answer has been printed, and it is negative. */
export class NegativeAnswer extends Schema.TaggedError<NegativeAnswer>()("NegativeAnswer", {}) {}

/** What can go wrong with a call. */
export type CallFailed = Misused | Refused | Unanswered

const refusedCode = (status: number): number => {
  if (status === 401 || status === 403) return exitCode.forbidden
  if (status === 402) return exitCode.balance
  if (status === 429) return exitCode.limited
  // 501 says that the mode does not exist here, which is not a failure of the server.
  return status < 500 || status === 501 ? exitCode.refused : exitCode.failed
}

/** The exit code of a failure. */
export const exitCodeOf = (failure: CallFailed | NegativeAnswer): number => {
  if (failure._tag === "NegativeAnswer") return exitCode.no
  if (failure._tag === "Misused") return exitCode.usage
  return failure._tag === "Refused" ? refusedCode(failure.status) : exitCode.failed
}
