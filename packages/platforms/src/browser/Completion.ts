import { Duration } from "effect"
import type { PageSnapshot } from "./PageSnapshot.ts"
import type { Timing } from "./Timing.ts"

/** What the kept streams of a capture say about its end: `over` if one has announced its end, `pending` if one is still arriving. */
export interface StreamState {
  readonly over: boolean
  readonly pending: boolean
}

/** The result of the snapshots so far: the digest of the answer, and since when it has been the same, in `steadyMillis`. */
export interface Stability {
  readonly answer: number
  readonly since: number
  /** Since when the page has been loaded and idle without an answer. */
  readonly idleSince: number | undefined
}

/** No snapshot yet. */
export const initialStability: Stability = { answer: 0, since: 0, idleSince: undefined }

/**
 * The verdict on a page. It may be read when its answer is `complete`, or when there will be none: on a page that is known
 * (`no_answer`) or that is not (`unknown_page`).
 */
export type Verdict = "complete" | "no_answer" | "unknown_page" | "wait"

const isIdle = (snapshot: PageSnapshot, flow: StreamState): boolean =>
  snapshot.loaded && snapshot.answer === 0 && !snapshot.busy && !flow.pending

/** How long the text must have been the same. While a stream is under way, it may only have paused, so it gets longer. */
const patience = ({ pending }: StreamState, { steady, absence }: Timing): number =>
  pending ? Duration.toMillis(absence) : 2 * Duration.toMillis(steady)

const judgeAnswer = (snapshot: PageSnapshot, flow: StreamState, stoodMillis: number, timing: Timing): Verdict =>
  !snapshot.busy && stoodMillis >= patience(flow, timing) ? "complete" : "wait"

const judgeAbsence = (snapshot: PageSnapshot, flow: StreamState, idleMillis: number, timing: Timing): Verdict => {
  const window = Duration.toMillis(timing.absence)
  if (snapshot.absence && !flow.pending) return "no_answer"
  if (snapshot.results || snapshot.container) return idleMillis >= window ? "no_answer" : "wait"
  return idleMillis >= 2 * window ? "unknown_page" : "wait"
}

/**
 * Judges one snapshot of the page, given those before it.
 *
 * Laws: an answer whose stream is over is complete when nothing is busy any more, or when its text has not changed for the
 * absence window. Any other answer is complete when nothing is busy and its text has not changed for two `steady`
 * intervals; while a stream is under way, for the absence window instead. A page has no answer when it shows the words of
 * absence and no stream is under way, or when it has been loaded and idle without an answer for the absence window. A page
 * that shows neither results nor a container may only be slow: it gets twice as long and is then unknown.
 */
export const judge = (
  stability: Stability,
  snapshot: PageSnapshot,
  flow: StreamState,
  now: number,
  timing: Timing
): { readonly stability: Stability; readonly verdict: Verdict } => {
  const since = snapshot.answer === stability.answer ? stability.since : now
  const idleSince = isIdle(snapshot, flow) ? (stability.idleSince ?? now) : undefined
  const next = { answer: snapshot.answer, since, idleSince }
  if (flow.over && (!snapshot.busy || now - since >= Duration.toMillis(timing.absence)))
    return { stability: next, verdict: "complete" }
  if (snapshot.answer !== 0) return { stability: next, verdict: judgeAnswer(snapshot, flow, now - since, timing) }
  return { stability: next, verdict: judgeAbsence(snapshot, flow, now - (idleSince ?? now), timing) }
}
