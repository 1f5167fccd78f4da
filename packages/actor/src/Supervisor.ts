import { type Cause, type Duration, Effect, Schedule, type Scope } from "effect"

/** Logs an outage once: later failures are not logged until `recovered` has marked a recovery. */
export const makeOutageLog = () => {
  let isLogged = false
  return {
    recovered: Effect.sync(() => void (isLogged = false)),
    logFailure: (message: string, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (isLogged) return Effect.void
        isLogged = true
        return Effect.logError(message, cause)
      })
  }
}

/**
 * Runs `effect` in the background until the scope closes. Each failure or defect is logged, and the effect is started again after the
 * delay of the schedule. It ends when the effect succeeds, or when the schedule ends, which is logged too.
 */
export const supervise = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  options: {
    readonly schedule: Schedule.Schedule<unknown>
    /** Logs a failure or defect, where not each one is to be logged. */
    readonly logFailure?: (message: string, cause: Cause.Cause<E>) => Effect.Effect<void>
  }
): Effect.Effect<void, never, R | Scope.Scope> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => (options.logFailure ?? Effect.logError)(`${name} stopped`, cause)),
    Effect.retry(options.schedule),
    Effect.catch((cause) => Effect.logFatal(`${name} is not started again`, cause)),
    Effect.forkScoped,
    Effect.asVoid
  )

/**
 * Runs `round` at once and then with pauses of `interval`, in the background until the scope closes. Consecutive failures are logged
 * once.
 */
export const superviseRounds = <A, E, R>(
  name: string,
  round: Effect.Effect<A, E, R>,
  interval: Duration.Input
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.suspend(() => {
    const { logFailure, recovered } = makeOutageLog()
    const schedule = Schedule.spaced(interval)
    return supervise(name, Effect.repeat(Effect.andThen(round, recovered), schedule), { schedule, logFailure })
  })
