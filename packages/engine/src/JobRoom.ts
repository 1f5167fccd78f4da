import { Context, Effect, Layer, type Scope, Semaphore } from "effect"
import { askConcurrency, runConcurrency } from "./Tuning.ts"

const places = askConcurrency + runConcurrency

/**
 * Where the jobs of a process are worked on: side by side, or one of them alone. Who enters leaves with its scope.
 *
 * Laws: whoever waits to be alone waits for those inside; who comes later waits outside, so that it gets there.
 */
export class JobRoom extends Context.Service<
  JobRoom,
  {
    readonly beside: Effect.Effect<void, never, Scope.Scope>
    readonly alone: Effect.Effect<void, never, Scope.Scope>
  }
>()("@sightline/engine/JobRoom") {
  static readonly layer = Layer.sync(JobRoom, () => {
    const [door, room] = [Semaphore.makeUnsafe(1), Semaphore.makeUnsafe(places)]
    return JobRoom.of({
      beside: Effect.andThen(Effect.scoped(door.takeScoped(1)), room.takeScoped(1)),
      alone: Effect.andThen(door.takeScoped(1), room.takeScoped(places))
    })
  })
}
