import { Duration } from "effect"
import type { Look } from "./Look.ts"
import type { Timing } from "./Timing.ts"

/** What the kept streams of a capture say about its end: `over` if one has announced its end, `pending` if one is still arriving. */
export interface Flow {
  readonly over: boolean
  readonly pending: boolean
}

/** The result of the looks so far: the digest of the answer, and since when it has been the same, in `steadyMillis`. */
export interface Watch {
  readonly answer: number
  readonly since: number
  /** Since when the page has been loaded and idle without an answer. */
  readonly idleSince: number | undefined
}

/** No look yet. */
export const firstWatch: Watch = { answer: 0, since: 0, idleSince: undefined }

/**
 * The verdict on a page. It may be read when its answer is `complete`, or when there will be none: on a page that is known
 * (`barren`) or that is not (`strange`).
 */
export type Verdict = "complete" | "barren" | "strange" | "wait"

const isIdle = (look: Look, flow: Flow): boolean => look.loaded && look.answer === 0 && !look.busy && !flow.pending

/** How long the text must have been the same. While a stream is under way, it may only have paused, so it gets longer. */
const patience = ({ pending }: Flow, { steady, absence }: Timing): number =>
  pending ? Duration.toMillis(absence) : 2 * Duration.toMillis(steady)

const judgeAnswer = (look: Look, flow: Flow, stoodMillis: number, timing: Timing): Verdict =>
  !look.busy && stoodMillis >= patience(flow, timing) ? "complete" : "wait"

const judgeAbsence = (look: Look, flow: Flow, idleMillis: number, timing: Timing): Verdict => {
  const window = Duration.toMillis(timing.absence)
  if (look.absence && !flow.pending) return "barren"
  if (look.results || look.container) return idleMillis >= window ? "barren" : "wait"
  return idleMillis >= 2 * window ? "strange" : "wait"
}

/**
 * Judges one look at the page, given those before it.
 *
 * Laws: an answer whose stream is over is complete when nothing is busy any more, or when its text has not changed for the
 * absence window. Any other answer is complete when nothing is busy and its text has not changed for two `steady`
 * intervals; while a stream is under way, for the absence window instead. A page is barren when it shows the words of
 * absence and no stream is under way, or when it has been loaded and idle without an answer for the absence window. A page
 * that shows neither results nor a container may only be slow: it gets twice as long and is then strange.
 */
export const judge = (
  watch: Watch,
  look: Look,
  flow: Flow,
  now: number,
  timing: Timing
): { readonly watch: Watch; readonly verdict: Verdict } => {
  const since = look.answer === watch.answer ? watch.since : now
  const idleSince = isIdle(look, flow) ? (watch.idleSince ?? now) : undefined
  const next = { answer: look.answer, since, idleSince }
  if (flow.over && (!look.busy || now - since >= Duration.toMillis(timing.absence)))
    return { watch: next, verdict: "complete" }
  if (look.answer !== 0) return { watch: next, verdict: judgeAnswer(look, flow, now - since, timing) }
  return { watch: next, verdict: judgeAbsence(look, flow, now - (idleSince ?? now), timing) }
}
