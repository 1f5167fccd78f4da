/** Planted and seen red: a pair of surrogates cut in two, nothing left of a text. */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { cut } from "@sightline/dashboard/text/Cut"

const texts = fc.array(fc.constantFrom("a", "é", "😀", "👩‍👧", " ")).map((letters) => letters.join(""))

it("a cut text is a well-formed prefix of the text: cut(text, n).length is n or n - 1", () =>
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, length) => {
      const shown = cut(text, length)
      const whole = Math.min(text.length, length)
      assert.include([whole, whole - 1], shown.length)
      assert.isTrue(text.startsWith(shown))
      assert.isTrue(shown.isWellFormed())
    })
  ))
