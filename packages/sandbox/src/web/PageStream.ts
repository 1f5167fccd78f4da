import { type Duration, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Scene } from "@sightline/sandbox/live/Scene"

/** How long an answer streams at the ordinary pace. */
const ordinaryMillis = 150

/** How one body is streamed. */
export interface Pace {
  readonly contentType: string
  /** For all pieces together; 0 is the ordinary pace. */
  readonly slowMillis: number
  readonly ending: Scene["ending"]
}

const broken = Stream.fromEffect(Effect.fail("reset" as const))

/**
 * A body that is sent in pieces with a pause before each, as engines stream. With the ending `reset` it breaks off halfway,
 * with `malformed` it ends there.
 */
export const serveSlowly = (
  pieces: ReadonlyArray<string>,
  { contentType, ending, slowMillis }: Pace
): HttpServerResponse.HttpServerResponse => {
  const encoder = new TextEncoder()
  const cut = ending?.kind === "reset" || ending?.kind === "malformed"
  const sent = cut ? pieces.slice(0, pieces.length >> 1) : pieces
  const pause: Duration.Input = Math.ceil((slowMillis || ordinaryMillis) / Math.max(1, pieces.length))
  const body = Stream.fromIterable(sent).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((piece) => Effect.delay(Effect.succeed(encoder.encode(piece)), pause))
  )
  return HttpServerResponse.stream(ending?.kind === "reset" ? Stream.concat(body, broken) : body, {
    contentType,
    headers: { "cache-control": "no-cache" }
  })
}

/** A text split into at most `count` parts, never within a character. */
export const partsOf = (text: string, count: number): ReadonlyArray<string> => {
  const length = Math.max(1, Math.ceil(text.length / count))
  return text.match(new RegExp(`[^]{1,${length}}`, "gu")) ?? []
}
