/**
 * Planted and seen red: a weight of zero ignored, also with spaces or decimals; a longer name that begins with the wanted one accepted;
 * names compared case-sensitively.
 */
import { accepts } from "@sightline/server/http/Accepts"
import { assert, it } from "vitest"

const stream = "text/event-stream"

it.each([
  stream,
  "Text/Event-Stream",
  "application/json, text/event-stream",
  "text/event-stream;q=0.001",
  "text/event-stream; charset=utf-8; q=1.000",
  "text/event-stream;q=0, text/event-stream"
])("%s accepts a stream", (list) => assert.isTrue(accepts(list, stream)))

it.each([
  undefined,
  "",
  "*/*",
  "text/*",
  "text/event-streams",
  "x-text/event-stream",
  "text/event-stream;q=0",
  "application/json, text/event-stream ; Q=0.000",
  "text/event-stream;charset=utf-8;q=0.0"
])("%s does not accept a stream", (list) => assert.isFalse(accepts(list, stream)))
