import { Option, Predicate } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { FailureCode } from "@sightline/domain/Platform"
import { retryHint } from "./RetryHint.ts"
import { codeOf as codeOfEnding } from "./SurfaceFailure.ts"

/**
 * Why one request to an upstream brought no answer.
 *
 * Shape: a `transient` fault may be retried once. `objection` is the droppable field of the request that was refused. An `alarm`
 * fault needs an operator. `detail` is the upstream's own error code or a word of this package, and `requestId` is the upstream's
 * id of the request; neither holds any other text from the upstream. `ending` is more precise than the code, for a live surface.
 * Units: `wait` is the upstream's own hint in milliseconds.
 */
export interface Fault {
  readonly code: FailureCode
  readonly transient: boolean
  readonly alarm: boolean
  readonly wait: Option.Option<number>
  readonly objection: Option.Option<string>
  readonly detail: string
  readonly requestId: string
  readonly ending?: CaptureEnding
}

type Headers = Readonly<Record<string, string | undefined>>

const identifier = (word: string): string => (/^[\w.-]{1,64}$/.test(word) ? word : "")

const requestIdOf = (headers: Headers): string => identifier(headers["x-request-id"] ?? headers["request-id"] ?? "")

/** A fault of which only the code and a detail are known. */
export const fault = (code: FailureCode, detail: string, headers: Headers = {}): Fault => ({
  code,
  transient: code === "provider_unavailable",
  alarm: false,
  wait: Option.none(),
  objection: Option.none(),
  detail,
  requestId: requestIdOf(headers)
})

/** A capture of a live surface that ended without an answer, as its vendor reports it. */
export const surfaceFault = (
  ending: CaptureEnding,
  detail: string,
  more: { readonly transient?: boolean; readonly alarm?: boolean } = {}
): Fault => ({ ...fault(codeOfEnding(ending), identifier(detail)), ...more, ending })

/** A response with another status than 2xx; `body` is undefined unless it was JSON. */
export interface Refusal {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** The parts of a vendor's error body that are used here, the same for all vendors. */
interface Complaint {
  readonly code: string
  readonly type: string
  readonly param: string
  readonly message: string
  readonly details: ReadonlyArray<unknown>
  readonly fields: ReadonlyArray<unknown>
}

const at = (value: unknown, key: string): unknown => (Predicate.isObject(value) ? Reflect.get(value, key) : undefined)
const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 500) : "")
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The path of a field in a validator's error: `tools.0` for `["body", "tools", 0]`. */
const located = (field: unknown): string =>
  list(at(field, "loc"))
    .filter((step) => step !== "body")
    .join(".")

const complaintOf = (body: unknown): Complaint => {
  const error = at(body, "error")
  const details = list(at(error, "details"))
  const listed = list(at(body, "detail"))
  return {
    code: text(at(at(error, "details"), "error_code")) || text(at(error, "code")) || text(at(error, "status")),
    type: text(at(error, "type")),
    param: text(at(error, "param")) || text(located(listed[0])),
    message: text(at(error, "message")),
    details,
    fields: [...listed, ...details.flatMap((detail) => list(at(detail, "fieldViolations")))]
  }
}

const exhausted = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "contract_spend_limit_reached",
  "enforced_spend_limit_reached",
  "ramp_limit_exceeded"
])

const isExhausted = ({ code, details }: Complaint): boolean =>
  exhausted.has(code) ||
  details.some((detail) =>
    list(at(detail, "violations")).some((violation) => text(at(violation, "quotaId")).includes("PerDay"))
  )

const isKeyRefused = ({ details }: Complaint): boolean =>
  details.some((detail) => text(at(detail, "reason")).startsWith("API_KEY_"))

const tooLong =
  /too long|context.?length|context window|token count|maximum (?:context|number of tokens)|exceeds the maximum/i

// A vendor names "model" when the id is wrong. That is a fault of the model table, not of the customer's request.
const namesParameter = ({ param, message, fields }: Complaint): boolean =>
  (param !== "" && param !== "model") || fields.length > 0 || /^(?!model: )[a-z_][\w.[\]]{0,80}: /.test(message)

const codeOf = (status: number, complaint: Complaint): FailureCode => {
  if (status === 408 || status === 504) return "provider_timeout"
  if (status === 429) return "provider_rate_limited"
  if (status === 401 || status === 402 || status === 403) return "provider_auth_failed"
  if (status >= 500) return "provider_unavailable"
  if (status === 400 && isKeyRefused(complaint)) return "provider_auth_failed"
  if (status === 413) return "request_unsupported"
  if (status !== 400 && status !== 422) return "provider_error"
  return namesParameter(complaint) || tooLong.test(`${complaint.code} ${complaint.message}`)
    ? "request_unsupported"
    : "provider_error"
}

/** The field of the request that a path leads into: `thinking` for `thinking.type`. */
const fieldOf = (path: string): string | undefined => path.split(/[.[:]/, 1)[0]

const objectionTo = (droppable: ReadonlyArray<string>, { param, message }: Complaint): Option.Option<string> =>
  Option.fromUndefinedOr(
    droppable.find((field) =>
      param === ""
        ? fieldOf(message) === field || ["'", '"', "`"].some((quote) => message.includes(quote + field + quote))
        : fieldOf(param) === field
    )
  )

/**
 * Reads a vendor's refusal.
 *
 * Shape: `droppable` are the fields of the request that may be left out of a retry; `now` is epoch milliseconds.
 * Laws: total over any status, headers and body; only identifiers are passed on from the body.
 * Source: the vendors' error references, read together.
 */
export const classify = (refusal: Refusal, droppable: ReadonlyArray<string>, now: number): Fault => {
  const complaint = complaintOf(refusal.body)
  const code = codeOf(refusal.status, complaint)
  // A refusal for length alone names no parameter. Its message may still quote a field's name, perhaps from the customer's
  // words, but leaving out that field would not help.
  const objects = code === "request_unsupported" && namesParameter(complaint)
  const limited = code === "provider_rate_limited"
  const spent = limited && isExhausted(complaint)
  const delay = complaint.details.map((detail) => text(at(detail, "retryDelay"))).find((value) => value !== "")
  return {
    code,
    transient: code === "provider_unavailable" || (limited && !spent),
    alarm: code === "provider_auth_failed" || spent,
    wait: limited || code === "provider_unavailable" ? retryHint(refusal.headers, delay, now, limited) : Option.none(),
    objection: objects ? objectionTo(droppable, complaint) : Option.none(),
    detail: identifier(complaint.code) || identifier(complaint.type) || String(refusal.status),
    requestId: requestIdOf(refusal.headers)
  }
}

/** The names that vendors give to failures: words, or the HTTP status that would have applied. */
const reported: ReadonlyArray<readonly [name: RegExp, code: FailureCode]> = [
  [/^(?:gateway_timeout|408$|504$)/, "provider_timeout"],
  [/^(?:(?:request_)?rate_limit|429$)/, "provider_rate_limited"],
  [
    /^(?:server_error|internal_error|internal_server_error|overloaded|service_unavailable|bad_gateway|5\d\d$)/,
    "provider_unavailable"
  ]
]

/** The code of a failure that a vendor reports inside a success, by the vendor's error code and type. */
export const reportedFailure = (code: string, type: string): FailureCode =>
  reported.find(([name]) => name.test(code) || name.test(type))?.[1] ?? "provider_error"
