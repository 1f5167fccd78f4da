import { type Cause, type Duration, Effect, Schedule, type Scope } from "effect"

/** An outage as its operator hears of it: once, however often something stops, until it has been well again. */
export const makeOutage = () => {
  let isTold = false
  return {
    well: Effect.sync(() => void (isTold = false)),
    tell: (message: string, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (isTold) return Effect.void
        isTold = true
        return Effect.logError(message, cause)
      })
  }
}

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

/** Does `round` at once and then every `interval`, beside its caller until the scope closes. Rounds that fail in a row are one line. */
export const superviseRounds = <A, E, R>(
  name: string,
  round: Effect.Effect<A, E, R>,
  interval: Duration.Input
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    const { tell, well } = makeOutage()
    const schedule = Schedule.spaced(interval)
    return supervise(name, Effect.repeat(Effect.andThen(round, well), schedule), { schedule, tell })
  })
