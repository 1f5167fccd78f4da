import { type Duration, Effect, Layer, Schedule } from "effect"
import { supervise } from "@sightline/actor/Supervisor"
import { Answers } from "@sightline/store/Answers"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { Charges } from "@sightline/store/Charges"
import { Discoveries } from "@sightline/store/Discoveries"
import { Replies } from "@sightline/store/Replies"
import { Rests } from "@sightline/store/Rests"

/**
 * Gives back what died callers left held, and forgets what is too old to be of use: replies and answers of a day ago,
 * discoveries of a week ago, rests that are over, hours of captures that nobody looks at. At once, then every `interval`.
 *
 * Laws: runs in any number of processes at once; a round that fails is logged and the next one runs on time.
 */
export const layer = (
  interval: Duration.Input
): Layer.Layer<never, never, Answers | CaptureStats | Charges | Discoveries | Replies | Rests> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const answers = yield* Answers
      const charges = yield* Charges
      const discoveries = yield* Discoveries
      const replies = yield* Replies
      const rests = yield* Rests
      const stats = yield* CaptureStats
      const round = Effect.gen(function* () {
        const voided = yield* drain(charges.sweepExpired)
        if (voided > 0)
          yield* Effect.logInfo("Holds of lost calls were given back").pipe(Effect.annotateLogs({ voided }))
        yield* drain(replies.prune)
        yield* drain(answers.prune)
        yield* drain(discoveries.prune)
        yield* drain(rests.prune)
        yield* drain(stats.prune)
      })
      const schedule = Schedule.spaced(interval)
      yield* supervise("The sweeper", Effect.repeat(round, schedule), { schedule })
    })
  )

/** Repeats a bounded step until it finds nothing to do. How much it did in all. */
const drain = (step: Effect.Effect<number>): Effect.Effect<number> =>
  Effect.flatMap(step, (done) => (done === 0 ? Effect.succeed(0) : Effect.map(drain(step), (more) => done + more)))
