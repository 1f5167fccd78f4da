import { jetstream, PubHeaders } from "@nats-io/jetstream"
import { createInbox, headers, type Msg, nanos } from "@nats-io/transport-node"
import { hash } from "node:crypto"
import { Array, type Duration, Effect, Exit, Latch, Layer, Semaphore } from "effect"
import { Nats } from "./Nats.ts"
import { attempt, consumer, type JetStreamFailed, makeStreams, type Place } from "./NatsStreams.ts"
import { makePush } from "./Pushes.ts"
import { keyOf, returnDelayMillis, type WorkItem, WorkQueue, type Restore } from "./WorkQueue.ts"

/** The work queues that processes share. Each is a JetStream stream below `name`, so that installations may share a server. */
export const layer = (name: string): Layer.Layer<WorkQueue, JetStreamFailed, Nats> =>
  Layer.effect(
    WorkQueue,
    Effect.gen(function* () {
      const nats = yield* Nats
      const { ensure, forget, repair } = yield* makeStreams(nats)
      const send = makeSend(nats)
      const pull = makePull(nats)
      const placeOf = (queue: string): Place => ({ stream: `${name}_${queue}`, subject: `work.${name}.${queue}` })

      const announce = (place: Place, groups: Array.NonEmptyReadonlyArray<Group>) => {
        const once = Effect.andThen(ensure(place), send(place, groups))
        return once.pipe(
          Effect.catch(() => Effect.andThen(forget(place), once)),
          Effect.timeout(pushTimeout)
        )
      }
      const receive = Effect.fnUntraced(function* (place: Place, restore: Restore) {
        for (;;) {
          const seen = yield* restore(Effect.exit(ensure(place)))
          if (Exit.isSuccess(seen)) {
            const message = yield* pull(place, restore)
            if (message === undefined) yield* restore(repair(place, seen.value))
            else if (isWork(message)) return message
            else if (message.headers?.code === nothingYet) continue
            else yield* forget(place)
          }
          yield* restore(Effect.sleep(retryPause))
        }
      })
      const lines = yield* makeLines
      const claims = yield* makeClaims
      const first = Effect.fnUntraced(function* (queue: string, held: Array<Held>, restore: Restore) {
        const waiting = held.shift()
        if (waiting !== undefined) return waiting
        const [received, ...others] = unpack(yield* receive(placeOf(queue), restore))
        held.push(...others)
        return received
      })
      // One caller at a time waits for a message. The other ids of that message go to the next callers.
      const take = Effect.fnUntraced(function* (queue: string, restore: Restore) {
        const { turn, held } = lines(queue)
        yield* restore(turn.take(1))
        return yield* Effect.ensuring(first(queue, held, restore), turn.release(1))
      })
      const next = Effect.fnUntraced(function* <A, E, R>(
        queue: string,
        claim: (id: string) => Effect.Effect<A, E, R>,
        restore: Restore
      ) {
        const held = yield* take(queue, restore)
        return yield* claims(held, restore(Effect.suspend(() => claim(held.id))))
      })
      return WorkQueue.of({
        push: yield* makePush((queue, items, together) => announce(placeOf(queue), Array.chunksOf(items, together))),
        next: (queue, claim) => Effect.uninterruptibleMask((restore) => next(queue, claim, restore))
      })
    })
  )

/** The items whose ids travel in one message. */
type Group = Array.NonEmptyReadonlyArray<WorkItem>

/** A received message, and how many of its ids are not yet claimed or given back. */
interface Parcel {
  readonly message: Msg
  left: number
  isClaimed: boolean
}

/** An id that waits in this process for a caller of `next`. */
interface Held {
  readonly id: string
  readonly parcel: Parcel
}

/** How long the messages that are announced at a time may take before they are given up. */
const pushTimeout: Duration.Input = "5 seconds"

/** How long the server holds a pull request while the queue is empty. */
const pullMillis = 3_000
const pullRequest = JSON.stringify({ batch: 1, expires: nanos(pullMillis) })

