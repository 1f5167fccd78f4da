/**
 * What only work queues within one process can show: their clock and their limit.
 *
 * Planted and seen red: an id released without a delay; no limit; ids that were dropped, at a push or when released, or claimed,
 * remembered for ever; a log line for a push that lost nothing, or for each push; only one log line per run of the program.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { waitingMax, WorkQueue } from "@sightline/actor/WorkQueue"
import { items, taken } from "./workQueues.ts"

it.effect("an id that is released is handed out again after a second", () =>
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

it.effect("an id that is claimed is forgotten", () =>
  Effect.gen(function* () {
    const queues = yield* WorkQueue
    yield* queues.push("asks", items("a"))
    yield* taken(queues, "asks", 1)
    yield* queues.push("asks", items("a"))
    assert.deepEqual(yield* taken(queues, "asks", 1), ["a"])
  }).pipe(Effect.provide(WorkQueue.layerMemory))
)

it.effect(
  "a full queue is logged once until it takes a whole push, and nothing else is logged; dropped ids may be pushed again",
  () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const queues = yield* WorkQueue
      const ids = Array.from({ length: waitingMax + 2 }, (_, number) => `id-${number}`)
      yield* queues.push("asks", items("id-0"))
      yield* queues.push("asks", items(...ids))
      const full = (lost: number) => ["Work not announced", { queue: "asks", ids: lost, reason: "full" }]
      assert.deepEqual(logged, [full(2)])
      yield* taken(queues, "asks", 1)
      yield* queues.push("asks", items(...ids.slice(-2)))
      assert.deepEqual(logged, [full(2)])
      yield* taken(queues, "asks", 1)
      yield* queues.push("asks", items(...ids.slice(-1)))
      yield* queues.push("asks", items("one too many"))
      assert.deepEqual(logged, [full(2), full(1)])
      assert.strictEqual((yield* taken(queues, "asks", waitingMax)).at(-1), ids.at(-1))
    }).pipe(
      Effect.provide(WorkQueue.layerMemory),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))]))
    )
  }
)

it.effect("an id that is released to a full queue may be pushed again when there is room", () =>
  Effect.gen(function* () {
    const queues = yield* WorkQueue
    yield* queues.push("asks", items("released"))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(queues.next("asks", () => Effect.fail("not now")))))
    yield* queues.push("asks", items(...Array.from({ length: waitingMax }, (_, number) => `id-${number}`)))
    yield* TestClock.adjust("1 second")
    yield* taken(queues, "asks", 1)
    yield* queues.push("asks", items("released"))
    assert.strictEqual((yield* taken(queues, "asks", waitingMax)).at(-1), "released")
  }).pipe(Effect.provide(WorkQueue.layerMemory))
)
