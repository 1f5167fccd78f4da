import { Context, Duration, Effect } from "effect"
import { protocol } from "@sightline/actor/Actor"
import { Answer, Question } from "@sightline/domain/Answer"
import { type Environment, type Platform, PlatformFailed } from "@sightline/domain/Platform"

/** What every platform does: one question in, one normalised answer or one failure out. */
export type Capture = (question: Question) => Effect.Effect<Answer, PlatformFailed>

/** The messages by which a platform's actor is asked. */
export const Capturing = protocol("platform.capture", { request: Question, answer: Answer, failure: PlatformFailed })

/** The key of the actor that asks `platform` in `environment`: `live-chatgpt_api`, one word of a subject. */
export const address = (environment: Environment, platform: Platform): string => `${environment}-${platform}`

/** How many milliseconds the question has waited for its capture to begin. */
export const Waited = Context.Reference<number>("@sightline/platforms/Capture/Waited", { defaultValue: () => 0 })

/** The milliseconds left of `whole` for a capture that begins now: the time that its question has waited is subtracted. */
export const millisLeft = (whole: Duration.Input): Effect.Effect<number> =>
  Effect.map(Waited, (waited) => Math.max(0, Duration.toMillis(whole) - waited))
