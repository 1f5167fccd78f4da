import { Context, Effect, Layer, type Scope, Semaphore } from "effect"
import { askConcurrency, runConcurrency } from "./Tuning.ts"

/** As many as there are takers, so that none of them waits for another that shares the lock. */
const places = askConcurrency + runConcurrency

/**
 * The lock under which the jobs of a process are worked on: shared, or by one of them exclusively. It is held until the
 * scope of its holder closes.
 *
 * Laws: an exclusive holder waits for the current holders; later ones wait until it is free again.
 */
export class JobLock extends Context.Service<
  JobLock,
  {
    readonly shared: Effect.Effect<void, never, Scope.Scope>
    readonly exclusive: Effect.Effect<void, never, Scope.Scope>
  }
>()("@sightline/engine/JobLock") {
  static readonly layer = Layer.sync(JobLock, () => {
    // Everybody passes the turnstile. Whoever wants the lock exclusively keeps it shut and waits until all places are free.
    const turnstile = Semaphore.makeUnsafe(1)
    const free = Semaphore.makeUnsafe(places)
    return JobLock.of({
      shared: Effect.andThen(Effect.scoped(turnstile.takeScoped(1)), free.takeScoped(1)),
      exclusive: Effect.andThen(turnstile.takeScoped(1), free.takeScoped(places))
    })
  })
}
