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
 * What of our own making vendors refused by name: left out of later calls, as long as it may still be refused.
 *
 * Units: `now` is in milliseconds of any clock that only goes forward.
 * Laws: a refusal holds for an hour, and for one value of one field to one model at one address, since the sandbox may refuse what the
 * vendor takes, and a model one amount of reasoning and not another. Room: as many values as we make of a droppable field.
 */
export class RefusedFields {
  private readonly refused = new Map<string, Map<string, number>>()

  /** The call as it is to be sent. */
  spare(call: UpstreamCall, now: number): UpstreamCall {
    const known = this.refused.get(keyOf(call))
    if (known === undefined) return call
    return without(call, (field, value) => (known.get(valueOf(field, value)) ?? now) > now)
  }

  /** Notes that a call was answered without this field of it, which had been refused; whether that is news. */
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
