import { Predicate, Schema } from "effect"
import { fitting, maybe } from "@sightline/platforms/Tolerant"
import { eventsOf } from "./EventStream.ts"
import { applyPatch } from "./EventStreamPatch.ts"
import type { KeptStream } from "./Surface.ts"

const Message = Schema.Struct({
  author: Schema.Struct({ role: Schema.String }),
  recipient: maybe(Schema.String),
  channel: maybe(Schema.String),
  content: maybe(Schema.Struct({ parts: maybe(Schema.Array(Schema.Unknown)) })),
  metadata: maybe(
    Schema.Struct({
      resolved_model_slug: maybe(Schema.String),
      content_references: Schema.optionalKey(Schema.Unknown),
      search_model_queries: maybe(Schema.Struct({ queries: Schema.optionalKey(Schema.Unknown) }))
    })
  )
})

/** One message of a conversation, as far as it is read. */
export type Message = typeof Message.Type

const messagesIn = fitting(Schema.Struct({ message: Message }))

/** What the streams of one turn contain. `complete`: their end was seen. `failed`: one of them reported an error. */
export interface Conversation {
  readonly messages: ReadonlyArray<Message>
  /** The advert units, as they were served. */
  readonly adverts: ReadonlyArray<unknown>
  readonly complete: boolean
  readonly failed: boolean
}

/**
 * Applies deltas to documents. A delta `{p, o, v, c}` has a path, an operation, its value and the number of its document. A
 * path, operation or number that it leaves out is the one of the delta before. The value of `patch` is a list of deltas
 * below its path. Adding at the root begins a new document.
 */
const makeDocuments = () => {
  const documents: Array<unknown> = []
  const places = new Map<number, number>()
  const last = { path: "", op: "", document: 0 }

  const change = (op: string, path: string, value: unknown): void => {
    if (path === "" && op === "add") {
      places.set(last.document, documents.length)
      documents.push(value)
      return
    }
    const place = places.get(last.document)
    if (place !== undefined) documents[place] = applyPatch(documents[place], { op, path, value })
  }

  const apply = (delta: Record<PropertyKey, unknown>): void => {
    if (Predicate.isString(delta["p"])) last.path = delta["p"]
    if (Predicate.isString(delta["o"])) last.op = delta["o"]
    if (Predicate.isNumber(delta["c"])) last.document = delta["c"]
    const { v } = delta
    if (last.op !== "patch") return change(last.op, last.path, v)
    for (const part of Array.isArray(v) ? v : []) {
      if (!Predicate.isObject(part) || !Predicate.isString(part["p"]) || !Predicate.isString(part["o"])) continue
      change(part["o"], last.path + part["p"], part["v"])
    }
  }

  return { documents, apply }
}

/**
 * Reads the event streams of one turn, in the given order: the second continues where the first was handed off.
 *
 * Laws: never throws; linear in the input; unknown events are ignored.
 */
export const conversationOf = (streams: ReadonlyArray<KeptStream>): Conversation => {
  const { apply, documents } = makeDocuments()
  const adverts: Array<ReadonlyArray<unknown>> = []
  let complete = false
  let failed = false
  for (const { data } of streams.flatMap(({ body, status }) => (status === 200 ? eventsOf(body) : []))) {
    if (!Predicate.isObject(data)) continue
    failed ||= Boolean(data["error"])
    if (!Predicate.isString(data["type"])) apply(data)
    else if (data["type"] === "message_stream_complete") complete = true
    else if (data["type"] === "ads" && Array.isArray(data["ads"])) adverts.push(data["ads"])
  }
  return { messages: messagesIn(documents).map(({ message }) => message), adverts: adverts.flat(), complete, failed }
}
