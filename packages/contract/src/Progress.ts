import { Effect, Result, Schema, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { HttpBody, HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { FailureCode } from "@sightline/domain/Platform"
import { PlatformName } from "./PlatformName.ts"

/** One platform of a running call: it is being asked, it has answered, or it has failed. */
export const PlatformProgress = Schema.Struct({
  platform: PlatformName,
  side: Schema.optionalKey(Schema.Literals(["a", "b"]).annotate({ description: "Only in a comparison." })),
  state: Schema.Literals(["asked", "answered", "failed"]),
  code: Schema.optionalKey(FailureCode.annotate({ description: "Why it failed; absent if it did not." }))
})
export type PlatformProgress = typeof PlatformProgress.Type

/** The end of the call: what its HTTP answer would have been. */
export const FinalAnswer = Schema.Struct({
  status: Schema.Int.annotate({ description: "The status that the call would have had without the stream." }),
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.Json
})
export type FinalAnswer = typeof FinalAnswer.Type

/**
 * An event of a call that is answered as `text/event-stream`.
 *
 * Shape: any number of `platform` events, then exactly one `answer`, after which the stream ends.
 */
export const ProgressEvent = Schema.Union([
  Schema.Struct({ event: Schema.Literal("platform"), data: Schema.fromJsonString(PlatformProgress) }),
  Schema.Struct({ event: Schema.Literal("answer"), data: Schema.fromJsonString(FinalAnswer) })
]).annotate({
  identifier: "ProgressEvent",
  description:
    "One event of a streamed call (`Accept: text/event-stream`): any number of `platform` events, then one `answer` with the status, headers and body of the ordinary answer."
})
export type ProgressEvent = typeof ProgressEvent.Type

/** The calls that can report their progress. */
export const followedPaths = ["/v1/check", "/v1/compare", "/v1/ask", "/v1/discover"] as const
export type FollowedPath = (typeof followedPaths)[number]

/** The content type of a streamed answer. */
export const eventStream = "text/event-stream"

/** An answer may hold several whole answers of engines. */
const decoding = { maxEventSize: 64 * 1024 * 1024 }

const answered = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.map(response.json, (body): ProgressEvent => ({
    event: "answer",
    data: { status: response.status, headers: { ...response.headers }, body }
  }))

const read = Schema.decodeUnknownResult(ProgressEvent)

/** Skips an event that this version cannot read, because more events may follow. An unreadable `answer` is an error. */
const known = (event: Sse.Event) => {
  const found = read(event)
  return event.event === "answer" ? Effect.map(Effect.fromResult(found), Result.succeed) : Effect.succeed(found)
}

/**
 * Makes a call that spends and streams its progress: an event when each platform is asked and when it ends, then the answer.
 *
 * Shape: a call that is refused before it begins is one `answer` event.
 */
export const follow = (path: FollowedPath, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  HttpClient.execute(
    HttpClientRequest.post(path, {
      headers: { ...headers, accept: `${eventStream}, application/json` },
      body: HttpBody.jsonUnsafe(body)
    })
  ).pipe(
    Effect.map((response) =>
      response.headers["content-type"]?.startsWith(eventStream) === true
        ? response.stream.pipe(
            Stream.decodeText,
            Stream.pipeThroughChannel(Sse.decode(decoding)),
            Stream.filterMapEffect(known)
          )
        : Stream.fromEffect(answered(response))
    ),
    Stream.unwrap
  )
