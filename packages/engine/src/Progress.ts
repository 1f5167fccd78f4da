import { Context, Effect, Result } from "effect"
import type { Asked, FailureCode } from "@sightline/domain/Platform"
import type { Obtained } from "./Flight.ts"

/** The steps of a question while its call runs: it is asked, then it is answered or fails. */
export type Step = "asked" | "ok" | FailureCode

/** The listener that is notified when a question of a call is asked and when it ends. By default it does nothing. */
export const Progress = Context.Reference<(question: Asked, step: Step) => void>("@sightline/engine/Progress", {
  defaultValue: () => () => undefined
})

/** Obtains the answer to one or more questions, and notifies `Progress` when each begins and how it ends. */
export const reportProgress = (
  questions: ReadonlyArray<Asked>,
  obtain: Effect.Effect<Obtained>
): Effect.Effect<Obtained> =>
  Effect.flatMap(Progress, (report) => {
    for (const question of questions) report(question, "asked")
    return Effect.map(obtain, (obtained) => {
      const step = Result.isSuccess(obtained.result) ? "ok" : obtained.result.failure.code
      for (const question of questions) report(question, step)
      return obtained
    })
  })
