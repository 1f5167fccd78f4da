import { jetstream, PubHeaders } from "@nats-io/jetstream"
import { createInbox, headers, type Msg, nanos } from "@nats-io/transport-node"
import { hash } from "node:crypto"
import { Array, type Duration, Effect, Exit, Latch, Layer, Semaphore } from "effect"
import { Nats } from "./Nats.ts"
import { requestJetStream, consumer, type JetStreamFailed, makeStreams, type QueueStream } from "./NatsStreams.ts"
import { makePush } from "./Pushes.ts"
import { keyOf, redeliveryDelayMillis, type WorkItem, WorkQueue, type Restore } from "./WorkQueue.ts"

/** The work queues that processes share. Each is a JetStream stream below `name`, so that installations may share a server. */
export const layer = (name: string): Layer.Layer<WorkQueue, JetStreamFailed, Nats> =>
  Layer.effect(
    WorkQueue,
    Effect.gen(function* () {
      const nats = yield* Nats
      const { ensure, forget, repair } = yield* makeStreams(nats)
      const send = makeSend(nats)
      const pull = makePull(nats)
      const targetOf = (queue: string) => ({ stream: `${name}_${queue}`, subject: `work.${name}.${queue}` })

      const announce = (target: QueueStream, groups: Array.NonEmptyReadonlyArray<Group>) => {
        const once = Effect.andThen(ensure(target), send(target, groups))
        return once.pipe(
          Effect.catch(() => Effect.andThen(forget(target), once)),
          Effect.timeout(pushTimeout)
        )
      }
      const receive = Effect.fnUntraced(function* (target: QueueStream, restore: Restore) {
        for (;;) {
          const ensured = yield* restore(Effect.exit(ensure(target)))
          if (Exit.isSuccess(ensured)) {
            const message = yield* pull(target, restore)
            if (message === undefined) yield* restore(repair(target, ensured.value))
            else if (isWork(message)) return message
            else if (message.headers?.code === pullExpired) continue
            else yield* forget(target)
          }
          yield* restore(Effect.sleep(retryPause))
        }
      })
      const buffers = yield* makeBuffers
      const claims = yield* makeClaims
      const first = Effect.fnUntraced(function* (queue: string, prefetched: Array<Prefetched>, restore: Restore) {
        const waiting = prefetched.shift()
        if (waiting !== undefined) return waiting
        const [received, ...others] = unpack(yield* receive(targetOf(queue), restore))
        prefetched.push(...others)
        return received
      })
      // One caller at a time waits for a message. The other ids of that message go to the next callers.
      const take = Effect.fnUntraced(function* (queue: string, restore: Restore) {
        const { lock, prefetched } = buffers(queue)
        yield* restore(lock.take(1))
        return yield* Effect.ensuring(first(queue, prefetched, restore), lock.release(1))
      })
      const next = Effect.fnUntraced(function* <A, E, R>(
        queue: string,
        claim: (id: string) => Effect.Effect<A, E, R>,
        restore: Restore
      ) {
        const prefetched = yield* take(queue, restore)
        return yield* claims(prefetched, restore(Effect.suspend(() => claim(prefetched.id))))
      })
      return WorkQueue.of({
        push: yield* makePush((queue, items, together) => announce(targetOf(queue), Array.chunksOf(items, together))),
        next: (queue, claim) => Effect.uninterruptibleMask((restore) => next(queue, claim, restore))
      })
    })
  )

/** The items whose ids travel in one message. */
type Group = Array.NonEmptyReadonlyArray<WorkItem>

/** A received message, and how many of its ids are not yet claimed or returned. */
interface PendingMessage {
  readonly message: Msg
  left: number
  isClaimed: boolean
}

/** An id that waits in this process for a caller of `next`. */
interface Prefetched {
  readonly id: string
  readonly pending: PendingMessage
}

/** How long the messages that are announced at a time may take before they are given up. */
const pushTimeout: Duration.Input = "5 seconds"

/** How long the server holds a pull request while the queue is empty. */
const pullMillis = 3_000
const pullRequest = JSON.stringify({ batch: 1, expires: nanos(pullMillis) })

/** How long to wait for the server to report an empty queue. It reports nothing if the consumer is lost, and late if one side is busy. */
const pullTimeoutMillis = 6_000

/** How often the server is told that a claim is in progress: three times within its acknowledgement timeout of 30 s. */
const progressInterval: Duration.Input = "10 seconds"

const retryPause: Duration.Input = "200 millis"

/** Stores groups of items. The server takes messages in order: when it acknowledges the last, it has processed the others. */
const makeSend = (nats: Nats["Service"]) => {
  const { connection } = nats
  const client = jetstream(connection)
  return ({ subject }: QueueStream, groups: Array.NonEmptyReadonlyArray<Group>) =>
    requestJetStream(nats, () => {
      for (const group of groups.slice(0, -1)) {
        const header = headers()
        header.set(PubHeaders.MsgIdHdr, nameOf(group))
        connection.publish(subject, pack(group), { headers: header })
      }
      const last = Array.lastNonEmpty(groups)
      return client.publish(subject, pack(last), { msgID: nameOf(last) })
    })
}

