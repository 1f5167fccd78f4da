/**
 * Planted and seen red: only the first of several waits for a key ended; waits for any key ended; an unreadable notice that ends the
 * listening; a wait without a limit; the next wait ended too; other waits
 * not ended once one has ended; waits, or their keys, kept after their end.
 */
import { assert, it } from "@effect/vitest"
import { Bus } from "@sightline/actor/Bus"
import { makeNotices } from "@sightline/actor/Notices"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Reads broadcasts of the form `key word`. */
const read = (message: string) => {
  const [key = "", word] = message.split(" ")
  return word === undefined ? Option.none() : Option.some({ key, word })
}

const listening = Effect.gen(function* () {
  const bus = yield* Bus
  const next = yield* makeNotices("news", read)
  yield* Effect.yieldNow
  const wait = (key: string) => Effect.forkChild(next(key, "1 second"), { startImmediately: true })
  return { next, wait, publish: (message: string) => bus.publish("news", message) }
})

it.effect("a notice ends all waits for its key and no others; a later wait gets the next notice", () =>
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

it.effect("a wait ends with nothing after its timeout, even if an unreadable notice came", () =>
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

it.effect("a notice does not end the next wait of whoever waits again at once", () =>
  Effect.gen(function* () {
    const { next, publish } = yield* listening
    const twice = Effect.andThen(next("a", "1 second"), next("a", "1 second"))
    const [one, other] = [
      yield* Effect.forkChild(twice, { startImmediately: true }),
      yield* Effect.forkChild(twice, { startImmediately: true })
    ]
    yield* publish("a first")
    yield* Effect.yieldNow
    assert.deepEqual([one.pollUnsafe(), other.pollUnsafe()], [undefined, undefined])
    yield* publish("a second")
    const second = Option.some({ key: "a", word: "second" })
    assert.deepEqual([yield* Fiber.join(one), yield* Fiber.join(other)], [second, second])
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("a wait that is over ends no other for its key", () =>
  Effect.gen(function* () {
    const { publish, wait } = yield* listening
    const first = yield* wait("a")
    yield* TestClock.adjust("500 millis")
    const second = yield* wait("a")
    yield* TestClock.adjust("500 millis")
    assert.deepEqual(yield* Fiber.join(first), Option.none())
    yield* publish("a word")
    assert.deepEqual(yield* Fiber.join(second), Option.some({ key: "a", word: "word" }))
  }).pipe(Effect.provide(Bus.layerMemory))
)

it.effect("nothing is kept of waits that are over", () =>
  Effect.gen(function* () {
    setFlagsFromString("--expose-gc")
    const { publish, wait } = yield* listening
    const bytesUsed = Effect.promise(async () => {
      await new Promise(setImmediate)
      runInNewContext("gc()")
      return process.memoryUsage().heapUsed
    })
    const before = yield* bytesUsed
    for (let n = 0; n < 60; n++) {
      const key = String(n).padEnd(500_000, "x")
      const told = yield* wait(key)
      yield* publish(`${key} word`)
      yield* Fiber.join(told)
      const late = yield* wait(key)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(late)
    }
    assert.isBelow((yield* bytesUsed) - before, 10_000_000)
  }).pipe(Effect.provide(Bus.layerMemory))
)
