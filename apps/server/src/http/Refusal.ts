import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { sentence } from "@sightline/contract/FieldIssues"
import type { FieldIssue } from "@sightline/contract/Problem"
import { RequestId } from "./RequestId.ts"

/** The parts of a refusal beyond its code and message. */
export interface RefusalOptions {
  /** Further fields of `error`. */
  readonly inError?: Readonly<Record<string, unknown>>
  /** Fields next to `error`. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The body of every refusal, including those of Node's own parser. Source: contract, "Errors". */
export const refusalBody = (requestId: string, code: string, message: string, options: RefusalOptions = {}): string =>
  JSON.stringify({
    error: {
      code,
      message,
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

/** 401: the request is not authenticated. Like every 401 in HTTP it names the accepted scheme. */
export const unauthorized = (message: string, code = "unauthorized") =>
  refuse(401, code, message, { headers: { "www-authenticate": "Bearer" } })

/** 401: the key is unknown or revoked, or its account detached. */
export const keyInvalid = unauthorized("This API key is not valid.")

const refuseFor =
  (status: number, code: string) =>
  (issues: ReadonlyArray<FieldIssue>, details: Readonly<Record<string, unknown>> = {}) => {
    const [first = { path: "", message: "is not valid" }] = issues
    return refuse(status, code, `${sentence(first)}.`, { inError: { details: { issues, ...details } } })
  }

/** 400: fields of the request are wrong. The message explains the first one, `details` lists all. */
export const refuseFields = refuseFor(400, "invalid_request")

/** 400: one field of the request is wrong. */
export const refuseField = (issue: FieldIssue) => refuseFields([issue])

const refuseConflicts = refuseFor(409, "conflict")

/** 409: one field of the request conflicts with the current state. */
export const conflict = (issue: FieldIssue) => refuseConflicts([issue])

/** 500: says nothing about its cause. */
export const internalError = refuse(500, "internal_error", "Something went wrong on our side. Retry with backoff.")
