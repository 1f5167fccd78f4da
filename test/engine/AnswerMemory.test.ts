/** Planted and seen red: a memory that goes by the machine's own clock. */
import { it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { makeAnswerMemory } from "@sightline/engine/AnswerMemory"
import { answer } from "./told.ts"

it.effect("an answer is remembered for 55 seconds of the clock", () =>
  Effect.gen(function* () {
    yield* TestClock.adjust("1 hour")
    const memory = makeAnswerMemory(yield* Clock.Clock)
    memory.set("key", answer)
    yield* TestClock.adjust("54 seconds")
    assert.strictEqual(memory.get("key"), answer)
    yield* TestClock.adjust("2 seconds")
    assert.isUndefined(memory.get("key"))
  })
)
