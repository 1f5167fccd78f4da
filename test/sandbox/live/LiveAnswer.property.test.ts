/**
 * A simulated surface's answer, however it is shown.
 *
 * Planted and seen red: the answer depends on more than its question; a source is cited by nothing; sources are in the order in which
 * they were found; list items are separated by an empty line; both of ChatGPT's adverts are shown; every surface has absences.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { LiveSurface } from "@sightline/domain/Platform"
import { textOf } from "@sightline/sandbox/article/Span"
import { topics } from "@sightline/sandbox/article/Topics"
import { type LiveAsked, liveAnswer, showsAnswer } from "@sightline/sandbox/live/LiveAnswer"
import { cited, withoutMarkdown } from "@sightline/sandbox/live/Wording"

const nouns = [...topics.map(({ noun }) => noun), "vegan protein powder", "quantum fountain pens"]

const questions: fc.Arbitrary<LiveAsked> = fc.record({
  seed: fc.integer({ min: 0, max: 1000 }),
  surface: fc.constantFrom(...LiveSurface.literals),
  country: fc.constantFrom("US", "GB", "CA", "AU"),
  question: fc
    .tuple(
      fc.constantFrom("best", "top 10", "cheapest", "Is Acme better than HubSpot for"),
      fc.constantFrom(...nouns),
      fc.nat(99)
    )
    .map(([how, noun, which]) => `${how} ${noun} ${which}`)
})

const holds = (law: (asked: LiveAsked) => void) => fc.assert(fc.property(questions, law), { numRuns: 400 })

describe("an answer", () => {
  it("is the same for the same seed, surface, question and country", () =>
    holds((asked) => assert.deepStrictEqual(liveAnswer({ ...asked }), liveAnswer(asked))))

  it("is the text of its spans: markdown = spans joined", () =>
    holds((asked) => {
      const { markdown, spans } = liveAnswer(asked)
      assert.strictEqual(textOf(spans), markdown)
    }))

  it("is formatted like a page: paragraphs separated by an empty line, no blanks at the ends", () =>
    holds((asked) => {
      const { markdown } = liveAnswer(asked)
      assert.strictEqual(markdown, markdown.trim())
      assert.notMatch(markdown, /[ \t]$|\n{3}/m)
      const lines = markdown.split("\n")
      for (const [index, line] of lines.slice(1).entries()) {
        const before = lines[index] ?? ""
        if (line !== "" && before !== "") assert.match(`${before}\n${line}`, /^(?:(?:[-*] |\d+\. |\|).*\n?){2}$/)
      }
    }))

  it("uses every source, each first in the position of the order", () =>
    holds((asked) => {
      const { sources, spans } = liveAnswer(asked)
      const used = Array.from(new Set(spans.flatMap(({ cites }) => cites)))
      assert.deepStrictEqual(
        used,
        sources.map((_source, index) => index)
      )
      assert.strictEqual(new Set(sources.map(({ url }) => url)).size, sources.length)
    }))

  it("has what its surface has: related questions, searches, brands, adverts", () =>
    holds((asked) => {
      const { adverts, entities, fanOut, markdown, sources } = liveAnswer(asked)
      const counts = { perplexity_live: [3, 5], chatgpt_live: [1, 2] }
      const [least, most] = counts[asked.surface === "perplexity_live" ? asked.surface : "chatgpt_live"]
      const fansOut = asked.surface === "perplexity_live" || asked.surface === "chatgpt_live"
      assert.isAtLeast(fanOut.length, fansOut ? (least ?? 0) : 0)
      assert.isAtMost(fanOut.length, fansOut ? (most ?? 0) : 0)
      if (asked.surface === "perplexity_live") assert.isTrue(sources.length >= 5 && sources.length <= 10)
      if (asked.surface === "chatgpt_live") {
        assert.deepStrictEqual(
          adverts.map(({ rendered }) => rendered),
          [true, false]
        )
        assert.isNotEmpty(entities)
      } else {
        assert.isEmpty(entities)
        assert.isAtMost(adverts.length, asked.surface === "perplexity_live" || asked.surface === "gemini_live" ? 0 : 1)
      }
      for (const { name } of entities) assert.include(markdown, name)
    }))

  it("with marks is the answer without them: marks removed = markdown", () =>
    holds((asked) => {
      const answer = liveAnswer(asked)
      const marked = cited(answer, (_source, position) => `\u0001${position}\u0002`)
      // oxlint-disable-next-line no-control-regex
      assert.strictEqual(marked.replace(/\u0001\d+\u0002/g, ""), answer.markdown)
      assert.notMatch(withoutMarkdown(answer.markdown), /\*\*|^#|^\|-/m)
    }))
})

describe("an absence", () => {
  const shownOf = (surface: LiveSurface) =>
    Array.from({ length: 600 }, (_, index) =>
      showsAnswer({ seed: 1, surface, question: `best crm ${index}`, country: "US" })
    ).filter((shown) => shown).length

  it("occurs for a third of the questions on two surfaces and nowhere else", () => {
    for (const surface of LiveSurface.literals) {
      const shown = shownOf(surface)
      if (surface === "ai_overview" || surface === "bing_copilot") {
        assert.isAbove(shown, 350)
        assert.isBelow(shown, 450)
      } else {
        assert.strictEqual(shown, 600)
      }
    }
  })
})
