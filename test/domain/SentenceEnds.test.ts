/**
 * The ends of sentences, compared with the segmenter whose rules they follow.
 *
 * Planted faults, each seen red here: a full stop before a lower-case letter ends a sentence; a full stop between capitals ends one; a
 * line break ends nothing; a semicolon never continues a sentence.
 */
import { sentenceEnds } from "@sightline/domain/text/SentenceEnds"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" })
const segmented = (text: string): ReadonlyArray<number> =>
  Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length)

const units = fc.constantFrom(
  ...Array.from("aAzZéÉß019 .!?,-:;\"'()[]{}«»‘’‚“”„–—…•*_#/&|\r\n\t\u00a0\u0301\u2028😀中あª")
)
const marks = fc.constantFrom(...Array.from('aA1 .!?),;\n*"'))

describe("sentence ends", () => {
  it("are those of Intl.Segmenter, in any text: sentenceEnds(text) = segmenter(text)", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(units, marks), { maxLength: 24 }), (parts) => {
        const text = parts.join("")
        assert.deepStrictEqual(sentenceEnds(text), segmented(text))
      }),
      { numRuns: 3000 }
    )
  })

  it("are those of Intl.Segmenter beside every code unit of the Latin, Greek and Cyrillic blocks and of punctuation", () => {
    for (let unit = 0; unit < 0x2100; unit++) {
      const sign = String.fromCharCode(unit)
      for (const text of [`a.${sign}b`, `a. ${sign}B`, `a!${sign} B`, `${sign}.B`, `a. ${sign} c`]) {
        assert.deepStrictEqual(sentenceEnds(text), segmented(text), JSON.stringify(text))
      }
    }
  })
})
