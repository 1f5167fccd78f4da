import { Duration } from "effect"
import type { Look } from "./Look.ts"
import type { Timing } from "./Timing.ts"

/** What of a capture's kept streams matters for its end: whether one said that it is over, or one is still coming. */
export interface Flow {
  readonly over: boolean
  readonly pending: boolean
}

/** Since when the page has looked as it does, in `steadyMillis`. */
export interface Watch {
  readonly answer: number
  readonly since: number
  /** Since when it has been loaded and idle without an answer. */
  readonly idleSince: number | undefined
}

/** Nothing seen yet. */
export const firstWatch: Watch = { answer: 0, since: 0, idleSince: undefined }

/** Whether the page may be read: its answer is complete, or there will be none on a page that is known or `strange`. */
export type Verdict = "complete" | "barren" | "strange" | "wait"

const isIdle = (look: Look, flow: Flow): boolean => look.loaded && look.answer === 0 && !look.busy && !flow.pending

/** How long the text must have stood still: a stream still under way may only have paused. */
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
 * Judges one look at the page after those before it.
 *
 * Laws: an answer is complete when its stream is over and nothing is busy any more, or when nothing is busy and its text has not changed for two
 * intervals, which are three looks; a stream still under way prolongs them to the absence window. A page is barren when
 * the words of absence stand there, or when it is loaded and idle without an answer for the absence window. One that shows
 * neither results nor container may only be slow: it is given twice as long, and is strange then.
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
