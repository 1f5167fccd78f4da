import { Context, Effect, Layer, type Scope, Semaphore } from "effect"
import { askConcurrency, runConcurrency } from "./Tuning.ts"

/** As many as there are takers, so that none of them waits for a place beside the others. */
const places = askConcurrency + runConcurrency

/**
 * Where the jobs of a process are worked on: side by side, or one of them alone. Who enters leaves with its scope.
 *
 * Laws: whoever is to be alone waits for those inside; those who come later wait until it has left.
 */
export class JobRoom extends Context.Service<
  JobRoom,
  {
    readonly beside: Effect.Effect<void, never, Scope.Scope>
    readonly alone: Effect.Effect<void, never, Scope.Scope>
  }
>()("@sightline/engine/JobRoom") {
  static readonly layer = Layer.sync(JobRoom, () => {
    // Everybody passes the door. Whoever is to be alone keeps it shut and waits until all places are free.
    const [door, room] = [Semaphore.makeUnsafe(1), Semaphore.makeUnsafe(places)]
    return JobRoom.of({
      beside: Effect.andThen(Effect.scoped(door.takeScoped(1)), room.takeScoped(1)),
      alone: Effect.andThen(door.takeScoped(1), room.takeScoped(places))
    })
  })
}
