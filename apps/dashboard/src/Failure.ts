import { FieldIssue } from "@sightline/contract/Problem"
import { Option, Schema } from "effect"
import { HttpClientError } from "effect/http"

/** Why a request of the page failed: the API refused it, or its answer is missing or unreadable. */
export class Failure extends Schema.TaggedError<Failure>()("Failure", {
  code: Schema.String,
  message: Schema.String,
  issues: Schema.Array(FieldIssue),
  requestId: Schema.optionalKey(Schema.String)
}) {}

const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Struct({ issues: Schema.optionalKey(Schema.Array(FieldIssue)) }))
  }),
  request_id: Schema.String
})

/** The refusal of an announced mode, whose `error` is a string. */
const Announced = Schema.Struct({ error: Schema.String, message: Schema.String, request_id: Schema.String })

const refusal = Schema.decodeUnknownOption(Refusal)
const announced = Schema.decodeUnknownOption(Announced)

const tagOf = (error: unknown) =>
  typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : ""

// Which of the two names an aborted body has depends on the browser.
const isGivenUp = (error: unknown) =>
  error instanceof Error && error.cause instanceof DOMException && /^(?:Timeout|Abort)Error$/.test(error.cause.name)

const other = (error: unknown): Failure => {
  if (tagOf(error) === "HttpClientError" && isGivenUp(error))
    return new Failure({ code: "unanswered", message: "The server has not answered in time.", issues: [] })
  if (HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError")
    return new Failure({ code: "unreachable", message: "The server could not be reached.", issues: [] })
  if (tagOf(error) === "HttpClientError")
    return new Failure({ code: "unreachable", message: "The server did not answer as expected.", issues: [] })
  if (tagOf(error) === "SchemaError")
    return new Failure({ code: "unreadable", message: "The server's answer could not be read.", issues: [] })
  return new Failure({ code: "failed", message: "Something went wrong on this page.", issues: [] })
}

/** Turns any error of the contract's client, or the body of a refusal, into a `Failure`. Total. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  const refused = refusal(error)
  if (Option.isSome(refused)) {
    const { error: problem, request_id: requestId } = refused.value
    return new Failure({
      code: problem.code,
      message: problem.message,
      issues: problem.details?.issues ?? [],
      requestId
    })
  }
  const later = announced(error)
  if (Option.isNone(later)) return other(error)
  const { error: code, message, request_id: requestId } = later.value
  return new Failure({ code, message, issues: [], requestId })
}

/** Whether there was no answer, so that trying again may help. */
export const isWithoutAnswer = ({ code }: Failure): boolean => code === "unreachable" || code === "unanswered"

/** Whether the requested item does not exist, so that trying again does not help. */
export const isAbsent = ({ code }: Failure): boolean => code === "not_found" || code === "watch_not_found"

/** Whether the balance is too low, so that a top-up helps. */
export const isBalanceTooLow = ({ code }: Failure): boolean =>
  code === "insufficient_balance" || code === "insufficient_credits"

/** Whether the session has ended, so that signing in again helps. */
export const isSignedOut = ({ code }: Failure): boolean => code === "unauthorized" || code === "missing_authorization"

// Without an answer it is not known whether a change was made.
const doubt = (error: unknown): string => {
  if (!HttpClientError.isHttpClientError(error) || error.request.method === "GET") return ""
  const again = "idempotency-key" in error.request.headers ? " Sent again as it is, it is done once." : ""
  return ` It is not known whether this was done.${again}`
}

/** The same for a call with the session. A 401 gets another message: the API's, about keys and headers, does not help in a browser. */
export const failureInSession = (error: unknown): Failure => {
  const failure = failureOf(error)
  if (isWithoutAnswer(failure))
    return new Failure({ code: failure.code, message: failure.message + doubt(error), issues: [] })
  if (!isSignedOut(failure)) return failure
  const message = "The session had ended, so this was not done. Do it again."
  return new Failure({ code: failure.code, message, issues: [] })
}

/** The same for the first call with a new session, which is refused where the browser has dropped its cookie. */
export const failureOfSignIn = (error: unknown): Failure => {
  const failure = failureOf(error)
  if (!isSignedOut(failure)) return failure
  const message =
    "This browser did not keep the session's cookie. Use an address that begins with https, and allow its cookies."
  return new Failure({ code: "session_not_kept", message, issues: [] })
}
