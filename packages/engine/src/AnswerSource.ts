import { Clock, Context, Deferred, Effect, FiberSet, Layer, Option, Result } from "effect"
import { type AnswerKey, answerKey, type AnswerSubject } from "@sightline/store/AnswerKey"
import { Answers } from "@sightline/store/Answers"
import { makeAnswerMemory } from "./AnswerMemory.ts"
import { makeFlight, type Obtained } from "./Flight.ts"

/**
 * Answers, from the cheapest source that has them.
 *
 * Laws: identical questions asked at the same time, in any process, are put to the platform once; only successes are
 * remembered; a caller who hangs up does not affect others who wait for the same answer.
 * Source: decisions C3.
 */
export class AnswerSource extends Context.Service<
  AnswerSource,
  {
    /** The cached answers, by position. Asks no platform. */
    readonly recall: (subjects: ReadonlyArray<AnswerSubject>) => Effect.Effect<ReadonlyArray<Option.Option<Obtained>>>
    /** The answer or the failure: from the cache, from a flight under way, or by asking now. */
    readonly obtain: (subject: AnswerSubject) => Effect.Effect<Obtained>
    /** The answer or the failure of asking now, even if an answer is cached. The new answer is cached. */
    readonly refresh: (subject: AnswerSubject) => Effect.Effect<Obtained>
  }
>()("@sightline/engine/AnswerSource") {
  static readonly layer = Layer.effect(
    AnswerSource,
    Effect.gen(function* () {
      const memory = makeAnswerMemory(yield* Clock.Clock)
      const store = yield* Answers
      const { runFlight, askFresh } = yield* makeFlight
      const fibers = yield* FiberSet.make()
      const inFlight = new Map<string, Deferred.Deferred<Obtained>>()

      const recall = Effect.fnUntraced(function* (subjects: ReadonlyArray<AnswerSubject>) {
        const keys = subjects.map(answerKey)
        const held = keys.map((key) => memory.get(key))
        const missing = keys.filter((_, position) => held[position] === undefined)
        const stored = missing.length === 0 ? [] : yield* store.find(missing)
        return keys.map((key, position): Option.Option<Obtained> => {
          const answer = held[position]
          if (answer !== undefined) return Option.some({ origin: "l1", result: Result.succeed(answer) })
          const found = stored.find((entry) => entry.key === key)
          if (found === undefined) return Option.none()
          memory.set(key, found.answer)
          return Option.some({ origin: found.tier, result: Result.succeed(found.answer) })
        })
      })

      const remember = (key: AnswerKey) => (obtained: Obtained) =>
        Effect.sync(() => Result.isSuccess(obtained.result) && memory.set(key, obtained.result.success))

      const startFlight = (key: AnswerKey, subject: AnswerSubject) => {
        const landing = Deferred.makeUnsafe<Obtained>()
        inFlight.set(key, landing)
        return runFlight(key, subject).pipe(
          Effect.tap(remember(key)),
          Effect.onExit((exit) =>
            Effect.sync(() => {
              inFlight.delete(key)
              Deferred.doneUnsafe(landing, exit)
            })
          ),
          // The flight belongs to the source, so that a caller who hangs up leaves the others their answer.
          (flight) => FiberSet.run(fibers, flight),
          Effect.as(landing)
        )
      }

      // Only the wait can be interrupted. A flight that is registered but never started would keep later callers waiting forever.
      const obtain = (subject: AnswerSubject): Effect.Effect<Obtained> =>
        Effect.uninterruptibleMask((restore) => {
          const key = answerKey(subject)
          const joined = inFlight.get(key)
          // A caller that joins asks no question of its own: its answer counts as one from this process's memory.
          return joined === undefined
            ? Effect.flatMap(startFlight(key, subject), (landing) => restore(Deferred.await(landing)))
            : Effect.map(restore(Deferred.await(joined)), ({ result }): Obtained => ({ origin: "l1", result }))
        })

      const refresh = (subject: AnswerSubject) =>
        Effect.suspend(() => {
          const key = answerKey(subject)
          return Effect.tap(askFresh(key, subject), remember(key))
        })

      return AnswerSource.of({ recall, obtain, refresh })
    })
  )
}
