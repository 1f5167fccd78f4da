import { Effect, Queue, type Scope, Stream } from "effect"

/** How many messages wait for a reader that does not read. */
const inboxMax = 16_384

/**
 * The stream of what arrives at one subscription.
 *
 * Shape: `attach` starts to offer to the queue and stops when its scope closes; what is unread by then goes to `abandon`.
 * Laws: opening the stream attaches; a full inbox loses what `strategy` says, the newest or the oldest.
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
