/** Planted and seen red: a memory that goes by the machine's own clock; citations weighed without what they quote, or once. */
import { it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { makeAnswerMemory } from "@sightline/engine/AnswerMemory"
import { answerMemoryBytes } from "@sightline/engine/Tuning"
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

it.effect("what is remembered has at most 64 MiB of words, those its citations quote among them", () =>
  Effect.gen(function* () {
    const memory = makeAnswerMemory(yield* Clock.Clock)
    const words = "品".repeat(3000)
    const cited = Array.from({ length: 20 }, () => ({
      url: "https://a.example/",
      title: "A",
      text: words,
      snippet: words
    }))
    // As they are, and once more in the answer that is made of them.
    const bytes = cited.reduce(
      (sum, { url, title, text, snippet }) =>
        sum + 2 * (url + title + text + snippet).length + Buffer.byteLength(url + title + text),
      0
    )
    const keys = Array.from({ length: Math.ceil((10 * answerMemoryBytes) / bytes) }, (_, n) => `key ${n}`)
    for (const key of keys) memory.set(key, { ...answer, citations: cited })
    const kept = keys.filter((key) => memory.get(key) !== undefined)
    assert.isAtMost(kept.length * bytes, answerMemoryBytes)
    assert.isAbove(kept.length * bytes, answerMemoryBytes / 2)
    assert.include(kept, keys.at(-1))
  })
)
