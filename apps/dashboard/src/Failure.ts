import { FieldIssue } from "@sightline/contract/Problem"
import { Option, Schema } from "effect"
import { HttpClientError } from "effect/http"

/** Why something the page asked for did not come: the API's refusal, or that it could not be reached. */
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

/** The refusal of an announced mode, whose `error` is a word. */
const Announced = Schema.Struct({ error: Schema.String, message: Schema.String, request_id: Schema.String })

const refusal = Schema.decodeUnknownOption(Refusal)
const announced = Schema.decodeUnknownOption(Announced)

const tagOf = (error: unknown) =>
  typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : ""

// A body that is cut off has the one name or the other, as the browser likes.
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

/** Reads whatever a call of the contract's client failed with, or the body of a refusal. Total. */
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

/** Whether there was no answer: trying again may help. */
export const isWithoutAnswer = ({ code }: Failure): boolean => code === "unreachable" || code === "unanswered"

/** Whether there is no such thing: trying again does not help. */
export const isAbsent = ({ code }: Failure): boolean => code === "not_found" || code === "watch_not_found"

/** Whether more credits are what helps. */
export const isShort = ({ code }: Failure): boolean =>
  code === "insufficient_balance" || code === "insufficient_credits"

/** Whether signing in again is what helps. */
export const isSignedOut = ({ code }: Failure): boolean => code === "unauthorized" || code === "missing_authorization"

// Only its answer says whether a change was done.
const doubt = (error: unknown): string => {
  if (!HttpClientError.isHttpClientError(error) || error.request.method === "GET") return ""
  const again = "idempotency-key" in error.request.headers ? " Sent again as it is, it is done once." : ""
  return ` It is not known whether this was done.${again}`
}

/** The same of a call that goes by the session: to whoever has signed in again, the API's words of keys and headers say nothing. */
export const failureInSession = (error: unknown): Failure => {
  const failure = failureOf(error)
  if (isWithoutAnswer(failure))
    return new Failure({ code: failure.code, message: failure.message + doubt(error), issues: [] })
  if (!isSignedOut(failure)) return failure
  const message = "The session had ended, so this was not done. Do it again."
  return new Failure({ code: failure.code, message, issues: [] })
}
