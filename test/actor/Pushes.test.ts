/**
 * Pushes to a queue that has refused one: they run in the background, and all of them succeed as soon as the queue accepts again.
 *
 * Planted and seen red: a caller that waits for an attempt; one attempt at a time; an unlimited number of attempts; a place kept after its
 * attempt; ids that are not announced not counted, or counted as one; ids counted that were announced before the refusal; no count before
 * the first; an outage, or the places for attempts, shared by all queues.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Latch, Logger, Metric } from "effect"
import { JetStreamFailed } from "@sightline/actor/NatsStreams"
import { makePush } from "@sightline/actor/Pushes"
import { items } from "./workQueues.ts"

it.effect("attempts up to 64 pushes at a time to a queue that has refused one, and their callers do not wait", () =>
  Effect.gen(function* () {
    const back = yield* Latch.make()
    const taken: Array<string> = []
    let isAway = true
    const push = yield* makePush((_, pushed) =>
      isAway
        ? new JetStreamFailed({ message: "away" })
        : Effect.andThen(
            back.await,
            Effect.sync(() => taken.push(...pushed.map(({ id }) => id)))
          )
    )
    const ids = Array.from({ length: 70 }, (_, place) => String(place))
    yield* push("asks", items("refused"))
    isAway = false
    for (const id of ids) yield* push("asks", items(id))
    assert.deepEqual(taken, [])
    yield* back.open
    yield* Effect.yieldNow
    assert.deepEqual(taken, ids.slice(0, 64))
    yield* push("asks", items("afterwards"))
    assert.strictEqual(taken.at(-1), "afterwards")
    isAway = true
    yield* push("asks", items("refused"))
    isAway = false
    for (const id of ids) yield* push("asks", items(id))
    yield* Effect.yieldNow
    assert.lengthOf(taken, 64 + 1 + 64)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)

/** How many ids of a queue were not announced, as its metric says. */
const unannounced = (queue: string) =>
  Effect.map(Metric.snapshot, (metrics) =>
    metrics.flatMap(({ attributes, id, state }) =>
      id === "sightline_work_not_announced_total" && attributes?.["queue"] === queue && "count" in state
        ? [Number(state.count)]
        : []
    )
  )

it.effect("counts each id that is not announced, whether or not a line says so, from the first push on", () =>
  Effect.gen(function* () {
    let announced: Effect.Effect<void, JetStreamFailed> = Effect.void
    const push = yield* makePush(() => Effect.suspend(() => announced))
    yield* push("counted", items("taken"))
    assert.deepEqual(yield* unannounced("counted"), [0])
    announced = new JetStreamFailed({ message: "away" })
    yield* push("counted", items("a", "b"))
    assert.deepEqual(yield* unannounced("counted"), [2])
    yield* push("counted", items("c", "d", "e"))
    yield* Effect.yieldNow
    assert.deepEqual(yield* unannounced("counted"), [5])
    announced = Effect.never
    for (let tried = 0; tried < 64; tried++) yield* push("counted", items("tried"))
    assert.deepEqual(yield* unannounced("counted"), [5])
    yield* push("counted", items("f", "g"))
    assert.deepEqual(yield* unannounced("counted"), [7])
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)

it.effect.each([1, 3])("counts the ids from the first refused messages on, with %i ids in a message", (together) =>
  Effect.gen(function* () {
    const queue = `parts-of-${together}`
    const taken: Array<number> = []
    const push = yield* makePush((_, pushed) =>
      taken.length === 2 ? new JetStreamFailed({ message: "full" }) : Effect.sync(() => taken.push(pushed.length))
    )
    const ids = Array.from({ length: 2000 * together }, (_, place) => String(place))
    yield* push(queue, items(...ids), together)
    assert.deepEqual(taken, [500 * together, 500 * together])
    assert.deepEqual(yield* unannounced(queue), [1000 * together])
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)

it.effect("has outages of each queue alone, and places for each of its own", () =>
  Effect.gen(function* () {
    const taken: Array<string> = []
    const away = new Set(["stuck", "back"])
    const push = yield* makePush((queue, pushed) => {
      if (away.has(queue)) return new JetStreamFailed({ message: "away" })
      return queue === "stuck" ? Effect.never : Effect.sync(() => taken.push(...pushed.map(({ id }) => id)))
    })
    for (const queue of away) yield* push(queue, items("refused"))
    away.clear()
    yield* push("well", items("a"))
    assert.deepEqual(taken, ["a"])
    for (let tried = 0; tried < 64; tried++) yield* push("stuck", items("tried"))
    yield* push("back", items("b"))
    yield* Effect.yieldNow
    assert.deepEqual(taken, ["a", "b"])
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
)
