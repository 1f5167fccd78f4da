/**
 * Runs of capitalised words are found without searching the text by pattern, and patterns are skipped because of the neighbouring
 * word, with the same result as the patterns alone.
 *
 * Planted faults, each seen red here: a word counts as plain although a lower-case letter follows its full stop; a capital after a
 * letter of two code units begins a run; lower-case letters before a capital are left out of its run; an optional letter is always
 * read.
 */
import { assert, it } from "vitest"
import * as fc from "fast-check"
import { capitalsIn, runsOf } from "@sightline/domain/text/Capitals"
import { mayBeginAt, mayEndBefore } from "@sightline/domain/text/WordBeside"

const word = "\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’&+]*(?:-[\\p{L}\\p{M}\\p{Nd}]+)*"
const runs = `(?<![\\p{L}\\p{M}\\p{Nd}'’.-])(?:Bank of America|(?:\\p{Ll}{1,2}(?=\\p{Lu}))?${word}(?:\\.com)?(?:[ ](?:&[ ])?(?:\\d|${word})){0,3})`
const pieces = [
  ...Array.from("ABCabcÉéßЖж小𝐀𝐚😀19 \n.,-–’'&+*“(_"),
  "Acme",
  "Bank",
  "of",
  "America",
  ".com",
  "\u0301",
  "\ud835",
  "\udc00",
  " & ",
  " Bolt"
]

it("a sticky pattern started at capitals finds what a global search finds: runsOf = matchAll", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
      const text = parts.join("")
      const found = runsOf(text, capitalsIn(text), new RegExp(runs, "uy"), (plain) => plain === "Bank")
      const all = Array.from(text.matchAll(new RegExp(runs, "gu")), ({ 0: run, index: from }) => ({ from, run }))
      assert.deepStrictEqual(found, all)
    }),
    { numRuns: 5000 }
  )
})

const words = "on On in uses use the an a and stars star it has Pay Acme é".split(" ")
const signs = Array.from(" \n\t.,'’&-*_“\"1")
const around = fc.array(fc.constantFrom(...words, ...signs), { maxLength: 6 }).map((parts) => parts.join(""))

it("where the check of the word before rules a match out, the pattern does not match", () => {
  const pattern =
    /$(?<=(?<!\p{L})(?:[Oo]n|in|uses?|with)\s(?:(?:the|an?)\s)?(?:\p{Lu}\p{L}*(?:\sand\s|,\s))?[*_"“]{0,3})/u
  const mayMatch = mayEndBefore(pattern)
  fc.assert(
    fc.property(around, around, (before, after) => {
      if (pattern.test(before)) assert.isTrue(mayMatch(before + after, before.length))
    }),
    { numRuns: 5000 }
  )
})

it("where the check of the word after rules a match out, the pattern does not match", () => {
  const pattern = /^(?:(?:[\s-][\p{Lu}\d]\S*)?\s(?:stars?|Pay)(?!\p{L})|['’]s the| has it)/u
  const mayMatch = mayBeginAt(pattern)
  fc.assert(
    fc.property(around, around, (before, after) => {
      if (pattern.test(after)) assert.isTrue(mayMatch(before + after, before.length))
    }),
    { numRuns: 5000 }
  )
})
