import { Array, type Cause, Deferred, Effect, Exit, Fiber, Option, Queue, type Scope } from "effect"

/** One caller's item, and where its result is awaited. */
interface Entry<A, B, E> {
  readonly item: A
  readonly result: Deferred.Deferred<B, E>
}

/**
 * Group commit: calls that are made while a flush is under way go out together in the next one.
 *
 * Shape: `run` answers its items by position. An idle flusher flushes at once, so a lone call waits for nothing;
 * under load one flush carries up to `max` items.
 * Laws: each item is in exactly one flush, in the order of the calls; a flush that fails fails all of its items; an
 * interrupted caller takes nothing out of a flush; closing the scope flushes what is queued and refuses what comes later.
 */
export const make = Effect.fnUntraced(function* <A, B, E, R = never>(options: {
  readonly max: number
  readonly flushers: number
  readonly run: (items: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E, R>
}): Effect.fn.Return<(item: A) => Effect.Effect<B, E>, never, R | Scope.Scope> {
  const queue = yield* Queue.unbounded<Entry<A, B, E>, Cause.Done>()

  const flush = (entries: ReadonlyArray<Entry<A, B, E>>): Effect.Effect<void, never, R> =>
    Array.isReadonlyArrayNonEmpty(entries)
      ? Effect.map(Effect.exit(options.run(Array.map(entries, ({ item }) => item))), (exit) =>
          entries.forEach(({ result }, position) => Deferred.doneUnsafe(result, resultAt(exit, position)))
        )
      : Effect.void

  const flusher = Queue.takeBetween(queue, 1, options.max).pipe(
    Effect.flatMap(flush),
    Effect.forever,
    Effect.catch(() => Effect.void)
  )
  const fibers = yield* Effect.forEach(Array.range(1, options.flushers), () => Effect.forkDetach(flusher))
  yield* Effect.addFinalizer(() => Effect.andThen(Queue.end(queue), Fiber.awaitAll(fibers)))

  return (item) =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<B, E>()
      return Queue.offerUnsafe(queue, { item, result }) ? Deferred.await(result) : Effect.interrupt
    })
})

const resultAt = <B, E>(exit: Exit.Exit<ReadonlyArray<B>, E>, position: number): Exit.Exit<B, E> =>
  Exit.isFailure(exit)
    ? Exit.failCause(exit.cause)
    : Option.match(Array.get(exit.value, position), {
        onNone: () => Exit.die(new Error(`The flush answered ${exit.value.length} items and left out ${position}`)),
        onSome: Exit.succeed
      })
