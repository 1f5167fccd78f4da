/**
 * The warm-up. Planted faults, each seen red: the start waits for it; its answers are read without a pause; only the first is read; an
 * answer that names the brand, or a denial, is removed.
 */
import { assert, describe, it } from "@effect/vitest"
import { findBrand } from "@sightline/domain/Brand"
import { sampleAnswers, sampleBrand, layer } from "@sightline/engine/WarmUp"
import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"

const findings = sampleAnswers.map((text) => ({ text, ...findBrand({ text, brandEntities: [] }, sampleBrand) }))
const isTypographic = ({ text }: { readonly text: string }): boolean => /[\u2010-\uffff]/.test(text)

describe("the warm-up", () => {
  it.effect("does not delay the start, and yields between its answers", () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => void lines.push(Array.isArray(message) ? message[0] : message))
    return Effect.gen(function* () {
      yield* Layer.build(layer)
      yield* TestClock.adjust(20 * (sampleAnswers.length - 1))
      assert.deepStrictEqual(lines, [])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(lines, ["An answer of each kind was read"])
    }).pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "Debug"))
  })

  it("reads answers that name the brand, in both kinds of text, and answers that do not", () => {
    const named = findings.filter(({ mentioned }) => mentioned)
    assert.deepStrictEqual([...new Set(named.map(({ tier }) => tier))], ["word", "fuzzy"])
    assert.deepStrictEqual([...new Set(named.map(({ rank }) => rank))], [1, 2])
    assert.deepStrictEqual(new Set(named.map(isTypographic)), new Set([true, false]))
  })

  it("reads denials in eight languages", () => {
    const denied = findings.filter(({ mentioned, text }) => !mentioned && text.includes(sampleBrand))
    assert.strictEqual(denied.length, 8)
  })
})
