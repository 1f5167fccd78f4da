import { Clock, Duration, Effect, MutableList, Queue } from "effect"

/**
 * How long a request may wait for its turn: at most `burst`. Once the mailbox has been non-empty for longer than `burst`, the limit is
 * `standing`, which is no longer. In a mailbox that never empties, every request waits up to the limit and has only the rest of its
 * timeout for the work.
 */
export interface WaitLimits {
  readonly burst: Duration.Input
  readonly standing: Duration.Input
}

/** An item whose turn has come, and how long it waited. */
export interface Turn<A> {
  readonly item: A
  readonly waitedMillis: number
}

/** A waiting item, and when it arrived. */
interface Waiting<A> {
  readonly item: A
  readonly sinceMillis: number
}

/**
 * A first-in, first-out queue of waiting items. It is unbounded: every offer is accepted. Times are read from the monotonic clock.
 * Law: `takeExpired` removes an item that has waited too long, as soon as its limit has passed, even while no item is taken.
 */
export const makeMailbox = Effect.fnUntraced(function* <A>(waits: WaitLimits) {
  const [burst, standing] = [Duration.toMillis(waits.burst), Duration.toMillis(waits.standing)]
  const clock = yield* Clock.Clock
  const millis = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const queue = yield* Queue.unbounded<Waiting<A>>()
  // When the queue last stopped being empty.
  let filledMillis = 0

  const takeExpired = Effect.gen(function* () {
    for (;;) {
      const [eldest]: ReadonlyArray<Waiting<A>> = MutableList.toArrayN(queue.messages, 1)
      if (eldest === undefined) {
        yield* Queue.peek(queue)
        continue
      }
      // Later items have later limits, so nothing needs to be checked before the limit of the oldest.
      const leftMillis = Math.max(eldest.sinceMillis + standing, filledMillis + burst) - millis()
      if (leftMillis < 0) {
        Queue.takeUnsafe(queue)
        return eldest.item
      }
      yield* Effect.sleep(leftMillis + 1)
    }
  })

  return {
    offer: (item: A) => {
      const sinceMillis = millis()
      if (Queue.sizeUnsafe(queue) === 0) filledMillis = sinceMillis
      return Queue.offerUnsafe(queue, { item, sinceMillis })
    },
    take: Effect.map(Queue.take(queue), ({ item, sinceMillis }): Turn<A> => ({
      item,
      waitedMillis: millis() - sinceMillis
    })),
    takeExpired
  }
})
