/**
 * Why a page will not answer.
 *
 * Planted and seen red: a sign's address is matched as the whole address or as its end; its status is looked for in the document
 * alone; a failed stream is no reason, or the document's rate limit is none; a document is judged before it is there; the document's
 * status wins over a sign, or over the guard's header.
 */
import { assert, it } from "vitest"
import { blockReasonOf } from "@sightline/platforms/browser/BlockReason"
import type { Streams } from "@sightline/platforms/browser/Streams"
import type { Sign } from "@sightline/platforms/live/Surface"
import { Effect } from "effect"
import { plainSnapshot } from "./plainSnapshot.ts"

interface Seen {
  readonly sign?: Sign
  readonly onPage?: boolean
  readonly loaded?: boolean
  readonly document?: number
  readonly stream?: number
  readonly challenged?: boolean
}

const seen = ({ sign, onPage = true, loaded = true, document = 200, stream = 200, challenged = false }: Seen) => {
  const snapshot = { ...plainSnapshot, url: "https://site.invalid/a/sorry?q=1", loaded, signs: [onPage] }
  const streams: Streams = {
    kept: () => [],
    pending: () => false,
    next: Effect.never,
    statuses: () => [document, stream],
    document: () => document,
    challenged: () => challenged
  }
  return blockReasonOf(sign === undefined ? [] : [sign], snapshot, streams)
}

const captcha = { block: "captcha" } as const

it.each<readonly [string, Seen, ReturnType<typeof seen>]>([
  ["an answered page has none", {}, undefined],
  ["a sign holds when what it says of the page does", { sign: captcha }, "captcha"],
  ["and not otherwise", { sign: captcha, onPage: false }, undefined],
  ["a sign may be a part of the address", { sign: { ...captcha, url: "/sorry" } }, "captcha"],
  ["which is not there", { sign: { ...captcha, url: "/consent" } }, undefined],
  ["a sign may be the document's status", { sign: { ...captcha, status: 403 }, document: 403 }, "captcha"],
  ["or a stream's", { sign: { ...captcha, status: 403 }, stream: 403 }, "captcha"],
  ["and is believed before the guard", { sign: captcha, challenged: true }, "captcha"],
  ["the guard is believed before the status", { challenged: true, document: 403 }, "challenge"],
  ["a document that nothing explains is refused", { document: 404 }, "unavailable"],
  ["from the first status on that refuses", { document: 400 }, "unavailable"],
  ["and not before", { document: 399 }, undefined],
  ["or limited", { document: 429 }, "rate_limited"],
  ["which no stream says of it", { document: 404, stream: 429 }, "unavailable"],
  ["but is judged only when it is there", { document: 404, loaded: false }, undefined],
  ["a stream that failed is waited for by nobody", { stream: 500 }, "unavailable"],
  ["one that is refused may have its sign yet", { stream: 403 }, undefined]
])("%s", (_, given, reason) => {
  assert.strictEqual(seen(given), reason)
})
