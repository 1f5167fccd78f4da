/**
 * Who has waited too long for a turn, on a clock of the test's own.
 *
 * Planted and seen red: a queue that stands given the time of a burst; a burst given that of a queue that stands; a queue that was empty
 * meanwhile still taken for one that stands.
 */
import { assert, it } from "@effect/vitest"
import { makeMailbox } from "@sightline/actor/Mailbox"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const waits = { burst: "30 seconds", standing: "5 seconds" } as const

it.effect("first come, first served, and each is told what it has waited", () =>
  Effect.gen(function* () {
    const mailbox = yield* makeMailbox<string>(waits)
    mailbox.offer("a")
    yield* TestClock.adjust("2 seconds")
    mailbox.offer("b")
    yield* TestClock.adjust("1 second")
    assert.deepEqual(yield* mailbox.take, { item: "a", waitedMillis: 3000, isLate: false })
    assert.deepEqual(yield* mailbox.take, { item: "b", waitedMillis: 1000, isLate: false })
  })
)

it.effect("a burst may wait for 30 s, and for no more", () =>
  Effect.gen(function* () {
    const mailbox = yield* makeMailbox<number>(waits)
    for (const one of [1, 2, 3]) mailbox.offer(one)
    yield* TestClock.adjust("30 seconds")
    assert.isFalse((yield* mailbox.take).isLate)
    yield* TestClock.adjust("1 milli")
    assert.isTrue((yield* mailbox.take).isLate)
    assert.isTrue((yield* mailbox.take).isLate)
  })
)

it.effect("a queue that has stood for longer than a burst lets wait for 5 s, until it was empty", () =>
  Effect.gen(function* () {
    const mailbox = yield* makeMailbox<string>(waits)
    mailbox.offer("first")
    for (let second = 0; second < 31; second++) {
      mailbox.offer("next")
      yield* TestClock.adjust("1 second")
      yield* mailbox.take
    }
    mailbox.offer("in time")
    mailbox.offer("late")
    mailbox.offer("last")
    assert.deepInclude(yield* mailbox.take, { item: "next", isLate: false })
    yield* TestClock.adjust("5 seconds")
    assert.deepInclude(yield* mailbox.take, { item: "in time", isLate: false })
    yield* TestClock.adjust("1 second")
    assert.deepInclude(yield* mailbox.take, { item: "late", isLate: true })
    assert.deepInclude(yield* mailbox.take, { item: "last", isLate: false })
    mailbox.offer("another burst")
    mailbox.offer("behind it")
    yield* TestClock.adjust("30 seconds")
    assert.deepInclude(yield* mailbox.take, { item: "another burst", isLate: false })
  })
)
