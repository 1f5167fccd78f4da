import { Context, Effect, Exit, Layer, Queue } from "effect"
import { makeRefusals } from "./Pushes.ts"

/** One unit of work, identified by the key of its row. `turn` and `again` distinguish intended repeats of the same id. */
export interface WorkItem {
  readonly id: string
  readonly turn: number
  /** Incremented when the last push of the id may have been used up by a claim of another job. */
  readonly again?: number
}

/** The most ids that wait in one queue in memory, and the most messages in one over NATS: ids that were pushed together share a message. */
export const waitingMax = 100_000

/** How long an id whose claim failed waits before it is handed out again. */
export const redeliveryDelayMillis = 1_000

/**
 * Hands ids of work to free workers, in any process.
 *
 * Shape: a queue is one word of letters, digits and `-`; an id is a short text, the key of a row.
 * Laws: at least once: an id is handed out until a claim of it succeeds. It has one claim at a time, however long that takes, unless
 * the process of the claim is lost or suspended for 30 seconds, or the server stalls. The order is roughly first in, first out. Queues
 * are separate.
 * An item that is pushed again before it is claimed counts once. Up to two minutes later it may still be dropped as a duplicate, so a
 * caller that wants an id handed out again increments `turn` or `again`.
 * Ids that are pushed together go to one process. It has them for 30 seconds, and for as long as it claims any of them, before another
 * process gets them too. They may be handed out again while one of them is not claimed. They are a duplicate only of the same ids
 * pushed together.
 *
 * Best effort, like the bus: an id is a hint that a row in the database is due. It is lost if nobody claims it within 15 minutes, if
 * `waitingMax` ids or messages are before it, or if the server loses it. The sweeper of the table pushes it again.
 */
export class WorkQueue extends Context.Service<
  WorkQueue,
  {
    /**
     * Announces work, with `together` ids in a message, or each in its own. Succeeds within seconds even if the queue does not accept
     * it, and at once if the queue refused the previous push. Refused ids are counted. The refusal is logged once until the queue
     * accepts a push again.
     */
    readonly push: (queue: string, items: ReadonlyArray<WorkItem>, together?: number) => Effect.Effect<void>
    /**
     * Waits for the next id and passes it to `claim`, which records in the database who does the work. If `claim` fails, dies or is
     * interrupted, the id is handed out again later.
     */
    readonly next: <A, E, R>(queue: string, claim: (id: string) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@sightline/actor/WorkQueue") {
  /** The work queues of a single process. */
  static readonly layerMemory = Layer.effect(
    WorkQueue,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const { pushed, refused } = makeRefusals()
      const buffers = new Map<string, QueueBuffer>()
      const bufferOf = Effect.fnUntraced(function* (queue: string) {
        const made = buffers.get(queue) ?? {
          items: yield* Queue.dropping<WorkItem>(waitingMax),
          known: new Set<string>()
        }
        // Another fiber may have made the buffer in the meantime.
        const buffer = buffers.get(queue) ?? made
        buffers.set(queue, buffer)
        return buffer
      })
      const next = Effect.fnUntraced(function* <A, E, R>(
        queue: string,
        claim: (id: string) => Effect.Effect<A, E, R>,
        restore: Restore
      ) {
        const buffer = yield* bufferOf(queue)
        const item = yield* restore(Queue.take(buffer.items))
        const redeliver = Effect.delay(
          Effect.sync(() => enqueue(buffer, item)),
          redeliveryDelayMillis
        )
        return yield* restore(Effect.suspend(() => claim(item.id))).pipe(
          Effect.onExit((exit) =>
            Exit.isSuccess(exit) ? Effect.sync(() => buffer.known.delete(keyOf(item))) : Effect.forkIn(redeliver, scope)
          )
        )
      })
      return WorkQueue.of({
        push: Effect.fnUntraced(function* (queue, items) {
          const buffer = yield* bufferOf(queue)
          const lost = items.filter((item) => !buffer.known.has(keyOf(item)) && !enqueue(buffer, item)).length
          yield* lost > 0 ? refused(queue, lost, "full") : pushed(queue)
        }),
        next: (queue, claim) => Effect.uninterruptibleMask((restore) => next(queue, claim, restore))
      })
    })
  )
}

/** Makes an effect interruptible again. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A queue in memory, and the keys of the items that wait in it, are being claimed or wait to be handed out again. */
interface QueueBuffer {
  readonly items: Queue.Queue<WorkItem>
  readonly known: Set<string>
}

/** The text that identifies an item. */
export const keyOf = ({ id, turn, again = 0 }: WorkItem): string => `${id}:${turn}:${again}`

const enqueue = ({ items, known }: QueueBuffer, item: WorkItem): boolean => {
  const accepted = Queue.offerUnsafe(items, item)
  if (accepted) known.add(keyOf(item))
  else known.delete(keyOf(item))
  return accepted
}
