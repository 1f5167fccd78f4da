/**
 * Requests that wait too long in a mailbox, on a test clock.
 *
 * Planted and seen red: a standing queue given the limit of a burst; a burst given the limit of a standing queue, or its own only after a
 * pause; a queue that was empty meanwhile still treated as standing.
 */
import { assert, it } from "@effect/vitest"
import { makeMailbox } from "@sightline/actor/Mailbox"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** A mailbox, and the items removed from it because they waited too long. */
const watched = Effect.gen(function* () {
  const mailbox = yield* makeMailbox<string>({ burst: "30 seconds", standing: "5 seconds" })
  const takeExpired: Array<string> = []
  yield* Effect.forkChild(Effect.forever(Effect.map(mailbox.takeExpired, (item) => takeExpired.push(item))), {
    startImmediately: true
  })
  return { ...mailbox, takeExpired, next: Effect.map(mailbox.take, ({ item }) => item) }
})

it.effect("is first come, first served, and reports how long each item has waited", () =>
  Effect.gen(function* () {
    const { offer, take } = yield* watched
    offer("a")
    yield* TestClock.adjust("2 seconds")
    offer("b")
    yield* TestClock.adjust("1 second")
    assert.deepEqual(yield* take, { item: "a", waitedMillis: 3000 })
    assert.deepEqual(yield* take, { item: "b", waitedMillis: 1000 })
  })
)

it.effect("a burst may wait for 30 s and no more, even if none of it is taken", () =>
  Effect.gen(function* () {
    const { takeExpired, next, offer } = yield* watched
    yield* TestClock.adjust("1 minute")
    for (const one of ["a", "b", "c"]) offer(one)
    yield* TestClock.adjust("10 seconds")
    offer("d")
    yield* TestClock.adjust("20 seconds")
    assert.deepEqual(takeExpired, [])
    assert.strictEqual(yield* next, "a")
    yield* TestClock.adjust("1 milli")
    // By now, those that came later are in a standing queue.
    assert.deepEqual(takeExpired, ["b", "c", "d"])
  })
)

it.effect("a queue that stands for longer than a burst has a limit of 5 s, until it is empty", () =>
  Effect.gen(function* () {
    const { takeExpired, next, offer } = yield* watched
    offer("first")
    for (let second = 0; second < 31; second++) {
      offer("next")
      yield* TestClock.adjust("1 second")
      yield* next
    }
    for (const one of ["in time", "late", "late, too"]) offer(one)
    yield* TestClock.adjust("1 second")
    offer("last")
    assert.strictEqual(yield* next, "next")
    yield* TestClock.adjust("4 seconds")
    assert.deepEqual(takeExpired, [])
    assert.strictEqual(yield* next, "in time")
    yield* TestClock.adjust("1 milli")
    assert.deepEqual(takeExpired, ["late", "late, too"])
    assert.strictEqual(yield* next, "last")
    for (const one of ["another burst", "behind it"]) offer(one)
    yield* TestClock.adjust("30 seconds")
    assert.lengthOf(takeExpired, 2)
    assert.strictEqual(yield* next, "another burst")
  })
)
