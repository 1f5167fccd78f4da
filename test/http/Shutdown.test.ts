/**
 * How long a process that is asked to end goes on, on a clock of the test's own.
 *
 * Planted and seen red: the end told by the time of day.
 */
import { assert, it } from "@effect/vitest"
import { makeShutdown } from "@sightline/server/Shutdown"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

it.effect.each(["kept", "set back"] as const)("its grace of 25 s is over in its time, the clock being %s", (clock) =>
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

it.effect("there is none for a process that was not asked to end", () =>
  Effect.gen(function* () {
    const { over } = yield* makeShutdown
    const waiting = yield* Effect.forkChild(over, { startImmediately: true })
    assert.isDefined(waiting.pollUnsafe())
  })
)
