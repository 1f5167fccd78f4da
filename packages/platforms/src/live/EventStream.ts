import { Sse } from "effect/encoding"
import { Option, Schema } from "effect"

/** One event of a stream whose data is JSON; `data` is null where it is not. */
export interface JsonEvent {
  readonly event: string
  readonly data: unknown
}

/** The most of a stream that is read, in UTF-16 units. A longer stream is cut, so its end is missing and it gives no answer. */
const streamMaxLength = 8 * 1024 * 1024

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/**
 * The events of a whole event stream.
 *
 * Laws: never throws; linear in the input; an event that was cut off is left out.
 */
export const eventsOf = (body: string): ReadonlyArray<JsonEvent> => {
  const events: Array<JsonEvent> = []
  const parser = Sse.makeParser(
    (parsed) => {
      if (parsed._tag === "Event") events.push({ event: parsed.event, data: Option.getOrNull(decode(parsed.data)) })
    },
    { maxEventSize: streamMaxLength }
  )
  parser.feed(body.slice(0, streamMaxLength))
  return events
}
