import { Array, Effect, Option, Result } from "effect"
import type { Ask } from "@sightline/domain/Ask"
import { startStopwatch } from "@sightline/platforms/Stopwatch"
import type { AnswerSource } from "./AnswerSource.ts"
import type { AskedPlatform } from "./AskOutcome.ts"
import type { AskSubject } from "./AskSubjects.ts"
import type { Obtained } from "./Flight.ts"
import { reportProgress } from "./Progress.ts"

/** The answers to an ask's questions that are known before any platform is asked, by position. */
export type Known = ReadonlyArray<Option.Option<Obtained>>

/** Whether no question has to be asked and at least one answer was found. */
export const isAllKnown = (subjects: ReadonlyArray<AskSubject>, known: Known): boolean =>
  known.some(Option.isSome) &&
  Array.zip(subjects, known).every(([subject, found]) => Result.isFailure(subject) || Option.isSome(found))

const timed = Effect.fnUntraced(function* (platform: AskedPlatform["platform"], obtaining: Effect.Effect<Obtained>) {
  const stopwatch = yield* startStopwatch
  const obtained = yield* obtaining
  return { platform, obtained, millis: stopwatch.elapsedMillis() }
})

/** Answers the questions of asks. A question that cannot be asked fails its own platform only. */
export const makeAskAnswers = (source: AnswerSource["Service"]) => {
  const obtain = (subject: AskSubject): Effect.Effect<Obtained> =>
    Result.isSuccess(subject)
      ? source.obtain(subject.success)
      : Effect.succeed({ origin: "fresh", result: Result.fail(subject.failure) })

  return {
    recall: Effect.fnUntraced(function* (subjects: ReadonlyArray<AskSubject>) {
      const found = yield* source.recall(Array.getSuccesses(subjects))
      let next = 0
      const known: Known = subjects.map((subject) =>
        Result.isSuccess(subject) ? (found[next++] ?? Option.none()) : Option.none()
      )
      return known
    }),
    /** Asks the questions whose answers are not known yet, all at once. If there are none, `Progress` is not notified. */
    askAll: (
      ask: Ask,
      subjects: ReadonlyArray<AskSubject>,
      known: Known
    ): Effect.Effect<ReadonlyArray<AskedPlatform>> => {
      const report = isAllKnown(subjects, known) ? <A>(_: unknown, one: A): A => one : reportProgress
      return Effect.forEach(
        Array.zip(ask.platforms, Array.zip(subjects, known)),
        ([platform, [subject, found]]) =>
          timed(platform, report([platform], Option.isSome(found) ? Effect.succeed(found.value) : obtain(subject))),
        { concurrency: "unbounded" }
      )
    }
  }
}
