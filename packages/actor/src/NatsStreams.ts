import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType
} from "@nats-io/jetstream"
import { nanos, type NatsConnection } from "@nats-io/transport-node"
import { Deferred, Effect, Schema, type Scope } from "effect"
import type { Nats } from "./Nats.ts"
import { waitingMax } from "./WorkQueue.ts"

/** JetStream, which stores the work queues, is not there or refused what was asked of it. */
export class JetStreamFailed extends Schema.TaggedError<JetStreamFailed>()("JetStreamFailed", {
  message: Schema.String
}) {}

/** Where one work queue is stored, and what it is fed by. */
export interface Place {
  readonly stream: string
  readonly subject: string
}

/** The durable consumer that each stream has. */
export const consumer = "takers"

/** How many servers of a cluster have each stream, so that one of them may be away. */
const copies = 3

/**
 * Asks something of JetStream.
 * Choice: given up as soon as the connection is down, where the client would wait and say it when that is back.
 */
export const attempt = Effect.fnUntraced(function* <A>(
  { isUp, onDown }: Nats["Service"],
  ask: () => Promise<A>
): Effect.fn.Return<A, JetStreamFailed, Scope.Scope> {
  const disconnected = new JetStreamFailed({ message: "disconnected" })
  if (!isUp()) return yield* disconnected
  const down = Deferred.makeUnsafe<never, JetStreamFailed>()
  yield* onDown(() => Deferred.doneUnsafe(down, disconnected))
  const asked = Effect.tryPromise({
    try: ask,
    catch: (cause) => new JetStreamFailed({ message: cause instanceof Error ? cause.message : String(cause) })
  })
  return yield* Effect.raceFirst(asked, Deferred.await(down))
}, Effect.scoped)

/**
 * The streams of the work queues, as far as this process knows of them.
 *
 * Laws: whoever misses a stream or its consumer makes it, those who do so at the same time once. That one cannot be made is
 * logged once, and so is that it can be again. In a cluster of three or more, each outlives the loss of one server.
 * Errors: fails at the start where JetStream is off.
 */
export const makeStreams = Effect.fnUntraced(function* (nats: Nats["Service"]) {
  const manager = yield* attempt(nats, () => jetstreamManager(nats.connection))
  const log = Effect.runForkWith(yield* Effect.context())
  const making = new Map<string, Promise<symbol>>()
  const made = new Map<string, symbol>()
  // Takers try several times a second.
  const refused = new Set<string>()
  // When the server is back, what was there may be gone, and what was asked before is not answered any more.
  yield* nats.onDown(() => {
    made.clear()
    making.clear()
  })

  const keep = makeKeep(manager, nats.connection)
  const make = async (place: Place) => {
    const { stream } = place
    try {
      await keep(place)
      await manager.consumers.add(stream, {
        durable_name: consumer,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(30_000),
        // However many claims fail, they do not close the queue to the others.
        max_ack_pending: -1,
        max_waiting: 10_000
      })
      const mark = Symbol(stream)
      made.set(stream, mark)
      if (refused.delete(stream)) log(Effect.logInfo("Work queue is back", { stream }))
      return mark
    } catch (error) {
      if (!refused.has(stream)) log(Effect.logWarning("Work queue out of reach", { stream, error: String(error) }))
      refused.add(stream)
      throw error
    }
  }
  return {
    /** Sees to it once that the stream is there; what comes back marks which time it was. */
    ensure: (place: Place) =>
      Effect.suspend(() => {
        const { stream } = place
        const mark = made.get(stream)
        if (mark !== undefined) return Effect.succeed(mark)
        return attempt(nats, () => {
          const promise = making.get(stream) ?? make(place).finally(() => making.delete(stream))
          making.set(stream, promise)
          return promise
        })
      }),
    /** Has it seen to again: the stream seems to be gone. */
    forget: ({ stream }: Place) => Effect.sync(() => made.delete(stream)),
    /**
     * Has the consumer made anew, which has not answered since it was seen to, unless that was done meanwhile.
     * Choice: deleted without asking how it is, since it looks well: servers may leave one deaf when several processes make
     * a stream at once. What it has handed out is handed out again.
     */
    repair: ({ stream }: Place, mark: symbol) =>
      Effect.suspend(() => {
        if (made.get(stream) !== mark) return Effect.void
        made.delete(stream)
        return Effect.andThen(
          Effect.logWarning("Work queue does not answer, its consumer is made anew", { stream }),
          Effect.ignore(attempt(nats, () => manager.consumers.delete(stream, consumer)))
        )
      })
  }
})

/**
 * Has NATS keep what is put into a queue.
 * Choice: on one server where it refuses more for whatever reason, as where there are two or an account has no room for three.
 */
const makeKeep = (manager: JetStreamManager, connection: NatsConnection) => {
  const keepOn = async ({ stream, subject }: Place, replicas: { readonly num_replicas?: number }) => {
    const limits = {
      ...replicas,
      subjects: [subject],
      max_age: nanos(15 * 60_000),
      max_msgs: waitingMax,
      discard: DiscardPolicy.New,
      duplicate_window: nanos(2 * 60_000)
    }
    const stored = { name: stream, retention: RetentionPolicy.Workqueue, storage: StorageType.File }
    await manager.streams.add({ ...stored, ...limits }).catch((error: unknown) => {
      if (!isConfiguredOtherwise(error)) throw error
      return manager.streams.update(stream, limits)
    })
  }
  return (place: Place) =>
    connection.info?.cluster === undefined
      ? keepOn(place, {})
      : keepOn(place, { num_replicas: copies }).catch((error: unknown) => {
          if (!(error instanceof JetStreamApiError)) throw error
          return keepOn(place, {})
        })
}

// The server's code for a stream that another version of us made.
const isConfiguredOtherwise = (error: unknown) => error instanceof JetStreamApiError && error.code === 10_058
