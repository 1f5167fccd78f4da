/**
 * The grace period of a process that is asked to end, on a test clock.
 *
 * Planted and seen red: the end of the grace period told by the wall clock.
 */
import { assert, it } from "@effect/vitest"
import { makeShutdown } from "@sightline/server/Shutdown"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

it.effect.each(["kept", "set back"] as const)("the grace period ends after 25 s, with the wall clock %s", (clock) =>
  Effect.gen(function* () {
    const { begin, over } = yield* makeShutdown
    yield* TestClock.adjust("1 hour")
    yield* begin
    yield* TestClock.adjust("5 seconds")
    if (clock === "set back") yield* TestClock.setTime(0)
    const waiting = yield* Effect.forkChild(over, { startImmediately: true })
    yield* TestClock.adjust("19 seconds")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.isDefined(waiting.pollUnsafe())
  })
)

it.effect("a process that was not asked to end has no grace period", () =>
  Effect.gen(function* () {
    const { over } = yield* makeShutdown
    const waiting = yield* Effect.forkChild(over, { startImmediately: true })
    assert.isDefined(waiting.pollUnsafe())
  })
)
