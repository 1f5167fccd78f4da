/**
 * Who has waited too long for a turn, on a clock of the test's own.
 *
 * Planted and seen red: a queue that stands given the time of a burst; a burst given that of a queue that stands, or only where nothing had
 * come for a while; a queue that was empty meanwhile still taken for one that stands.
 */
import { assert, it } from "@effect/vitest"
import { makeMailbox } from "@sightline/actor/Mailbox"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** A mailbox, and what has been taken out of it for having waited too long. */
const watched = Effect.gen(function* () {
  const mailbox = yield* makeMailbox<string>({ burst: "30 seconds", standing: "5 seconds" })
  const late: Array<string> = []
  yield* Effect.forkChild(Effect.forever(Effect.map(mailbox.late, (item) => late.push(item))), {
    startImmediately: true
  })
  return { ...mailbox, late, next: Effect.map(mailbox.take, ({ item }) => item) }
})

it.effect("first come, first served, and each is told what it has waited", () =>
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

it.effect("a burst may wait for 30 s, and for no more, though nobody comes to a turn", () =>
  Effect.gen(function* () {
    const { late, next, offer } = yield* watched
    yield* TestClock.adjust("1 minute")
    for (const one of ["a", "b", "c"]) offer(one)
    yield* TestClock.adjust("10 seconds")
    offer("d")
    yield* TestClock.adjust("20 seconds")
    assert.deepEqual(late, [])
    assert.strictEqual(yield* next, "a")
    yield* TestClock.adjust("1 milli")
    // Those who came later than the others are in a queue that stands by now.
    assert.deepEqual(late, ["b", "c", "d"])
  })
)

it.effect("a queue that has stood for longer than a burst lets wait for 5 s, until it was empty", () =>
  Effect.gen(function* () {
    const { late, next, offer } = yield* watched
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
    assert.deepEqual(late, [])
    assert.strictEqual(yield* next, "in time")
    yield* TestClock.adjust("1 milli")
    assert.deepEqual(late, ["late", "late, too"])
    assert.strictEqual(yield* next, "last")
    for (const one of ["another burst", "behind it"]) offer(one)
    yield* TestClock.adjust("30 seconds")
    assert.lengthOf(late, 2)
    assert.strictEqual(yield* next, "another burst")
  })
)
