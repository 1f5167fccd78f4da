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
import { Deferred, type Duration, Effect, Schema, type Scope } from "effect"
import type { Nats } from "./Nats.ts"
import { waitingMax } from "./WorkQueue.ts"

/** JetStream, which stores the work queues, is not available or refused a request. */
export class JetStreamFailed extends Schema.TaggedError<JetStreamFailed>()("JetStreamFailed", {
  message: Schema.String
}) {}

/** The stream that stores one work queue, and the subject that feeds it. */
export interface QueueStream {
  readonly stream: string
  readonly subject: string
}

/** The name of the durable consumer of each stream. */
export const consumer = "takers"

/** How many servers of a cluster hold a copy of each stream, so that one of them may fail. */
const replicasMax = 3

/** How often copies are asked for again that the server refused when a stream was created. */
const spreadInterval: Duration.Input = "1 minute"

/**
 * Sends a request to JetStream.
 * Choice: it fails as soon as the connection is down. The client itself would wait and report the failure after reconnecting.
 */
export const requestJetStream = Effect.fnUntraced(function* <A>(
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
 * The streams of the work queues that this process knows to exist.
 *
 * Laws: a missing stream or consumer is created when it is needed, once for all concurrent callers. A failure to create it is logged
 * once, and so is the recovery. In a cluster of three or more servers, each stream survives the loss of one server; if it was created
 * while too few servers were there, it does so from about a minute after they are.
 * Errors: fails at the start if JetStream is off.
 */
export const makeStreams = Effect.fnUntraced(function* (nats: Nats["Service"]) {
  const manager = yield* requestJetStream(nats, () => jetstreamManager(nats.connection))
  const log = Effect.runForkWith(yield* Effect.context())
  const creating = new Map<string, Promise<symbol>>()
  const existing = new Map<string, symbol>()
  // Callers retry several times a second: the failure is logged once.
  const refused = new Set<string>()
  // After a reconnection, streams may be gone, and earlier requests are no longer answered.
  yield* nats.onDown(() => {
    existing.clear()
    creating.clear()
  })

  // Streams in a cluster whose further copies the server refused.
  const lacking = new Set<string>()
  const spread = (stream: string) =>
    requestJetStream(nats, () => manager.streams.update(stream, { num_replicas: replicasMax })).pipe(
      Effect.tap(() => Effect.sync(() => lacking.delete(stream))),
      Effect.ignore
    )
  const spreadAll = Effect.suspend(() => Effect.forEach([...lacking], spread, { discard: true }))
  yield* Effect.forkScoped(Effect.forever(Effect.delay(spreadAll, spreadInterval)))

  const upsertStream = makeUpsertStream(manager, nats.connection)
  const make = async (target: QueueStream) => {
    const { stream } = target
    try {
      if (await upsertStream(target)) lacking.delete(stream)
      else lacking.add(stream)
      await manager.consumers.add(stream, {
        durable_name: consumer,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(30_000),
        // Unlimited: failed claims, however many, must not block the queue for others.
        max_ack_pending: -1,
        max_waiting: 10_000
      })
      const mark = Symbol(stream)
      existing.set(stream, mark)
      if (refused.delete(stream)) log(Effect.logInfo("Work queue is back", { stream }))
      return mark
    } catch (error) {
      if (!refused.has(stream)) log(Effect.logWarning("Work queue out of reach", { stream, error: String(error) }))
      refused.add(stream)
      throw error
    }
  }
  return {
    /** Creates the stream unless this process knows that it exists. The symbol identifies this creation for `repair`. */
    ensure: (target: QueueStream) =>
      Effect.suspend(() => {
        const { stream } = target
        const mark = existing.get(stream)
        if (mark !== undefined) return Effect.succeed(mark)
        return requestJetStream(nats, () => {
          const promise = creating.get(stream) ?? make(target).finally(() => creating.delete(stream))
          creating.set(stream, promise)
          return promise
        })
      }),
    /** Makes the next `ensure` create the stream: it seems to be gone. */
    forget: ({ stream }: QueueStream) => Effect.sync(() => existing.delete(stream)),
    /**
     * Deletes a consumer that has not answered, so that the next `ensure` creates it. Does nothing if it was created anew since `mark`.
     * Choice: deleted without a check of its state, which looks healthy: a consumer may stay silent when several processes create a
     * stream at once. The ids that it has handed out are handed out again.
     */
    repair: ({ stream }: QueueStream, mark: symbol) =>
      Effect.suspend(() => {
        if (existing.get(stream) !== mark) return Effect.void
        existing.delete(stream)
        return Effect.andThen(
          Effect.logWarning("Work queue does not answer, its consumer is made anew", { stream }),
          Effect.ignore(requestJetStream(nats, () => manager.consumers.delete(stream, consumer)))
        )
      })
  }
})

/**
 * Creates or updates the stream of a queue. Returns whether it has all the copies that it should have.
 * Choice: a single copy if the server refuses three for any reason, as in a cluster of two or when the account has no room for three.
 */
const makeUpsertStream = (manager: JetStreamManager, connection: NatsConnection) => {
  const upsertWith = async ({ stream, subject }: QueueStream, replicas: { readonly num_replicas?: number }) => {
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
  return async (target: QueueStream) => {
    const isClustered = connection.info?.cluster !== undefined
    try {
      await upsertWith(target, isClustered ? { num_replicas: replicasMax } : {})
      return true
    } catch (error) {
      if (!isClustered || !(error instanceof JetStreamApiError)) throw error
      await upsertWith(target, {})
      return false
    }
  }
}

// The server's error code for a stream that exists with other settings, as made by another version of the program.
const isConfiguredOtherwise = (error: unknown) => error instanceof JetStreamApiError && error.code === 10_058
