import { jetstream, PubHeaders } from "@nats-io/jetstream"
import { createInbox, headers, type Msg, nanos } from "@nats-io/transport-node"
import { hash } from "node:crypto"
import { Array, type Duration, Effect, Exit, Latch, Layer, Semaphore } from "effect"
import { Nats } from "./Nats.ts"
import { attempt, consumer, type JetStreamFailed, makeStreams, type Place } from "./NatsStreams.ts"
import { makePush } from "./Pushes.ts"
import { keyOf, returnDelayMillis, type WorkItem, WorkQueue, type Restore } from "./WorkQueue.ts"

/** The work queues of many processes: each is a JetStream stream below `name`, so that installations may share a server. */
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
      // One taker at a time waits for a message; what is in it besides its own id is there for the next ones.
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
        push: yield* makePush((queue, items, together = 1) =>
          Effect.forEach(
            Array.chunksOf(items, chunkMax * together),
            (chunk) => announce(placeOf(queue), Array.chunksOf(chunk, together)),
            { discard: true }
          )
        ),
        next: (queue, claim) => Effect.uninterruptibleMask((restore) => next(queue, claim, restore))
      })
    })
  )

/** Ids that travel in one message. */
type Group = Array.NonEmptyReadonlyArray<WorkItem>

/** A message that was received, and how many of its ids are not claimed or given back yet. */
interface Parcel {
  readonly message: Msg
  left: number
  isClaimed: boolean
}

/** An id that waits in this process for a taker. */
interface Held {
  readonly id: string
  readonly parcel: Parcel
}

/** How long one push of `chunkMax` messages may take before it is given up. */
const pushTimeout: Duration.Input = "5 seconds"

/** Messages that are sent before the server is asked whether it has them: measured, several times as fast as asking for each. */
const chunkMax = 500

/** How long the server keeps a pull that finds nothing. */
const pullMillis = 3_000
const pullRequest = JSON.stringify({ batch: 1, expires: nanos(pullMillis) })

/** How long we wait for it to say so: it says nothing when it has lost the consumer, and late when one of us is busy. */
const pullTimeoutMillis = 6_000

/** How often the server is told of a claim that is under way: three times within the 30 s after which it gives up on it. */
const claimPause: Duration.Input = "10 seconds"

const retryPause: Duration.Input = "200 millis"

/** Stores groups of items. The server takes what it is sent in order, so that when it has the last it has had the others. */
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

/** What the server knows a group by, as long for many ids as for one. */
const nameOf = (group: Group) => hash("sha256", group.map(keyOf).join(" "), "base64url")

const separator = "\n"

const pack = (group: Group) => group.map(({ id }) => id).join(separator)

const unpack = (message: Msg): Array.NonEmptyArray<Held> => {
  const [first = "", ...others] = message.string().split(separator)
  const parcel = { message, left: 1 + others.length, isClaimed: true }
  return [{ id: first, parcel }, ...others.map((id) => ({ id, parcel }))]
}

/** Notes what came of one id; its message is answered when there is nothing left to wait for. */
const settle = (parcel: Parcel, isClaimed: boolean) => {
  parcel.left -= 1
  parcel.isClaimed &&= isClaimed
  if (parcel.left === 0) tell(parcel.message, parcel.isClaimed ? done : undone(returnDelayMillis))
}

/** What this process holds of each queue, and whose turn it is to wait for more. What is held at the end is given back. */
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

/** Settles ids by what their claims come to. As long as these are under way, the server hands out their messages to nobody else. */
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
 * Asks for one message; what comes back may be one, the server's word that there is none, or nothing at all.
 * Choice: the pull request itself instead of the client's `fetch`, which forgets what is on its way when it is stopped, so
 * that nobody would get it for 30 seconds. One that is not waited for any more goes on in the background until it is
 * answered, because the server may answer at the moment it is told not to, and gives back what it gets.
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
          if (error) subscription.unsubscribe()
          else if (isWanted) message = received
          else tell(received, undone(0))
          ended.openUnsafe()
        }
      })
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

/** The server's word that a pull found nothing in its time. */
const nothingYet = 408

// What the server says itself has a code.
const isWork = ({ headers }: Msg) => headers === undefined || headers.code === 0

/** A claim succeeded: the message is not needed any more. */
const done = "+ACK"

/** A claim is under way: the message is to be left to it for another 30 s. */
const underWay = "+WPI"

/** A claim did not succeed: the message is to be handed out again. */
const undone = (delayMillis: number) => `-NAK ${JSON.stringify({ delay: nanos(delayMillis) })}`

/** Answers a message; when that gets lost, the id is handed out again. */
const tell = (message: Msg, text: string) => {
  try {
    message.respond(text)
  } catch {
    // The connection is closed.
  }
}
