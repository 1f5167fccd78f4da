import { Deferred, type Duration, Effect, Option, Stream } from "effect"
import { Bus } from "./Bus.ts"

/** The content of a broadcast about the thing with this key. */
interface Notice {
  readonly key: string
}

/**
 * Waits for broadcasts about a key. All waits of a process on one subject share one subscription.
 *
 * Shape: `read` decodes a broadcast; one that it cannot decode is ignored. A wait that times out ends with none.
 * Laws: a notice ends all current waits for its key, and no other. Best effort, like the bus: a caller that must be certain reads the
 * state again after a wait, however the wait ended.
 */
export const makeNotices = Effect.fnUntraced(function* <A extends Notice>(
  subject: string,
  read: (message: string) => Option.Option<A>
) {
  const bus = yield* Bus
  const waiting = new Map<string, Set<Deferred.Deferred<A>>>()
  const notify = (notice: A) => {
    // A copy: a caller that waits again at once joins the set, and must get the next notice instead.
    for (const wait of Array.from(waiting.get(notice.key) ?? [])) Deferred.doneUnsafe(wait, Effect.succeed(notice))
  }
  yield* bus.listen(subject).pipe(
    Stream.runForEach((message) => Effect.sync(() => Option.map(read(message), notify))),
    Effect.forkScoped
  )
  const enter = (key: string) => {
    const wait = Deferred.makeUnsafe<A>()
    waiting.set(key, (waiting.get(key) ?? new Set()).add(wait))
    return wait
  }
  const leave = (key: string, wait: Deferred.Deferred<A>) => {
    const others = waiting.get(key)
    others?.delete(wait)
    if (others?.size === 0) waiting.delete(key)
  }
  return (key: string, timeout: Duration.Input): Effect.Effect<Option.Option<A>> =>
    Effect.acquireUseRelease(
      Effect.sync(() => enter(key)),
      (wait) => Effect.timeoutOption(Deferred.await(wait), timeout),
      (wait) => Effect.sync(() => leave(key, wait))
    )
})
