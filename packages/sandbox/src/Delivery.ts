import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Ending } from "./Fault.ts"
import type { Reply } from "./Vendor.ts"

const encoder = new TextEncoder()
const blanks = encoder.encode(" ".repeat(64 * 1024))
const json = "application/json"

const bytesOf = (body: unknown): Uint8Array => encoder.encode(JSON.stringify(body))

/** The reply as an ordinary HTTP response. */
export const deliver = ({ status, headers = {}, body }: Reply): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytesOf(body), { status, headers, contentType: json })

/** The body, followed by blanks up to `size`. It is valid JSON, and no header states its length. */
const inflate = (body: Uint8Array, size: number): Stream.Stream<Uint8Array> => {
  const missing = Math.max(0, size - body.length)
  const whole = Math.floor(missing / blanks.length)
  return Stream.make(body).pipe(
    Stream.concat(Stream.map(Stream.range(1, whole), () => blanks)),
    Stream.concat(Stream.make(blanks.subarray(0, missing - whole * blanks.length)))
  )
}

/** Sends half of the body under headers that announce all of it, waits until that half has left, then breaks the connection. */
const breakOff = (body: Uint8Array): Stream.Stream<Uint8Array, "reset"> =>
  Stream.concat(
    Stream.make(body.subarray(0, body.length >> 1)),
    Stream.fromEffect(Effect.delay(Effect.fail("reset" as const), "20 millis"))
  )

/** Sends the reply in the way of its ending. Endings that change the content have already changed the reply. */
export const deliverWith = (
  reply: Reply,
  ending: Ending | undefined
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { status, headers = {} } = reply
  const options = { status, headers, contentType: json }
  const body = bytesOf(reply.body)
  switch (ending?.kind) {
    case "hang":
      return Effect.never
    case "malformed":
      return Effect.succeed(HttpServerResponse.uint8Array(body.subarray(0, body.length >> 1), options))
    case "oversized":
      return Effect.succeed(HttpServerResponse.stream(inflate(body, ending.bytes), options))
    case "reset":
      return Effect.succeed(HttpServerResponse.stream(breakOff(body), { ...options, contentLength: body.length }))
    default:
      return Effect.succeed(deliver(reply))
  }
}
