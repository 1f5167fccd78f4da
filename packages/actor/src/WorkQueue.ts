import { Context, Effect, Exit, Layer, Queue } from "effect"
import { makePushes } from "./Pushes.ts"

/** One piece of work, by the key of its row. `turn` and `again` tell apart the times the same id is pushed on purpose. */
export interface WorkItem {
  readonly id: string
  readonly turn: number
  /** Counted up where the id may have been used up for another one's work. */
  readonly again?: number
}

/** How many ids wait in one queue. */
export const waitingMax = 100_000

/** How long an id that was given back waits before it is handed out again. */
export const returnDelayMillis = 1_000

/**
 * Hands ids of work to whoever is free, in any process.
 *
 * Shape: a queue is one word of letters, digits and `-`; an id is a short text, the key of a row.
 * Laws: at least once: an id is handed out until a claim of it has succeeded, one claim at a time however long that takes, unless
 * its process is lost or stands still for 30 seconds, or the server stalls; roughly first in, first out; queues never meet. The
 * same item, pushed again before it was claimed, is one id; up to two minutes later it may still be taken for the same, so that who
 * wants an id handed out again counts its `turn` or `again` up. Ids that are pushed together come to one process, which has 30
 * seconds for them, and as long as it claims any of them, before another gets them too; they may come again while one of them is not
 * claimed, and only the same ones together are one.
 *
 * Best effort, like the bus: an id is a hint that a row in the database is due. One that nobody claims in 15 minutes, that finds
 * `waitingMax` before it or that the server loses is gone, and whoever sweeps the table pushes it again.
 */
export class WorkQueue extends Context.Service<
  WorkQueue,
  {
    /**
     * Says that there is work, `together` ids in a message, or each in its own. Succeeds within seconds, also when that could
     * not be said, and at once where the queue refused the push before; that is counted, and logged once until the queue has taken
     * something again.
     */
    readonly push: (queue: string, items: ReadonlyArray<WorkItem>, together?: number) => Effect.Effect<void>
    /**
     * Waits for the next id and hands it to `claim`, which says in the database whose work it is now.
     * When that fails, dies or is interrupted, the id is given back.
     */
    readonly next: <A, E, R>(queue: string, claim: (id: string) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@sightline/actor/WorkQueue") {
  /** The work queues of a single process. */
  static readonly layerMemory = Layer.effect(
    WorkQueue,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const { pushed, refused } = makePushes()
      const lines = new Map<string, Line>()
      const lineOf = Effect.fnUntraced(function* (queue: string) {
        const made = lines.get(queue) ?? {
          items: yield* Queue.dropping<WorkItem>(waitingMax),
          known: new Set<string>()
        }
        // Another fiber may have made the line meanwhile.
        const line = lines.get(queue) ?? made
        lines.set(queue, line)
        return line
      })
      const next = Effect.fnUntraced(function* <A, E, R>(
        queue: string,
        claim: (id: string) => Effect.Effect<A, E, R>,
        restore: Restore
      ) {
        const line = yield* lineOf(queue)
        const item = yield* restore(Queue.take(line.items))
        const giveBack = Effect.delay(
          Effect.sync(() => enqueue(line, item)),
          returnDelayMillis
        )
        return yield* restore(Effect.suspend(() => claim(item.id))).pipe(
          Effect.onExit((exit) =>
            Exit.isSuccess(exit) ? Effect.sync(() => line.known.delete(keyOf(item))) : Effect.forkIn(giveBack, scope)
          )
        )
      })
      return WorkQueue.of({
        push: Effect.fnUntraced(function* (queue, items) {
          const line = yield* lineOf(queue)
          const lost = items.filter((item) => !line.known.has(keyOf(item)) && !enqueue(line, item)).length
          yield* lost > 0 ? refused(queue, lost, "full") : pushed(queue)
        }),
        next: (queue, claim) => Effect.uninterruptibleMask((restore) => next(queue, claim, restore))
      })
    })
  )
}

/** Lets an effect be interrupted again. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A queue in memory, and the keys of what waits in it, is being claimed or was given back. */
interface Line {
  readonly items: Queue.Queue<WorkItem>
  readonly known: Set<string>
}

/** What tells items apart. */
export const keyOf = ({ id, turn, again = 0 }: WorkItem): string => `${id}:${turn}:${again}`

const enqueue = ({ items, known }: Line, item: WorkItem): boolean => {
  const accepted = Queue.offerUnsafe(items, item)
  if (accepted) known.add(keyOf(item))
  else known.delete(keyOf(item))
  return accepted
}