/** The message id by which the server recognises a duplicate of a group. As a hash, it is equally long for any number of ids. */
const nameOf = (group: Group) => hash("sha256", group.map(keyOf).join(" "), "base64url")

const separator = "\n"

const pack = (group: Group) => group.map(({ id }) => id).join(separator)

const unpack = (message: Msg): Array.NonEmptyArray<Prefetched> => {
  const [first = "", ...others] = message.string().split(separator)
  const pending = { message, left: 1 + others.length, isClaimed: true }
  return [{ id: first, pending }, ...others.map((id) => ({ id, pending }))]
}

/** Records the outcome of one id. The message is answered after the outcome of its last id. */
const settle = (pending: PendingMessage, isClaimed: boolean) => {
  pending.left -= 1
  pending.isClaimed &&= isClaimed
  if (pending.left === 0) acknowledge(pending.message, pending.isClaimed ? ack : nak(redeliveryDelayMillis))
}

/**
 * The ids of each queue that this process holds, and the lock of the caller that waits for more. Ids still held at the end are
 * returned.
 */
const makeBuffers = Effect.gen(function* () {
  const buffers = new Map<string, { readonly lock: Semaphore.Semaphore; readonly prefetched: Array<Prefetched> }>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      const allPending = [...buffers.values()].flatMap(({ prefetched }) => prefetched.map(({ pending }) => pending))
      for (const { message } of new Set(allPending)) acknowledge(message, nak(0))
    })
  )
  return (queue: string) => {
    const buffer = buffers.get(queue) ?? { lock: Semaphore.makeUnsafe(1), prefetched: [] }
    buffers.set(queue, buffer)
    return buffer
  }
})

/** Runs claims and settles each id by the outcome. While a claim runs, the server does not hand out its message again. */
const makeClaims = Effect.gen(function* () {
  const claimed = new Set<Prefetched>()
  const extendAll = Effect.sync(() => {
    for (const message of new Set([...claimed].map(({ pending }) => pending.message))) acknowledge(message, inProgress)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(extendAll, progressInterval)))
  return <A, E, R>(prefetched: Prefetched, claim: Effect.Effect<A, E, R>) => {
    claimed.add(prefetched)
    return Effect.onExit(claim, (exit) =>
      Effect.sync(() => {
        claimed.delete(prefetched)
        settle(prefetched.pending, Exit.isSuccess(exit))
      })
    )
  }
})

/**
 * Requests one message. The result is a message, the server's report that there is none, or nothing.
 * Choice: the pull request itself instead of the client's `fetch`, which loses a message in transit when it is stopped: no process
 * would get it for 30 seconds. A cancelled pull stays subscribed in the background until it is answered, because the server may answer
 * at the moment of the cancellation. A message that arrives then is returned.
 */
const makePull =
  ({ connection, isUp, onDown }: Nats["Service"]) =>
  ({ stream }: QueueStream, restore: Restore): Effect.Effect<Msg | undefined> => {
    let message: Msg | undefined
    return Effect.gen(function* () {
      if (!isUp()) return undefined
      const ended = Latch.makeUnsafe()
      let isWanted = true
      const reply = createInbox()
      const subscription = connection.subscribe(reply, {
        max: 1,
        timeout: pullTimeoutMillis,
        callback: (error, received) => {
          // A blocked process has not read its socket either: messages that arrived meanwhile are read before the next immediate runs.
          if (error) return void setImmediate(giveUp)
          if (isWanted) message = received
          else acknowledge(received, nak(0))
          ended.openUnsafe()
        }
      })
      const giveUp = () => {
        subscription.unsubscribe()
        ended.openUnsafe()
      }
      connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, pullRequest, { reply })
      yield* onDown(() => ended.openUnsafe())
      yield* Effect.ensuring(
        restore(ended.await),
        Effect.sync(() => (isWanted = false))
      )
      return message
    }).pipe(
      Effect.scoped,
      Effect.onInterrupt(() => Effect.sync(() => message && acknowledge(message, nak(0))))
    )
  }

/** The server's status code of a pull that expired without a message. */
const pullExpired = 408

// Messages from the server itself have a status code.
const isWork = ({ headers }: Msg) => headers === undefined || headers.code === 0

/** A claim succeeded: the message is not needed any more. */
const ack = "+ACK"

/** A claim is in progress: the server leaves the message to it for another 30 s. */
const inProgress = "+WPI"

/** A claim did not succeed: the server hands the message out again. */
const nak = (delayMillis: number) => `-NAK ${JSON.stringify({ delay: nanos(delayMillis) })}`

/** Answers a message. If the answer is lost, its ids are handed out again. */
const acknowledge = (message: Msg, text: string) => {
  try {
    message.respond(text)
  } catch {
    // The connection is closed.
  }
}
