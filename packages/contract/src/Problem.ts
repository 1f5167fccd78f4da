import { Schema } from "effect"
import { Mode, RoadmapMode } from "@sightline/domain/Mode"

/**
 * The one error shape: `{ error: { code, message, details? }, request_id }`, with what a code adds.
 *
 * Shape: `name` begins the name of its schema; `description` says in the reference when it is answered; `inError` are further fields of
 * `error`, `beside` fields next to it.
 * Source: contract, "Errors".
 */
const problem = <
  const Codes extends readonly [string, ...Array<string>],
  InError extends Schema.Struct.Fields,
  Beside extends Schema.Struct.Fields
>(
  name: string,
  status: number,
  codes: Codes,
  description: string,
  inError: InError,
  beside: Beside
) =>
  Schema.Struct({
    error: Schema.Struct({ code: Schema.Literals(codes), message: Schema.String, ...inError }),
    ...beside,
    request_id: Schema.String
  }).annotate({ httpApiStatus: status, identifier: `${name}Problem`, description })

/** A problem that has nothing beside its code and its message. */
const plain = <const Codes extends readonly [string, ...Array<string>]>(
  name: string,
  status: number,
  codes: Codes,
  description: string
) => problem(name, status, codes, description, {}, {})

/** One field that was refused and why. */
export const FieldIssue = Schema.Struct({
  path: Schema.String.annotate({ description: "The field, with dots: `models.chatgpt`; empty: the body as a whole." }),
  message: Schema.String
}).annotate({ identifier: "FieldIssue" })
export type FieldIssue = typeof FieldIssue.Type

const issues = {
  details: Schema.optionalKey(
    Schema.Struct({
      issues: Schema.Array(FieldIssue),
      attempted_shape: Schema.optionalKey(
        Schema.String.annotate({ description: "Only from a comparison: which of the three bodies this was taken for." })
      )
    }).annotate({ description: "What is wrong, field by field." })
  )
}

export const InvalidRequest = problem(
  "InvalidRequest",
  400,
  ["invalid_request"],
  "A field or the body is invalid; `details.issues` names each field and what is wrong with it.",
  issues,
  {}
)

export const InvalidModel = problem(
  "InvalidModel",
  400,
  ["invalid_model"],
  "A model in `models` is not available. Nothing is charged.",
  { provider: Schema.String, model: Schema.String },
  {}
)

export const RequestUnsupported = plain(
  "RequestUnsupported",
  400,
  ["request_unsupported"],
  "The request uses something that is not supported, such as `json_schema`."
)

export const Unauthorized = plain(
  "Unauthorized",
  401,
  ["unauthorized", "missing_authorization"],
  "There is no valid API key: `unauthorized`, or on a check `missing_authorization` when none was sent, or nothing like one."
)

const need = {
  balance_cents: Schema.Finite.annotate({ description: "Available credits." }),
  required_cents: Schema.Finite.annotate({ description: "The full fresh price of the call, in credits." })
}

const shortfall = { ...need, topup_url: Schema.String.annotate({ description: "Where to buy credits." }) }

export const InsufficientBalance = problem(
  "InsufficientBalance",
  402,
  ["insufficient_balance"],
  "The balance is below the full fresh price. `details` has the figures, which are repeated beside `error`.",
  { details: Schema.Struct(shortfall) },
  shortfall
)

export const InsufficientCredits = problem(
  "InsufficientCredits",
  402,
  ["insufficient_credits"],
  "The balance is below the price of the call without cached answers.",
  { details: Schema.Struct(need) },
  need
)

export const Forbidden = plain(
  "Forbidden",
  403,
  ["forbidden"],
  "The key may not do this, for instance because it is read-only."
)

export const NotFound = plain(
  "NotFound",
  404,
  ["not_found"],
  "There is no such route, or no such resource in the account."
)

export const WatchNotFound = plain("WatchNotFound", 404, ["watch_not_found"], "There is no such watch in the account.")

/** Source: decisions W6. */
export const WatchModeRoadmap = plain(
  "WatchModeRoadmap",
  501,
  ["mode_roadmap"],
  "The mode is announced but not available yet."
)

export const Conflict = plain(
  "Conflict",
  409,
  ["conflict"],
  "Another call with the same Idempotency-Key is still running, the limit on the number of items is reached, or something else has to finish first."
)

export const FieldConflict = problem(
  "FieldConflict",
  409,
  ["conflict"],
  "A field conflicts with the current state.",
  issues,
  {}
)

const retention = { retention_days: Schema.Int.annotate({ description: "For how many days results are kept." }) }

export const Expired = problem(
  "Expired",
  410,
  ["expired"],
  "The result is no longer in the archive.",
  { details: Schema.Struct(retention) },
  retention
)

export const RequestFailed = plain(
  "RequestFailed",
  413,
  ["request_failed"],
  "The body is too large. Refusals before the request is understood (400, 405, 408, 417, 431) look the same."
)

export const TypeUnsupported = plain(
  "TypeUnsupported",
  415,
  ["request_failed"],
  "The content type of the body is not JSON, or the body is encoded."
)

export const BodyMismatch = plain(
  "BodyMismatch",
  422,
  ["idempotency_body_mismatch"],
  "The Idempotency-Key was used within 24 hours for a different request."
)

export const RateLimited = plain(
  "RateLimited",
  429,
  ["rate_limited"],
  "The rate limit is used up, or too many reads of the account are waiting; `Retry-After` says how many seconds to wait."
)

export const InternalError = plain("InternalError", 500, ["internal_error"], "The server failed.")

export const ModeNotYetAvailable = plain(
  "ModeNotYetAvailable",
  501,
  ["mode_not_yet_available"],
  "The mode is not configured on this deployment."
)

export const ServiceUnavailable = plain(
  "ServiceUnavailable",
  503,
  ["service_unavailable"],
  "The call was aborted: it took too long, waited too long for its turn, or the server is stopping."
)

/** 501 on check for an announced mode. Here `error` is a string. Source: contract, "Roadmap (501) body". */
export const ModeRoadmap = Schema.Struct({
  error: Schema.Literal("mode_roadmap"),
  mode: RoadmapMode,
  eta: Schema.String.annotate({ format: "date", description: "When the mode is expected." }),
  available_modes: Schema.Array(Mode),
  message: Schema.String,
  request_id: Schema.String
}).annotate({
  httpApiStatus: 501,
  identifier: "ModeRoadmapProblem",
  description: "The mode is announced but not available yet; here `error` is a string."
})

/** The errors that every call with a key may get. */
export const keyedProblems = [
  InvalidRequest,
  Unauthorized,
  Forbidden,
  RequestFailed,
  TypeUnsupported,
  RateLimited,
  InternalError,
  ServiceUnavailable
] as const

/** The further errors of calls with an idempotency key. */
export const onceProblems = [Conflict, BodyMismatch] as const

/** The further errors of calls that spend. */
export const spendingProblems = [InsufficientBalance, ...onceProblems] as const
