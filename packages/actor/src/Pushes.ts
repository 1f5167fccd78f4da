import { Array, type Cause, Effect, Metric } from "effect"
import type { JetStreamFailed } from "./NatsStreams.ts"
import type { WorkItem } from "./WorkQueue.ts"

const unannounced = Metric.counter("sightline_work_not_announced_total", {
  description: "Ids of jobs that a queue did not take when they were pushed, by queue; a sweeper pushes them again",
  incremental: true
})

/**
 * Counts the ids that a queue has not accepted. The first refusal is logged; later ones are only counted until the queue accepts a
 * whole push again.
 */
export const makeRefusals = () => {
  const refusing = new Set<string>()
  const count = (queue: string, ids: number) => Metric.update(Metric.withAttributes(unannounced, { queue }), ids)
  return {
    isRefusing: (queue: string): boolean => refusing.has(queue),
    // Adds zero, so that the series exists before the first refusal.
    pushed: (queue: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        refusing.delete(queue)
        return count(queue, 0)
      }),
    refused: (queue: string, ids: number, reason: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (refusing.has(queue)) return count(queue, ids)
        refusing.add(queue)
        return Effect.andThen(count(queue, ids), Effect.logWarning("Work not announced", { queue, ids, reason }))
      })
  }
}

/** The most pushes that run at a time to a queue that has refused. */
const triesMax = 64

/** Messages announced at a time, with one acknowledgement: measured to be several times as fast as one acknowledgement for each. */
const chunkMax = 500

/**
 * Pushes with `announce`, which takes up to 500 messages, and may take seconds to fail. A push ends with the first messages that are
 * refused: their ids and those after them are counted, although some of the former may have been taken.
 * Choice: after a refusal, pushes run in the background until one succeeds, so that their callers need not wait. A push beyond 64
 * running ones is not tried.
 */
export const makePush = Effect.fnUntraced(function* (
  announce: (
    queue: string,
    items: Array.NonEmptyReadonlyArray<WorkItem>,
    together: number
  ) => Effect.Effect<void, JetStreamFailed | Cause.TimeoutError>
) {
  const scope = yield* Effect.scope
  const { isRefusing, pushed, refused } = makeRefusals()
  const trying = new Map<string, number>()
  const triesOf = (queue: string): number => trying.get(queue) ?? 0
  const attempted = (...[queue, items, together = 1]: Push) => {
    let left = items.length
    const announced = Effect.forEach(
      Array.chunksOf(items, chunkMax * together),
      (chunk) =>
        Effect.andThen(
          announce(queue, chunk, together),
          Effect.sync(() => (left -= chunk.length))
        ),
      { discard: true }
    )
    return Effect.matchEffect(announced, {
      onFailure: ({ message }) => refused(queue, left, message),
      onSuccess: () => pushed(queue)
    })
  }
  return (...push: Push): Effect.Effect<void> =>
    Effect.suspend(() => {
      const [queue, items] = push
      if (!isRefusing(queue)) return attempted(...push)
      if (triesOf(queue) === triesMax) return refused(queue, items.length, "out of reach")
      trying.set(queue, triesOf(queue) + 1)
      const tried = Effect.ensuring(
        attempted(...push),
        Effect.sync(() => trying.set(queue, triesOf(queue) - 1))
      )
      return Effect.asVoid(Effect.forkIn(tried, scope))
    })
})

/** One push: the queue, its items, and how many of them share a message. */
type Push = readonly [queue: string, items: ReadonlyArray<WorkItem>, together?: number]
