import { Schema } from "effect"
import { Mode, RoadmapMode } from "@sightline/domain/Mode"

/**
 * The one error shape: `{ error: { code, message, details? }, request_id }`, with what a code adds.
 *
 * Shape: `inError` are further fields of `error`, `beside` fields next to it.
 * Source: contract, "Errors".
 */
const problem = <
  const Codes extends readonly [string, ...Array<string>],
  InError extends Schema.Struct.Fields,
  Beside extends Schema.Struct.Fields
>(
  status: number,
  codes: Codes,
  inError: InError,
  beside: Beside
) =>
  Schema.Struct({
    error: Schema.Struct({ code: Schema.Literals(codes), message: Schema.String, ...inError }),
    ...beside,
    request_id: Schema.String
  }).annotate({ httpApiStatus: status, identifier: `Problem_${status}_${codes.join("_")}` })

/** One field that was refused and why; `path` is dotted, empty for the body as a whole. */
export const FieldIssue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type FieldIssue = typeof FieldIssue.Type

const issues = {
  details: Schema.optionalKey(
    Schema.Struct({
      issues: Schema.Array(FieldIssue),
      attempted_shape: Schema.optionalKey(Schema.String).annotate({
        description: "compare: which of the three bodies this was taken for."
      })
    })
  )
}

/** 400: the request does not fit its schema. */
export const InvalidRequest = problem(400, ["invalid_request"], issues, {})

/** 400: `models` names a model that is not available. Nothing is charged. */
export const InvalidModel = problem(400, ["invalid_model"], { provider: Schema.String, model: Schema.String }, {})

/** 400 on ask: the request uses something unsupported, such as `json_schema`. */
export const RequestUnsupported = problem(400, ["request_unsupported"], {}, {})

/** 401: no usable key. */
export const Unauthorized = problem(401, ["unauthorized", "missing_authorization"], {}, {})

const shortfall = {
  balance_cents: Schema.Finite,
  required_cents: Schema.Finite,
  topup_url: Schema.String
}

/** 402: the balance is below the full fresh price. The figures are in `details` and again beside `error`. */
export const InsufficientBalance = problem(
  402,
  ["insufficient_balance"],
  { details: Schema.Struct(shortfall) },
  shortfall
)

const need = { balance_cents: Schema.Finite, required_cents: Schema.Finite }

/** 402 on ask: the balance is below the price of the call without cached answers. */
export const InsufficientCredits = problem(402, ["insufficient_credits"], { details: Schema.Struct(need) }, need)

/** 403: the key may not do this, for instance a read-only key that would spend. */
export const Forbidden = problem(403, ["forbidden"], {}, {})

/** 404: no such route or resource in the caller's account. */
export const NotFound = problem(404, ["not_found"], {}, {})

/** 404: no such watch in the caller's account. */
export const WatchNotFound = problem(404, ["watch_not_found"], {}, {})

/** 501 on watch for an announced mode; here `error` is the ordinary object. Source: decisions W6. */
export const WatchModeRoadmap = problem(501, ["mode_roadmap"], {}, {})

/**
 * 409: another call with the same Idempotency-Key has not finished yet, a limit on the number of items is reached, or
 * something else has to finish first.
 */
export const Conflict = problem(409, ["conflict"], {}, {})

/** 409 of the operator API: a field conflicts with the current state. */
export const FieldConflict = problem(409, ["conflict"], issues, {})

const retention = { retention_days: Schema.Int }

/** 410: the result is no longer in the archive. */
export const Expired = problem(410, ["expired"], { details: Schema.Struct(retention) }, retention)

/** 405, 408, 413, 417, 431: refused before the request was understood. */
export const RequestFailed = problem(413, ["request_failed"], {}, {})

/** 415: the body's content type is not JSON, or it has a content encoding. */
export const TypeUnsupported = problem(415, ["request_failed"], {}, {})

/** 422: the Idempotency-Key was used within 24 hours for another request: with another body, or for another id. */
export const BodyMismatch = problem(422, ["idempotency_body_mismatch"], {}, {})

/** 429: the bucket is empty, or too many reads of the account wait for their turn; `Retry-After` says how long to wait. */
export const RateLimited = problem(429, ["rate_limited"], {}, {})

/** 500: our fault; the answer contains no details. */
export const InternalError = problem(500, ["internal_error"], {}, {})

/** 501: the mode's infrastructure is not configured on this deployment. */
export const ModeNotYetAvailable = problem(501, ["mode_not_yet_available"], {}, {})

/** 503: the call was aborted, because it took too long, got no turn in time or its process had to stop. */
export const ServiceUnavailable = problem(503, ["service_unavailable"], {}, {})

/** 501 on check for an announced mode. Here `error` is a string. Source: contract, "Roadmap (501) body". */
export const ModeRoadmap = Schema.Struct({
  error: Schema.Literal("mode_roadmap"),
  mode: RoadmapMode,
  eta: Schema.String,
  available_modes: Schema.Array(Mode),
  message: Schema.String,
  request_id: Schema.String
}).annotate({ httpApiStatus: 501, identifier: "Problem_501_check_mode_roadmap" })

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
