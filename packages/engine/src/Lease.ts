import { Effect, Schedule } from "effect"
import { jobRenewal } from "./Tuning.ts"

/** Does work on a row that is leased to us, and renews the lease meanwhile; a renewal that fails is logged and tried again. */
export const whileRenewed = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  renew: Effect.Effect<unknown>
): Effect.Effect<A, E, R> =>
  Effect.raceFirst(
    work,
    renew.pipe(
      Effect.catchCause((cause) => Effect.logWarning("A lease was not renewed", cause)),
      Effect.schedule(Schedule.spaced(jobRenewal)),
      Effect.andThen(Effect.never)
    )
  )
