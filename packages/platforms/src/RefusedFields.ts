import { Duration } from "effect"
import type { JsonObject, UpstreamCall } from "./Exchange.ts"

const rememberedFor = Duration.toMillis("1 hour")

const isTasks = (body: UpstreamCall["body"]): body is ReadonlyArray<JsonObject> => Array.isArray(body)

/** The same call without some fields of its object. */
const without = (call: UpstreamCall, isLeftOut: (field: string, value: unknown) => boolean): UpstreamCall => {
  const { body } = call
  if (isTasks(body)) return call
  const sent = Object.entries(body).filter(([field, value]) => !isLeftOut(field, value))
  return { ...call, body: Object.fromEntries(sent) }
}

/** The call without one field. */
export const withoutField = (call: UpstreamCall, field: string): UpstreamCall => without(call, (name) => name === field)

/**
 * The fields that vendors refused by name. They are left out of later calls for as long as they may still be refused.
 *
 * Units: `now` is in milliseconds of a monotonic clock.
 * Laws: a refusal holds for one hour, for one value of one field, one model and one address. The sandbox may refuse what
 * the vendor accepts, and a model may refuse one amount of reasoning and accept another.
 * Bound: one entry for each value that the adapters send in a droppable field, per model and address.
 */
export class RefusedFields {
  private readonly refused = new Map<string, Map<string, number>>()

  /** The call without the fields that are known to be refused. */
  spare(call: UpstreamCall, now: number): UpstreamCall {
    const known = this.refused.get(keyOf(call))
    if (known === undefined) return call
    return without(call, (field, value) => (known.get(valueOf(field, value)) ?? now) > now)
  }

  /** Remembers that the call was answered only without this field. True if that was not known before. */
  remember(call: UpstreamCall, field: string, now: number): boolean {
    const { body } = call
    if (isTasks(body)) return false
    const known = this.refused.get(keyOf(call)) ?? new Map<string, number>()
    const value = valueOf(field, body[field])
    const isNews = (known.get(value) ?? now) <= now
    this.refused.set(keyOf(call), known.set(value, now + rememberedFor))
    return isNews
  }
}

const keyOf = ({ model, url }: UpstreamCall): string => `${url} ${model}`

const valueOf = (field: string, value: unknown): string => `${field} ${JSON.stringify(value)}`
