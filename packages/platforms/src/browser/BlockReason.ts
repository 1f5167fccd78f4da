import type { Sign } from "@sightline/platforms/live/Surface"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { PageSnapshot } from "./PageSnapshot.ts"
import type { Streams } from "./Streams.ts"

const holds = (sign: Sign, onPage: boolean, snapshot: PageSnapshot, streams: Streams): boolean =>
  onPage &&
  (sign.url === undefined || snapshot.url.includes(sign.url)) &&
  (sign.status === undefined || streams.statuses().includes(sign.status))

const refusalOf = (streams: Streams): CaptureEnding | undefined => {
  if (streams.statuses().some((status) => status >= 500)) return "unavailable"
  if (streams.document() < 400) return undefined
  return streams.document() === 429 ? "rate_limited" : "unavailable"
}

/**
 * Why a page will not answer, if there is a reason: from its signs, then from the site's guard, then from the status of
 * its document and streams.
 *
 * Choice: a document of status 400 or more without another explanation is not waited for, nor a stream of status 500 or
 * more, because sites answer with 200.
 */
export const blockReasonOf = (
  signs: ReadonlyArray<Sign>,
  snapshot: PageSnapshot,
  streams: Streams
): CaptureEnding | undefined => {
  const sign = signs.find((sign, index) => holds(sign, snapshot.signs[index] ?? false, snapshot, streams))
  if (sign !== undefined) return sign.block
  if (streams.challenged()) return "challenge"
  return snapshot.loaded ? refusalOf(streams) : undefined
}
