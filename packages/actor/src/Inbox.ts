import { Effect, Queue, type Scope, Stream } from "effect"

/** The most messages that wait unread in one inbox. */
const inboxMax = 16_384

/**
 * The messages of one subscription, as a stream.
 *
 * Shape: `attach` starts to offer messages to the queue and stops when its scope closes. Messages that are unread by then go to
 * `abandon`.
 * Laws: opening the stream attaches. A full inbox drops the newest message or the oldest, as `strategy` says.
 */
export const inbox = <A>(options: {
  readonly strategy: "dropping" | "sliding"
  readonly attach: (queue: Queue.Enqueue<A>) => Effect.Effect<unknown, never, Scope.Scope>
  readonly abandon: (unread: A) => Effect.Effect<void>
}): Stream.Stream<A> =>
  Stream.scoped(
    Stream.fromPull(
      Effect.gen(function* () {
        const queue = yield* Effect.acquireRelease(
          Queue.make<A>({ capacity: inboxMax, strategy: options.strategy }),
          (queue) =>
            Queue.clear(queue).pipe(
              Effect.flatMap((unread) => Effect.forEach(unread, options.abandon, { discard: true })),
              Effect.andThen(Queue.shutdown(queue))
            )
        )
        yield* options.attach(queue)
        return Queue.takeAll(queue)
      })
    )
  )
