import { type Cause, Effect, type Schedule, type Scope } from "effect"

/**
 * Runs `effect` beside its caller until the scope closes: each time it fails or dies, that is logged and it is started
 * again when the schedule says. It ends by succeeding, or when the schedule has no more starts, which is logged too.
 */
export const supervise = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  options: {
    readonly schedule: Schedule.Schedule<unknown>
    /** Logs that it has failed or died, where that is not to be said each time. */
    readonly tell?: (message: string, cause: Cause.Cause<E>) => Effect.Effect<void>
  }
): Effect.Effect<void, never, R | Scope.Scope> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => (options.tell ?? Effect.logError)(`${name} stopped`, cause)),
    Effect.retry(options.schedule),
    Effect.catch((cause) => Effect.logFatal(`${name} is not started again`, cause)),
    Effect.forkScoped,
    Effect.asVoid
  )
