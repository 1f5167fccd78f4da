import * as fc from "fast-check"
import { assert } from "vitest"

/** What a customer may write that would be more than words in a sentence: markup, quotes, controls, entities. */
export const anyWords = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('<>&"“”`*_~[]\\#;\n\u0007\u200b\u200d\u202e\u2028 é'), "lt;", "#60;"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
  ),
  maxLength: 60,
  size: "max"
})

/**
 * Nothing in a sentence of ours is markup, a control or an entity, and its quotes are its own. After each of them there is a
 * letter of ours before the next, or a figure: words from right to left would be shown as one with what follows them.
 */
export const assertQuoted = (sentence: string): void => {
  assert.notMatch(sentence, /[<>"`*_~\[\]\\\p{Cc}[\p{Cf}--[\u200c\u200d]]\p{Zl}\p{Zp}]|&#|&\w+;/v)
  assert.notMatch(sentence, /“[^”]*“|”[^“]*”/)
  assert.notMatch(sentence, /”[^A-Za-z“\d]*[“\d]/)
}
