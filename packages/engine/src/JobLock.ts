import { Context, Effect, Layer, type Scope, Semaphore } from "effect"
import { askConcurrency, runConcurrency } from "./Tuning.ts"

/** One place for each consumer that shares the lock, so that these never wait for each other. */
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
    // Every holder passes the turnstile. An exclusive holder keeps it closed and waits until all places are free.
    const turnstile = Semaphore.makeUnsafe(1)
    const free = Semaphore.makeUnsafe(places)
    return JobLock.of({
      shared: Effect.andThen(Effect.scoped(turnstile.takeScoped(1)), free.takeScoped(1)),
      exclusive: Effect.andThen(turnstile.takeScoped(1), free.takeScoped(places))
    })
  })
}