/** How long to wait for the server to report an empty queue. It reports nothing if the consumer is lost, and late if one side is busy. */
const pullTimeoutMillis = 6_000

/** How often the server is told that a claim is in progress: three times within its acknowledgement timeout of 30 s. */
const claimPause: Duration.Input = "10 seconds"

const retryPause: Duration.Input = "200 millis"

/** Stores groups of items. The server takes messages in order: when it acknowledges the last, it has processed the others. */
const makeSend = (nats: Nats["Service"]) => {
  const { connection } = nats
  const client = jetstream(connection)
  return ({ subject }: Place, groups: Array.NonEmptyReadonlyArray<Group>) =>
    attempt(nats, () => {
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

const unpack = (message: Msg): Array.NonEmptyArray<Held> => {
  const [first = "", ...others] = message.string().split(separator)
  const parcel = { message, left: 1 + others.length, isClaimed: true }
  return [{ id: first, parcel }, ...others.map((id) => ({ id, parcel }))]
}

/** Records the outcome of one id. The message is answered after the outcome of its last id. */
const settle = (parcel: Parcel, isClaimed: boolean) => {
  parcel.left -= 1
  parcel.isClaimed &&= isClaimed
  if (parcel.left === 0) tell(parcel.message, parcel.isClaimed ? done : undone(returnDelayMillis))
}

/**
 * The ids of each queue that this process holds, and the lock of the caller that waits for more. Ids still held at the end are given
 * back.
 */
const makeLines = Effect.gen(function* () {
  const lines = new Map<string, { readonly turn: Semaphore.Semaphore; readonly held: Array<Held> }>()
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      const parcels = [...lines.values()].flatMap(({ held }) => held.map(({ parcel }) => parcel))
      for (const { message } of new Set(parcels)) tell(message, undone(0))
    })
  )
  return (queue: string) => {
    const line = lines.get(queue) ?? { turn: Semaphore.makeUnsafe(1), held: [] }
    lines.set(queue, line)
    return line
  }
})

/** Runs claims and settles each id by the outcome. While a claim runs, the server does not hand out its message again. */
const makeClaims = Effect.gen(function* () {
  const claimed = new Set<Held>()
  const tellAll = Effect.sync(() => {
    for (const message of new Set([...claimed].map(({ parcel }) => parcel.message))) tell(message, underWay)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(tellAll, claimPause)))
  return <A, E, R>(held: Held, claim: Effect.Effect<A, E, R>) => {
    claimed.add(held)
    return Effect.onExit(claim, (exit) =>
      Effect.sync(() => {
        claimed.delete(held)
        settle(held.parcel, Exit.isSuccess(exit))
      })
    )
  }
})

/**
 * Requests one message. The result is a message, the server's report that there is none, or nothing.
 * Choice: the pull request itself instead of the client's `fetch`, which loses a message in transit when it is stopped: no process
 * would get it for 30 seconds. A cancelled pull stays subscribed in the background until it is answered, because the server may answer
 * at the moment of the cancellation. A message that arrives then is given back.
 */
const makePull =
  ({ connection, isUp, onDown }: Nats["Service"]) =>
  ({ stream }: Place, restore: Restore): Effect.Effect<Msg | undefined> => {
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
          else tell(received, undone(0))
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
      Effect.onInterrupt(() => Effect.sync(() => message && tell(message, undone(0))))
    )
  }

/** The server's status code of a pull that expired without a message. */
const nothingYet = 408

// Messages from the server itself have a status code.
const isWork = ({ headers }: Msg) => headers === undefined || headers.code === 0

/** A claim succeeded: the message is not needed any more. */
const done = "+ACK"

/** A claim is in progress: the server leaves the message to it for another 30 s. */
const underWay = "+WPI"

/** A claim did not succeed: the server hands the message out again. */
const undone = (delayMillis: number) => `-NAK ${JSON.stringify({ delay: nanos(delayMillis) })}`

/** Answers a message. If the answer is lost, its ids are handed out again. */
const tell = (message: Msg, text: string) => {
  try {
    message.respond(text)
  } catch {
    // The connection is closed.
  }
}
