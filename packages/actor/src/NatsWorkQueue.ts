import { jetstream, PubHeaders } from "@nats-io/jetstream"
import { createInbox, headers, type Msg, nanos } from "@nats-io/transport-node"
import { Array, type Duration, Effect, Exit, Latch, Layer } from "effect"
import { Nats } from "./Nats.ts"
import { attempt, consumer, type JetStreamFailed, makeStreams, type Place } from "./NatsStreams.ts"
import { keyOf, notPushed, returnDelayMillis, type WorkItem, WorkQueue } from "./WorkQueue.ts"

/** The work queues of many processes: each is a JetStream stream below `name`, so that installations may share a server. */
export const layer = (name: string): Layer.Layer<WorkQueue, JetStreamFailed, Nats> =>
  Layer.effect(
    WorkQueue,
    Effect.gen(function* () {
      const nats = yield* Nats
      const { ensure, forget, repair } = yield* makeStreams(nats)
      const [send, pull] = [makeSend(nats), makePull(nats)]
      const placeOf = (queue: string): Place => ({ stream: `${name}_${queue}`, subject: `work.${name}.${queue}` })

      const announce = (place: Place) => (parcels: Array.NonEmptyReadonlyArray<Parcel>) => {
        const once = Effect.andThen(ensure(place), send(place, parcels))
        return once.pipe(
          Effect.catch(() => Effect.andThen(forget(place), once)),
          Effect.timeout(pushTimeout)
        )
      }
      const take = Effect.fnUntraced(function* (place: Place, restore: Restore) {
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
      return WorkQueue.of({
        push: (queue, items) =>
          Effect.forEach(Array.chunksOf(items, chunkMax), announce(placeOf(queue)), { discard: true }).pipe(
            Effect.catch(({ message }) => notPushed(queue, items.length, message))
          ),
        next: (queue, claim) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(take(placeOf(queue), restore), (message) =>
              restore(Effect.suspend(() => claim(message.string()))).pipe(
                Effect.onExit((exit) =>
                  Effect.sync(() => tell(message, Exit.isSuccess(exit) ? done : undone(returnDelayMillis)))
                )
              )
            )
          )
      })
    })
  )

/** How long one push of `chunkMax` ids may take before it is given up. */
const pushTimeout: Duration.Input = "5 seconds"

/** Ids that are sent before the server is asked whether it has them: measured, several times as fast as asking for each. */
const chunkMax = 500

/** How long the server keeps a pull that finds nothing. */
const pullMillis = 3_000
const pullRequest = JSON.stringify({ batch: 1, expires: nanos(pullMillis) })

/** How long we wait for it to say so: it says nothing when it has lost the consumer, and late when one of us is busy. */
const pullTimeoutMillis = 6_000

const retryPause: Duration.Input = "200 millis"

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Stores items. The server takes what it is sent in order, so that when it has the last it has had the others. */
const makeSend = (nats: Nats["Service"]) => {
  const { connection } = nats
  const client = jetstream(connection)
  return ({ subject }: Place, items: Array.NonEmptyReadonlyArray<WorkItem>) =>
    attempt(nats, () => {
      for (const item of items.slice(0, -1)) {
        const header = headers()
        header.set(PubHeaders.MsgIdHdr, keyOf(item))
        connection.publish(subject, item.id, { headers: header })
      }
      const last = Array.lastNonEmpty(items)
      return client.publish(subject, last.id, { msgID: keyOf(last) })
    })
}

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
