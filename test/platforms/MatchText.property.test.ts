/** Planted faults that turned this red: a removed link replaced by a blank; the label written twice. */
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { matchText } from "@sightline/platforms/MatchText"

const word = fc.stringMatching(/^[A-Za-zäé]{1,12}$/)
const address = fc.webUrl({ validSchemes: ["http", "https"] }).filter((url) => !/[()\s]/.test(url))
const citation = fc
  .tuple(fc.constantFrom("1", "[2]", "+3", "", "host.example"), address)
  .map(([label, url]) => `[${label}](${url})`)
const anything = fc
  .array(fc.oneof(word, citation, fc.constantFrom("(", ")", "[", "](", "\n", " ", "- ", "1. ")), { maxLength: 40 })
  .map((pieces) => pieces.join(""))

const isSubsequence = (part: string, whole: string): boolean => {
  let at = 0
  for (const character of whole) if (part.startsWith(character, at)) at += character.length
  return at === part.length
}

it("only leaves text out: matchText(m) is a subsequence of m", () => {
  fc.assert(
    fc.property(anything, (markdown) => isSubsequence(matchText(markdown), markdown)),
    { numRuns: 2000 }
  )
})

it("ignores citations: matchText(words with citations) = words", () => {
  const claims = fc.array(fc.tuple(word, fc.array(citation, { maxLength: 3 }), fc.boolean()), {
    minLength: 1,
    maxLength: 8
  })
  fc.assert(
    fc.property(claims, (parts) => {
      const cited = parts.map(([said, citations, wrapped]) => {
        const links = citations.join(", ")
        return citations.length === 0 ? said : wrapped ? `${said} (${links})` : `${said} ${citations.join(" ")}`
      })
      assert.strictEqual(matchText(cited.join("\n")), parts.map(([said]) => said).join("\n"))
    }),
    { numRuns: 2000 }
  )
})

it("changes text without brackets only at line ends: matchText(t) = trimmed t", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }).filter((text) => !text.includes("[")),
      (text) => {
        const trimmed = text
          .split("\n")
          .map((line) => line.trimEnd())
          .join("\n")
          .trim()
        assert.strictEqual(matchText(text), trimmed)
      }
    )
  )
})
