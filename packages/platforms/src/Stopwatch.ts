import { Clock, DateTime, Effect } from "effect"

/** When something began, and how long ago that was. Units: whole milliseconds, unaffected by changes of the system clock. */
export interface Stopwatch {
  readonly startedAt: DateTime.Utc
  readonly elapsedMillis: () => number
}

/** Whole milliseconds of the monotonic clock, which nobody can set and which has no date. Deadlines and turns are measured by it. */
export const steadyMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) =>
  Number(nanos / 1_000_000n)
)

/** The effect with the monotonic clock in place of the system clock, so that changes of the system clock do not affect its lifetimes. */
export const withSteadyClock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.updateService(Clock.Clock, (clock): Clock.Clock =>
    Object.create(clock, {
      currentTimeMillisUnsafe: { value: () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n) }
    })
  )

/** Starts now. */
export const startStopwatch: Effect.Effect<Stopwatch> = Effect.map(Clock.Clock, (clock) => {
  const start = clock.monotonicTimeNanosUnsafe()
  return {
    startedAt: DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()),
    elapsedMillis: () => Math.round(Number(clock.monotonicTimeNanosUnsafe() - start) / 1e6)
  }
})
