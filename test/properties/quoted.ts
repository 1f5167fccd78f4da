import * as fc from "fast-check"
import { assert } from "vitest"

/** Text of a customer that could be more than words in a sentence: markup, quotes, controls, entities. */
export const anyWords = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('<>&"“”`*_~[]\\#;\n\u0007\u200b\u200d\u202e\u2028 é'), "lt;", "#60;"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
  ),
  maxLength: 60,
  size: "max"
})

/**
 * Nothing in a generated sentence is markup, a control or an entity, and the only quotes are its own. Between two quotations there is a
 * letter or a digit of its own: otherwise right-to-left words would be displayed as one with what follows them.
 */
export const assertQuoted = (sentence: string): void => {
  assert.notMatch(sentence, /[<>"`*_~\[\]\\\p{Cc}[\p{Cf}--[\u200c\u200d]]\p{Zl}\p{Zp}]|&#|&\w+;/v)
  assert.notMatch(sentence, /“[^”]*“|”[^“]*”/)
  assert.notMatch(sentence, /”[^A-Za-z“\d]*[“\d]/)
}
