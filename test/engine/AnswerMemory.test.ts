/** Planted and seen red: a memory that reads the machine's clock; citations weighed without the text they quote, or only once. */
import { it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { makeAnswerMemory } from "@sightline/engine/AnswerMemory"
import { answerMemoryBytes } from "@sightline/engine/Tuning"
import { answer } from "./scripted.ts"

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

it.effect("the memory holds at most 64 MiB of text, quotes of citations included", () =>
  Effect.gen(function* () {
    const memory = makeAnswerMemory(yield* Clock.Clock)
    const words = "品".repeat(3000)
    const cited = Array.from({ length: 20 }, () => ({
      url: "https://a.example/",
      title: "A",
      text: words,
      snippet: words
    }))
    // The citations themselves, and once more as the part of a response that is rendered from them.
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
