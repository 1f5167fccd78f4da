/** Planted and seen red: a Latin-1 text treated as encoded; pieces joined without their separator. */
import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import { bytesOf, joined, textOf, utf8 } from "@sightline/store/Utf8"

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom("a", "é", "ÿ") }))

it("the bytes of an encoded text are its UTF-8, and decode to the text", () =>
  fc.assert(
    fc.property(text, (given) => {
      const encoded = utf8(given)
      assert.deepEqual(Array.from(bytesOf(encoded)), Array.from(new TextEncoder().encode(given)))
      assert.strictEqual(textOf(encoded), given)
    })
  ))

it("joined = encoded after joining: pieces may be encoded one by one", () =>
  fc.assert(
    fc.property(fc.array(text), text, (pieces, between) => {
      assert.strictEqual(joined(pieces.map(utf8), utf8(between)), utf8(pieces.join(between)))
    })
  ))
