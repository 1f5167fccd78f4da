import { Clock, Duration, Effect, MutableList, Queue } from "effect"

/**
 * How long requests wait for their turn: at most `burst`, and at most `standing`, which is no longer, where for longer than `burst` there
 * was always somebody waiting. In a queue that stands everybody waits as long as is allowed, and has only the rest of its time for the
 * work.
 */
export interface Waits {
  readonly burst: Duration.Input
  readonly standing: Duration.Input
}

/** What has come to its turn, and after how long. */
export interface Turn<A> {
  readonly item: A
  readonly waitedMillis: number
}

/** What waits for its turn, and since when. */
interface Waiting<A> {
  readonly item: A
  readonly sinceMillis: number
}

/**
 * What waits for its turn, first come, first served. It takes whatever it is offered. Times are told by a clock that nobody sets.
 * Law: what `late` takes out has waited too long; it takes it as soon as that is so, whether or not anything comes to its turn.
 */
export const makeMailbox = Effect.fnUntraced(function* <A>(waits: Waits) {
  const [burst, standing] = [Duration.toMillis(waits.burst), Duration.toMillis(waits.standing)]
  const clock = yield* Clock.Clock
  const millis = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const queue = yield* Queue.unbounded<Waiting<A>>()
  // Since when there was always somebody waiting.
  let filledMillis = 0

  const late = Effect.gen(function* () {
    for (;;) {
      const [eldest]: ReadonlyArray<Waiting<A>> = MutableList.toArrayN(queue.messages, 1)
      if (eldest === undefined) {
        yield* Queue.peek(queue)
        continue
      }
      // Whoever comes later is late later, so that until then nobody has to be looked at.
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
    late
  }
})
