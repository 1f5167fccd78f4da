import { Context, Effect, Result } from "effect"
import type { Asked, FailureCode } from "@sightline/domain/Platform"
import type { Obtained } from "./Flight.ts"

/** What becomes of a question while its call runs: it is put, then it is answered or fails. */
export type Step = "asked" | "ok" | FailureCode

/** Who is told of each question of a call as it is put and as it ends. By default nobody. */
export const Progress = Context.Reference<(question: Asked, step: Step) => void>("@sightline/engine/Progress", {
  defaultValue: () => () => undefined
})

/** Obtains what answers one or more questions, and tells of each when that begins and how it ends. */
export const told = (questions: ReadonlyArray<Asked>, obtain: Effect.Effect<Obtained>): Effect.Effect<Obtained> =>
  Effect.flatMap(Progress, (tell) => {
    for (const question of questions) tell(question, "asked")
    return Effect.map(obtain, (obtained) => {
      const step = Result.isSuccess(obtained.result) ? "ok" : obtained.result.failure.code
      for (const question of questions) tell(question, step)
      return obtained
    })
  })
