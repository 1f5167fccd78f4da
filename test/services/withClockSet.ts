import { Clock, Effect } from "effect"

/** Runs an effect by a clock that somebody sets: its wall time is told by `told`, its sleeps and its steady time go on as they did. */
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
