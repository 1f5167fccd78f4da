/**
 * Planted and seen red: the bound is one code point or byte higher or lower; code points are counted as UTF-16 units; half of a
 * surrogate pair, or U+0000, is let through.
 */
import { assert, describe, it } from "vitest"
import { boundedText, excerpt } from "@sightline/platforms/Bounds"

describe.each([
  ["a text", boundedText],
  ["an excerpt", excerpt]
])("%s", (_what, bound) => {
  it.each([
    ["a\0b", "a\uFFFDb"],
    ["a\uD83Db", "a\uFFFDb"],
    ["\uDE00", "\uFFFD"],
    ["👟", "👟"]
  ])("%j is %j", (given, expected) => {
    assert.strictEqual(bound(given), expected)
  })
})

it.each(["x", "é", "👟"])("an excerpt has at most 300 code points: %s", (character) => {
  assert.strictEqual(excerpt(character.repeat(300)), character.repeat(300))
  assert.strictEqual(excerpt(character.repeat(900)), character.repeat(300))
})

it.each(["x", "é", "€", "👟"])("a text has at most 256 KiB of UTF-8: %s", (character) => {
  const most = Math.floor((256 * 1024) / Buffer.byteLength(character))
  assert.strictEqual(boundedText(character.repeat(most)), character.repeat(most))
  assert.strictEqual(boundedText(character.repeat(most + 1)), character.repeat(most))
})
