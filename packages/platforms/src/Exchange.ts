import { Clock, Effect, Option, Result } from "effect"
import {
  HttpBody,
  type HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import type { FailureCode, Platform } from "@sightline/domain/Platform"
import { classify, type Fault, fault, type Refusal } from "./Fault.ts"
import { late, oversized } from "./Transport.ts"

/** A JSON object as it is sent. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * One POST to a vendor.
 *
 * Shape: `body` is one object, or a list of tasks. `droppable` are the fields of the object that are left out when the vendor
 * refuses them by name. `refusal` reads the refusals that only this vendor has; it comes before the reading that all vendors share.
 */
export interface UpstreamCall {
  readonly platform: Platform
  readonly model: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject | ReadonlyArray<JsonObject>
  readonly droppable: ReadonlyArray<string>
  readonly refusal?: (refusal: Refusal) => Option.Option<Fault>
}

/** Reads the JSON of a success: gives the adapter's reply, or the failure that the JSON reports, as its code or as a whole fault. */
export type Read<A> = (body: unknown) => Result.Result<A, FailureCode | Fault>

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)

const parsed = (contentType: string | undefined, text: string): Option.Option<unknown> => {
  if (!isJson(contentType)) return Option.none()
  try {
    // As web clients do: a byte order mark is not part of the text.
    return Option.some(JSON.parse(text.replace(/^\uFEFF/, "")))
  } catch {
    return Option.none()
  }
}

// A continued conversation contains what the upstream sent, which may be nested too deeply to be serialised again.
const written = (body: UpstreamCall["body"]): Option.Option<string> => {
  try {
    return Option.some(JSON.stringify(body))
  } catch {
    return Option.none()
  }
}

const outcomeOf = <A>(
  call: UpstreamCall,
  read: Read<A>,
  response: HttpClientResponse.HttpClientResponse,
  text: string,
  now: number
): Result.Result<A, Fault> => {
  const { status, headers } = response
  const body = parsed(headers["content-type"], text)
  if (status < 200 || status > 299) {
    const refusal = { status, headers, body: Option.getOrUndefined(body) }
    return Result.fail(
      Option.getOrElse(call.refusal?.(refusal) ?? Option.none(), () => classify(refusal, call.droppable, now))
    )
  }
  if (Option.isNone(body))
    return Result.fail({ ...fault("provider_error", "not_json", headers), ending: "parse_error" })
  return Result.mapError(read(body.value), (cause) =>
    typeof cause === "string" ? fault(cause, "in_answer", headers) : cause
  )
}

const brokenConnection = ({ reason }: HttpClientError.HttpClientError): Fault => {
  const cause = "cause" in reason ? reason.cause : undefined
  if (cause === late) return fault("provider_timeout", "deadline")
  return cause === oversized ? fault("provider_error", "oversized") : fault("provider_unavailable", "connection")
}

/** Sends one request and reads its response. Every failure becomes a fault. */
export const exchange = <A>(
  client: HttpClient.HttpClient,
  call: UpstreamCall,
  read: Read<A>
): Effect.Effect<Result.Result<A, Fault>> =>
  Effect.suspend(() => {
    const text = written(call.body)
    if (Option.isNone(text)) return Effect.succeed(Result.fail(fault("provider_error", "unwritable")))
    const request = HttpClientRequest.post(call.url, {
      headers: { ...call.headers, accept: "application/json", "accept-encoding": "identity" },
      body: HttpBody.text(text.value, "application/json")
    })
    return Effect.flatMap(client.execute(request), (response) =>
      Effect.flatMap(response.text, (text) =>
        Effect.map(Clock.currentTimeMillis, (now) => outcomeOf(call, read, response, text, now))
      )
    )
  }).pipe(Effect.catch((error) => Effect.succeed(Result.fail(brokenConnection(error)))))
