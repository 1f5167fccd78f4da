import { type Duration, Effect } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { LiveSurface } from "@sightline/domain/Platform"
import { type Capture, millisLeft } from "@sightline/platforms/Capture"
import type { Read, UpstreamCall } from "@sightline/platforms/Exchange"
import { type Locale, localeOf } from "@sightline/platforms/live/Locale"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"

/** The address of a vendor, and the deadline of one whole capture, counted from the arrival of its question. */
export interface Vendor {
  readonly baseUrl: string
  readonly deadline: Duration.Input
}

/** How one vendor is asked about one surface, and how its answer is read. */
export interface Asking extends Pick<UpstreamCall, "headers" | "refusal"> {
  readonly path: string
  readonly body: (query: string, locale: Locale) => UpstreamCall["body"]
  readonly read: Read<Answer>
}

/** A surface captured by one request to a vendor. */
export const asking = Effect.fnUntraced(function* (
  platform: LiveSurface,
  vendor: Vendor,
  { body, headers, path, read, refusal }: Asking
): Effect.fn.Return<Capture, never, UpstreamClient> {
  const client = yield* UpstreamClient
  const url = vendor.baseUrl.replace(/\/+$/, "") + path
  const until = Effect.zipWith(steadyMillis, millisLeft(vendor.deadline), (now, left) => now + left)

  return (question: Question) =>
    Effect.flatMap(until, (until) => {
      const query = question.turns.at(-1)?.content ?? ""
      const call: UpstreamCall = {
        platform,
        model: question.model,
        url,
        headers,
        body: body(query, localeOf(question.country)),
        droppable: [],
        ...(refusal !== undefined && { refusal })
      }
      return client.post(call, read, until)
    })
})
