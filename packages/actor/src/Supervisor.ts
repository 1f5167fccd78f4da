import { Effect, type Schedule, type Scope } from "effect"

/**
 * Runs `effect` beside its caller until the scope closes: each time it fails or dies, that is logged and it is started
 * again when the schedule says. It ends by succeeding, or when the schedule has no more starts, which is logged too.
 */
export const supervise = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  options: { readonly schedule: Schedule.Schedule<unknown> }
): Effect.Effect<void, never, R | Scope.Scope> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`${name} stopped`, cause)),
    Effect.retry(options.schedule),
    Effect.catch((cause) => Effect.logFatal(`${name} is not started again`, cause)),
    Effect.forkScoped,
    Effect.asVoid
  )
