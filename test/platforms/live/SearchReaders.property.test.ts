/**
 * Planted faults that turned these red: a source's excerpt is taken from its title; comments are not read; an advertiser is named
 * after its site; bold is lost; the cards are searched again for each list of sources (minutes for 1 MiB of lists).
 */
import * as fc from "fast-check"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import type { Answer } from "@sightline/domain/Answer"
import { profile as aiMode } from "@sightline/platforms/live/AiMode"
import { profile as aiOverview } from "@sightline/platforms/live/AiOverview"
import { profile as bingCopilot } from "@sightline/platforms/live/BingCopilot"
import { readOverview } from "@sightline/platforms/vendor/DataForSeoOverview"
import { type LiveAnswer, liveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import { answerBlock } from "@sightline/sandbox/web/BingBlock"
import { bingAdverts } from "@sightline/sandbox/web/BingPage"
import { modeTurn, overviewBlock } from "@sightline/sandbox/web/GoogleBlocks"
import { resultOf } from "@sightline/sandbox/wire/DataForSeoResult"
import { pageText, readOn } from "./SearchPages.ts"
import { nested, soup, wide } from "./Soup.ts"

const surfaces = [
  { profile: aiOverview, url: "https://www.google.com/search?q=x", page: "ai_overview" },
  { profile: aiMode, url: "https://www.google.com/search?q=x&udm=50", page: "ai_mode" },
  { profile: bingCopilot, url: "https://www.bing.com/search?q=x", page: "bing_copilot" }
] as const

/** The container of the answer on each surface. */
const place = '<div id="copans_container"><div id="m-x-content" data-subtree="aimc">'

/** Tags that rarely contain an answer, and tags around one. */
const anyPage = fc.oneof(
  soup,
  soup.map((tags) => place + tags)
)

describe.each(surfaces)("$page", ({ page, profile, url }) => {
  it("any tags give an answer with text, an absence or a parse error, and never make the reader throw", () => {
    fc.assert(
      fc.property(anyPage, (html) => {
        const read = readOn(profile, html, url)
        if (typeof read === "string") return assert.include(["container_empty", "parse_error"], read)
        assert.isArray(read.sponsored)
        assert.strictEqual(read.text === "", read.surfacePresent === false)
      }),
      { numRuns: 1000 }
    )
  })

  it("a part of a page gives the text of the whole page, except for its last words", () => {
    const html = pageText(page)
    const letters = (read: ReturnType<typeof readOn>) =>
      typeof read === "string" ? "" : read.text.replace(/[^A-Za-z]/g, "")
    const whole = letters(readOn(profile, html, url))
    fc.assert(
      fc.property(fc.nat({ max: html.length }), (length) => {
        const part = letters(readOn(profile, html.slice(0, length), url))
        assert.isTrue(whole.startsWith(part.slice(0, -40)), part)
      }),
      { numRuns: 500 }
    )
  })

  it.each([...nested, ...wide])("an answer of nothing but %s is read within seconds of processor time", (unit) => {
    const start = process.threadCpuUsage()
    readOn(profile, place + unit.repeat(Math.ceil((1024 * 1024) / unit.length)), url)
    assert.isBelow(process.threadCpuUsage(start).user, 20_000_000)
  })
})

/** The block as a page has it once all of it is shown. */
const blocks: Record<(typeof surfaces)[number]["page"], (answer: LiveAnswer) => string> = {
  ai_overview: (answer) => overviewBlock({ base: "/web/ai_overview", seed: 1 }, answer),
  ai_mode: (answer) => `<div data-subtree="aimc">${modeTurn({ base: "/web/ai_mode", seed: 1 }, "Q", answer)}</div>`,
  bing_copilot: (answer) => `${bingAdverts(answer)}<div id="copans_container">${answerBlock(answer)}</div>`
}

const shown = (html: string): string => html.replaceAll(' hidden=""', "").replaceAll(" hidden>", ">")

const told = ({ citations, sponsored, surfacePresent, text }: Answer) => ({
  citations,
  sponsored,
  surfacePresent,
  text
})

it.each(surfaces)("$page: the page and the vendor's copy give the same answer", ({ page, profile, url }) => {
  const question = fc.constantFrom(
    "best running shoes",
    "crm for startups",
    "a & b <i>",
    "cheap flights",
    "Nike or Hoka?"
  )
  fc.assert(
    fc.property(fc.nat({ max: 10_000 }), question, fc.constantFrom("US", "GB"), (seed, question, country) => {
      const answer = liveAnswer({ seed, surface: page, question, country })
      const scene = { question, latencyMillis: 0, slowMillis: 0, ending: undefined, answer, results: [] }
      const handed = Result.getOrThrow(readOverview(page)(resultOf(page, scene)))
      const read = readOn(profile, shown(blocks[page](answer)), url)
      assert(typeof read === "object")
      assert.deepEqual(told(read), told(handed))
    }),
    { numRuns: 300 }
  )
})
