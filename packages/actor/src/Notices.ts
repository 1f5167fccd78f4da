import { Deferred, type Duration, Effect, Option, Stream } from "effect"
import { Bus } from "./Bus.ts"

/** What was broadcast about something that has this key. */
interface Notice {
  readonly key: string
}

/**
 * Waits for what is broadcast on a subject about one thing or another, all waits of a process by one subscription.
 *
 * Shape: `read` takes a broadcast apart; what it cannot read is about nothing. A wait ends with none when its time is over.
 * Laws: a notice ends all waits for its key that have begun, and no other. Like the bus best effort: what is to be known for certain
 * is looked up again after a wait, whatever ended it.
 */
export const makeNotices = Effect.fnUntraced(function* <A extends Notice>(
  subject: string,
  read: (message: string) => Option.Option<A>
) {
  const bus = yield* Bus
  const waiting = new Map<string, Set<Deferred.Deferred<A>>>()
  const tell = (notice: A) => {
    for (const wait of waiting.get(notice.key) ?? []) Deferred.doneUnsafe(wait, Effect.succeed(notice))
  }
  yield* bus.listen(subject).pipe(
    Stream.runForEach((message) => Effect.sync(() => Option.map(read(message), tell))),
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
  return (key: string, patience: Duration.Input): Effect.Effect<Option.Option<A>> =>
    Effect.acquireUseRelease(
      Effect.sync(() => enter(key)),
      (wait) => Effect.timeoutOption(Deferred.await(wait), patience),
      (wait) => Effect.sync(() => leave(key, wait))
    )
})
