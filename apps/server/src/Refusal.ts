import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { sentence } from "@sightline/contract/FieldIssues"
import type { FieldIssue } from "@sightline/contract/Problem"
import { RequestId } from "./RequestId.ts"

/** What a refusal says beyond its code and message. */
export interface RefusalOptions {
  readonly issues?: ReadonlyArray<FieldIssue>
  /** Further fields of `error`. */
  readonly inError?: Readonly<Record<string, unknown>>
  /** Fields next to `error`. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The body every refusal has, also the ones Node's own parser makes. Source: contract, "Errors". */
export const refusalBody = (requestId: string, code: string, message: string, options: RefusalOptions = {}): string =>
  JSON.stringify({
    error: {
      code,
      message,
      ...(options.issues === undefined ? {} : { details: { issues: options.issues } }),
      ...options.inError
    },
    ...options.beside,
    request_id: requestId
  })

/** A refusal as a response of the current request. */
export const refuse = (status: number, code: string, message: string, options: RefusalOptions = {}) =>
  Effect.map(RequestId, (requestId) =>
    HttpServerResponse.text(refusalBody(requestId, code, message, options), {
      status,
      contentType: "application/json",
      ...(options.headers === undefined ? {} : { headers: options.headers })
    })
  )

/** 400: fields of the request are wrong; the message says of the first one why, `details` of all. */
export const refuseFields = (issues: ReadonlyArray<FieldIssue>, details: Readonly<Record<string, unknown>> = {}) => {
  const [first = { path: "", message: "is not valid" }] = issues
  return refuse(400, "invalid_request", `${sentence(first)}.`, { inError: { details: { issues, ...details } } })
}

/** 400: one field of the request is wrong. */
export const refuseField = (issue: FieldIssue) => refuseFields([issue])

/** 500: says nothing about its cause. */
export const internalError = refuse(500, "internal_error", "Something went wrong on our side. Retry with backoff.")
