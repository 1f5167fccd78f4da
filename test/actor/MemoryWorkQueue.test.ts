/**
 * What only work queues within one process can show: their clock and their limit.
 *
 * Planted and seen red: given back at once; no limit; what was dropped when it was pushed or given back, or claimed, remembered for
 * ever; a line of none that were lost.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { waitingMax, WorkQueue } from "@sightline/actor/WorkQueue"
import { items, taken } from "./workQueues.ts"

it.effect("an id that was given back is handed out again after a second", () =>
  Effect.gen(function* () {
    const queues = yield* WorkQueue
    yield* queues.push("asks", items("a"))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(queues.next("asks", () => Effect.fail("not now")))))
    const again = yield* Effect.forkChild(taken(queues, "asks", 1))
    yield* TestClock.adjust("999 millis")
    assert.isUndefined(again.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepEqual(yield* Fiber.join(again), ["a"])
  }).pipe(Effect.provide(WorkQueue.layerMemory))
)

it.effect("an id that was claimed is forgotten", () =>
  Effect.gen(function* () {
    const queues = yield* WorkQueue
    yield* queues.push("asks", items("a"))
    yield* taken(queues, "asks", 1)
    yield* queues.push("asks", items("a"))
    assert.deepEqual(yield* taken(queues, "asks", 1), ["a"])
  }).pipe(Effect.provide(WorkQueue.layerMemory))
)

it.effect(
  "what a full queue cannot hold is logged and nothing else is, and may be pushed again when there is room",
  () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const queues = yield* WorkQueue
      const ids = Array.from({ length: waitingMax + 2 }, (_, number) => `id-${number}`)
      yield* queues.push("asks", items("id-0"))
      yield* queues.push("asks", items(...ids))
      assert.deepEqual(logged, [["Work not announced", { queue: "asks", ids: 2, reason: "full" }]])
      yield* taken(queues, "asks", 1)
      yield* queues.push("asks", items(...ids.slice(-2)))
      assert.deepEqual(logged[1], ["Work not announced", { queue: "asks", ids: 1, reason: "full" }])
    }).pipe(
      Effect.provide(WorkQueue.layerMemory),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))]))
    )
  }
)

it.effect("what is given back to a full queue may be pushed again when there is room", () =>
  Effect.gen(function* () {
    const queues = yield* WorkQueue
    yield* queues.push("asks", items("given back"))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(queues.next("asks", () => Effect.fail("not now")))))
    yield* queues.push("asks", items(...Array.from({ length: waitingMax }, (_, number) => `id-${number}`)))
    yield* TestClock.adjust("1 second")
    yield* taken(queues, "asks", 1)
    yield* queues.push("asks", items("given back"))
    assert.strictEqual((yield* taken(queues, "asks", waitingMax)).at(-1), "given back")
  }).pipe(Effect.provide(WorkQueue.layerMemory))
)
