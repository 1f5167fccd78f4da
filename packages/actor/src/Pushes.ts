import { type Cause, Effect, Metric } from "effect"
import type { JetStreamFailed } from "./NatsStreams.ts"
import type { WorkItem } from "./WorkQueue.ts"

const unannounced = Metric.counter("sightline_work_not_announced_total", {
  description: "Ids of jobs that a queue did not take when they were pushed, by queue; a sweeper pushes them again",
  incremental: true
})

/**
 * Counts ids of a queue that are not handed out, and logs the first of them; from there on it keeps quiet until the queue has taken
 * all that was pushed.
 */
export const makePushes = () => {
  const refusing = new Set<string>()
  const count = (queue: string, ids: number) => Metric.update(Metric.withAttributes(unannounced, { queue }), ids)
  return {
    isRefusing: (queue: string): boolean => refusing.has(queue),
    // Counted too, so that the series is there before the first refusal.
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

/**
 * Pushes by what `announce` does, which may take seconds to fail.
 * Choice: whoever pushes has a caller who waits, so once a queue has refused, nobody does any more: one push at a time finds out
 * beside them whether it takes again, and the others are not announced.
 */
export const makePush = Effect.fnUntraced(function* (
  announce: (...push: Push) => Effect.Effect<void, JetStreamFailed | Cause.TimeoutError>
) {
  const scope = yield* Effect.scope
  const { isRefusing, pushed, refused } = makePushes()
  const trying = new Set<string>()
  const attempted = (...push: Push) => {
    const [queue, items] = push
    return Effect.matchEffect(announce(...push), {
      onFailure: ({ message }) => refused(queue, items.length, message),
      onSuccess: () => pushed(queue)
    })
  }
  return (...push: Push): Effect.Effect<void> =>
    Effect.suspend(() => {
      const [queue, items] = push
      if (!isRefusing(queue)) return attempted(...push)
      if (trying.has(queue)) return refused(queue, items.length, "out of reach")
      trying.add(queue)
      const tried = Effect.ensuring(
        attempted(...push),
        Effect.sync(() => trying.delete(queue))
      )
      return Effect.asVoid(Effect.forkIn(tried, scope))
    })
})

/** What is pushed: the queue, its items, and how many travel together. */
type Push = readonly [queue: string, items: ReadonlyArray<WorkItem>, together?: number]
