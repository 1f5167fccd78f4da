import { type Duration, Effect } from "effect"

/** Runs work under a lease, and renews the lease each `every`; a failed renewal is logged and retried. */
export const whileRenewed = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  renew: Effect.Effect<unknown>,
  every: Duration.Input
): Effect.Effect<A, E, R> =>
  Effect.raceFirst(
    work,
    renew.pipe(
      Effect.catchCause((cause) => Effect.logWarning("A lease was not renewed", cause)),
      Effect.delay(every),
      Effect.forever
    )
  )
