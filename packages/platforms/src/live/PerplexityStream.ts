import { Predicate, Schema } from "effect"
import { fitting, fittingOrNull, maybe } from "@sightline/platforms/Tolerant"
import { eventsOf } from "./EventStream.ts"
import { applyPatch } from "./EventStreamPatch.ts"
import type { KeptStream } from "./Surface.ts"

const asEvent = fittingOrNull(
  Schema.Struct({
    status: maybe(Schema.String),
    final_sse_message: maybe(Schema.Boolean),
    display_model: maybe(Schema.String),
    error_code: Schema.optionalKey(Schema.Unknown),
    error_message: Schema.optionalKey(Schema.Unknown),
    related_query_items: Schema.optionalKey(Schema.Unknown),
    related_queries: Schema.optionalKey(Schema.Unknown),
    blocks: Schema.optionalKey(Schema.Unknown)
  })
)

const patchesIn = fitting(
  Schema.Struct({ op: Schema.String, path: Schema.String, value: Schema.optionalKey(Schema.Unknown) })
)

const itemsIn = fitting(Schema.Struct({ text: Schema.String }))
const textsIn = fitting(Schema.String)

/** Whether an event reports a failure. A completed event may report one in place of an answer. */
const isFailure = (event: ReturnType<typeof asEvent>): boolean => Boolean(event?.error_code || event?.error_message)

/** A completed stream: fields of its last event, and every block in its last state, by its intended use. */
export interface Completion {
  readonly model: string
  readonly related: ReadonlyArray<string>
  readonly blocks: ReadonlyMap<string, unknown>
}

/** Adds a block, which arrives whole or as patches to one of its fields. */
const takeIn = (blocks: Map<string, unknown>, block: unknown): void => {
  if (!Predicate.isObject(block) || typeof block["intended_usage"] !== "string") return
  const usage = block["intended_usage"]
  const diff = block["diff_block"]
  if (!Predicate.isObject(diff)) {
    blocks.set(usage, block)
    return
  }
  if (typeof diff["field"] !== "string") return
  let patched: unknown = blocks.get(usage) ?? {}
  for (const { op, path, value } of patchesIn(diff["patches"])) {
    patched = applyPatch(patched, { op, path: `/${diff["field"]}${path}`, value })
  }
  blocks.set(usage, patched)
}

/**
 * Reads the event streams of one question.
 *
 * Laws: never throws; linear in the input; undefined for a stream without its final event, and for one that failed.
 */
export const completionOf = (streams: ReadonlyArray<KeptStream>): Completion | undefined => {
  const blocks = new Map<string, unknown>()
  for (const { data } of streams.flatMap(({ body, status }) => (status === 200 ? eventsOf(body) : []))) {
    const event = asEvent(data)
    if (isFailure(event)) return undefined
    for (const block of Array.isArray(event?.blocks) ? event.blocks : []) takeIn(blocks, block)
    if (event?.status !== "COMPLETED" || event.final_sse_message !== true) continue
    const items = itemsIn(event.related_query_items).map(({ text }) => text)
    return {
      model: event.display_model ?? "",
      related: items.length > 0 ? items : textsIn(event.related_queries),
      blocks
    }
  }
  return undefined
}
