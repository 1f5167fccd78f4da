import { Clock, Effect } from "effect"

/** Runs an effect whose wall clock shows `told` of the real time, as if somebody set it. Sleeps and monotonic time are unchanged. */
export const withClockSet = <A, E, R>(effect: Effect.Effect<A, E, R>, told: (millis: number) => number) =>
  Effect.provideServiceEffect(
    effect,
    Clock.Clock,
    Effect.map(Clock.Clock, (clock): Clock.Clock => {
      const read = () => told(clock.currentTimeMillisUnsafe())
      return Object.create(clock, {
        currentTimeMillisUnsafe: { value: read },
        currentTimeMillis: { value: Effect.sync(read) }
      })
    })
  )
