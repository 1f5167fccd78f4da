import { Clock, DateTime, Effect } from "effect"

/** When something began, and how long ago that is by now. Units: `millis` whole milliseconds, whatever the clock was set to meanwhile. */
export interface Begun {
  readonly at: DateTime.Utc
  readonly millis: () => number
}

/** Begins now. */
export const begin: Effect.Effect<Begun> = Effect.map(Clock.Clock, (clock) => {
  const start = clock.monotonicTimeNanosUnsafe()
  return {
    at: DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()),
    millis: () => Math.round(Number(clock.monotonicTimeNanosUnsafe() - start) / 1e6)
  }
})
