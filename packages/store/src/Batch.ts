import { Array, type Cause, Deferred, Effect, Exit, Fiber, Metric, Option, Queue, type Scope } from "effect"

/** One caller's item, and where its result is awaited. */
interface Entry<A, B, E> {
  readonly item: A
  readonly result: Deferred.Deferred<B, E>
}

/** The metrics of a batch. */
const metersOf = (batch: string) => ({
  took: Metric.histogram("sightline_batch_duration_seconds", {
    description: "Duration of statements that concurrent calls share, by batch",
    boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
    attributes: { batch }
  }),
  carried: Metric.histogram("sightline_batch_calls", {
    description: "Calls that shared a statement, by batch",
    boundaries: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    attributes: { batch }
  })
})

/**
 * Group commit: calls that are made during a flush go together into the next one.
 *
 * Shape: `run` returns the results by the position of their items. If no flush is running, a call is flushed at once. Under load, one
 * flush carries up to `max` items. `name` is the label of its metrics.
 * Laws: one flush runs at a time. Each item is in exactly one flush, in the order of the calls. A failed flush fails all of its items.
 * Interrupting a caller removes nothing from a flush. Closing the scope flushes the queued items; later calls are interrupted.
 */
export const make = Effect.fnUntraced(function* <A, B, E, R = never>(options: {
  readonly name: string
  readonly max: number
  readonly run: (items: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E, R>
}): Effect.fn.Return<(item: A) => Effect.Effect<B, E>, never, R | Scope.Scope> {
  const queue = yield* Queue.unbounded<Entry<A, B, E>, Cause.Done>()
  const { carried, took } = metersOf(options.name)

  const flush = (entries: ReadonlyArray<Entry<A, B, E>>): Effect.Effect<void, never, R> => {
    if (!Array.isReadonlyArrayNonEmpty(entries)) return Effect.void
    const start = performance.now()
    // An exception from `run` itself is a failed flush too. It must not end the flusher, or every later call would wait for ever.
    const running = Effect.suspend(() => options.run(Array.map(entries, ({ item }) => item)))
    return Effect.flatMap(Effect.exit(running), (exit) => {
      const seconds = (performance.now() - start) / 1000
      entries.forEach(({ result }, position) => Deferred.doneUnsafe(result, resultAt(exit, position)))
      return Effect.andThen(Metric.update(took, seconds), Metric.update(carried, entries.length))
    })
  }

  const flusher = Queue.takeBetween(queue, 1, options.max).pipe(
    Effect.flatMap(flush),
    Effect.forever,
    Effect.catch(() => Effect.void)
  )
  const flushing = yield* Effect.forkDetach(flusher)
  yield* Effect.addFinalizer(() => Effect.andThen(Queue.end(queue), Fiber.await(flushing)))

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
