/**
 * Planted fault, seen red: a taker that fails is started again three times and then no more.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { JobLock } from "@sightline/engine/JobLock"
import { takers } from "@sightline/engine/Takers"

it.effect("who cannot take anything tries again every second, however often that fails", () =>
  Effect.gen(function* () {
    const tried = new Map<string, number>()
    const next = (queue: string) =>
      Effect.suspend(() => {
        tried.set(queue, (tried.get(queue) ?? 0) + 1)
        return Effect.die(new Error("no queue"))
      })
    const idle = {
      name: "jobs",
      queue: "jobs",
      concurrency: 2,
      claim: () => Effect.succeedNone,
      work: () => Effect.void
    }
    const queues = Layer.mock(WorkQueue, { next })
    yield* Effect.provide(takers(idle), Layer.merge(queues, JobLock.layer))
    yield* TestClock.adjust("1 minute")
    assert.deepEqual(
      [...tried],
      [
        ["jobs", 122],
        ["jobs-last", 61]
      ]
    )
  }).pipe(Effect.provide(Logger.layer([])))
)
