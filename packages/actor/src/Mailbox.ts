import { Clock, Duration, Effect, Queue } from "effect"

/**
 * How long requests wait for their turn: at most `burst`, and at most `standing` where for longer than `burst` there was always somebody
 * left waiting. In a queue that stands everybody waits as long as is allowed, and has only the rest of its time for the work.
 */
export interface Waits {
  readonly burst: Duration.Input
  readonly standing: Duration.Input
}

/** What has come to its turn, after how long, and whether that was too long. */
export interface Turn<A> {
  readonly item: A
  readonly waitedMillis: number
  readonly isLate: boolean
}

/** What waits for its turn, first come, first served. It takes whatever it is offered. Times are told by a clock that nobody sets. */
export const makeMailbox = Effect.fnUntraced(function* <A>(waits: Waits) {
  const [burst, standing] = [Duration.toMillis(waits.burst), Duration.toMillis(waits.standing)]
  const clock = yield* Clock.Clock
  const millis = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const queue = yield* Queue.unbounded<{ readonly item: A; readonly sinceMillis: number }>()
  let emptyMillis = millis()

  return {
    offer: (item: A) => Queue.offerUnsafe(queue, { item, sinceMillis: millis() }),
    take: Effect.map(Queue.take(queue), ({ item, sinceMillis }): Turn<A> => {
      const now = millis()
      if (Queue.sizeUnsafe(queue) === 0) emptyMillis = now
      const waitedMillis = now - sinceMillis
      return { item, waitedMillis, isLate: waitedMillis > (now - emptyMillis > burst ? standing : burst) }
    })
  }
})
