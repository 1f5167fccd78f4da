import type { LiveSurface } from "@sightline/domain/Platform"
import { Duration, Result } from "effect"
import { parseDirectives, type UnknownDirective } from "@sightline/sandbox/Directive"
import { type Ending, type Fault, makeScript, type Script } from "@sightline/sandbox/Fault"
import type { CaptureRoute } from "@sightline/sandbox/Inquiry"
import { cutShort, declined, type LiveAnswer, liveAnswer, type LiveSource, showsAnswer } from "./LiveAnswer.ts"

/**
 * What happens when one question is put to one live surface.
 *
 * Shape: `question` is without its directives. `ending` is what happens instead of, before or around the answer: after
 * `consent` is clicked away, the answer follows. `answer` is undefined if the surface shows none. `results` are the
 * ordinary results, which a page of search results has in any case.
 * Units: `latencyMillis` pass before anything is sent, `slowMillis` while the answer streams; 0 is the ordinary pace.
 */
export interface Scene {
  readonly question: string
  readonly latencyMillis: number
  readonly slowMillis: number
  readonly ending: Exclude<Ending, { readonly kind: "outcome" }> | undefined
  readonly answer: LiveAnswer | undefined
  readonly results: ReadonlyArray<LiveSource>
}

/**
 * One question as it arrived at a surface.
 *
 * Shape: `question` still has its directives; `faults` apply after its own. A `script` counts tries for `times=N`; without
 * one, every try is the first.
 */
export interface Showing {
  readonly seed: number
  readonly surface: LiveSurface
  readonly captureRoute: CaptureRoute
  readonly question: string
  readonly country: string
  readonly script?: Script
  readonly faults?: ReadonlyArray<Fault>
}

const millis = (duration: Duration.Input | undefined): number => Duration.toMillis(duration ?? 0)

/** The answer, and the part of the ending that does not concern the answer itself. */
const played = (answer: LiveAnswer, ending: Ending | undefined): Pick<Scene, "answer" | "ending"> => {
  if (ending?.kind === "no_answer") return { answer: undefined, ending }
  if (ending?.kind !== "outcome") return { answer, ending }
  switch (ending.outcome) {
    case "refusal":
      return { answer: declined(answer), ending: undefined }
    case "truncated":
      return { answer: cutShort(answer), ending: undefined }
    case "silent_refusal":
    case "empty":
      return { answer, ending: { kind: "container_empty" } }
    default:
      return { answer, ending: undefined }
  }
}

/**
 * Resolves the directives of a question for a page or a vendor.
 *
 * Laws: the same question has the same answer, whether a page or a vendor shows it. A surface that often shows no answer
 * always shows one if a directive sets the ending or the pace, unless the ending is `no-answer`.
 */
export const sceneOf = (showing: Showing): Result.Result<Scene, UnknownDirective> => {
  const { seed, surface, country, captureRoute, script = makeScript(), faults: standing = [] } = showing
  return Result.map(parseDirectives(showing.question), ({ question, faults }) => {
    const fault = script([...faults, ...standing], [surface, captureRoute], showing.question)
    const asked = { seed, surface, question, country }
    const shown = fault.ending !== undefined || fault.slow !== undefined || showsAnswer(asked)
    const answer = liveAnswer(asked)
    return {
      question,
      latencyMillis: millis(fault.latency),
      slowMillis: millis(fault.slow),
      results: answer.sources,
      ...(shown ? played(answer, fault.ending) : { answer: undefined, ending: undefined })
    }
  })
}
