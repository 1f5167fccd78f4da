import { type Cause, Effect, Metric } from "effect"
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
export const makePushes = () => {
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

/**
 * Pushes with `announce`, which may take seconds to fail.
 * Choice: after a refusal, pushes run in the background until one succeeds, so that their callers need not wait. A push beyond 64
 * running ones is not tried.
 */
export const makePush = Effect.fnUntraced(function* (
  announce: (...push: Push) => Effect.Effect<void, JetStreamFailed | Cause.TimeoutError>
) {
  const scope = yield* Effect.scope
  const { isRefusing, pushed, refused } = makePushes()
  const trying = new Map<string, number>()
  const triesOf = (queue: string): number => trying.get(queue) ?? 0
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
