import { Clock, DateTime, Effect } from "effect"

/** When something began, and how long ago that is. Units: whole milliseconds, whatever the clock was set to meanwhile. */
export interface Stopwatch {
  readonly startedAt: DateTime.Utc
  readonly elapsedMillis: () => number
}

/** Whole milliseconds of a clock that nobody sets and that knows no date: what deadlines and turns are told by. */
export const steadyMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) =>
  Number(nanos / 1_000_000n)
)

/** An effect that finds its times told by that clock: what it keeps for a while is kept that long. */
export const steadily: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.updateService(
  Clock.Clock,
  (clock): Clock.Clock =>
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
