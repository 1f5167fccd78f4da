/**
 * Planted faults, each seen red: the first of several waits ended alone; waits for any key ended; one that cannot be read ends the
 * listening; a wait without an end.
 */
import { assert, it } from "@effect/vitest"
import { Bus } from "@sightline/actor/Bus"
import { makeNotices } from "@sightline/actor/Notices"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"

/** Broadcasts of the shape `key word`. */
const read = (message: string) => {
  const [key = "", word] = message.split(" ")
  return word === undefined ? Option.none() : Option.some({ key, word })
}

const listening = Effect.gen(function* () {
  const bus = yield* Bus
  const next = yield* makeNotices("news", read)
  yield* Effect.yieldNow
  const wait = (key: string) => Effect.forkChild(next(key, "1 second"), { startImmediately: true })
  return { wait, publish: (message: string) => bus.publish("news", message) }
})

it.effect("a notice ends all waits for its key and no other; who comes later waits for the next", () =>
  Effect.gen(function* () {
    const { publish, wait } = yield* listening
    const [one, same, other] = [yield* wait("a"), yield* wait("a"), yield* wait("b")]
    yield* publish("a first")
    const first = Option.some({ key: "a", word: "first" })
    assert.deepEqual([yield* Fiber.join(one), yield* Fiber.join(same)], [first, first])
    const late = yield* wait("a")
    yield* publish("a second")
    assert.deepEqual(yield* Fiber.join(late), Option.some({ key: "a", word: "second" }))
    assert.isUndefined(other.pollUnsafe())
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("a wait is over with none when its time is, also where all that came cannot be read", () =>
  Effect.gen(function* () {
    const { publish, wait } = yield* listening
    const waiting = yield* wait("a")
    yield* publish("a")
    yield* TestClock.adjust("1 second")
    assert.deepEqual(yield* Fiber.join(waiting), Option.none())
    const next = yield* wait("a")
    yield* publish("a word")
    assert.deepEqual(yield* Fiber.join(next), Option.some({ key: "a", word: "word" }))
  }).pipe(Effect.provide(Bus.layerMemory))
)
