/**
 * ChatGPT, Perplexity and Gemini as the sandbox simulates them, captured in real Chromium: every scene of each, and the same answer
 * through the browser and through a vendor.
 *
 * Planted and seen red: region signs hold while a question can be typed; a dialog is not clicked away; sources are not opened; a
 * failed stream is taken for an absence.
 */
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { liveCeiling } from "@sightline/engine/Tuning"
import { profile as chatGpt } from "@sightline/platforms/live/ChatGpt"
import { profile as gemini } from "@sightline/platforms/live/Gemini"
import { profile as perplexity } from "@sightline/platforms/live/Perplexity"
import { make as cloro } from "@sightline/platforms/vendor/Cloro"
import { make as dataForSeo } from "@sightline/platforms/vendor/DataForSeo"
import { liveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import { Redacted, Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { openSurfaces, seed } from "./surfaces.ts"

const [password, deadline] = [Redacted.make("password"), liveCeiling]
const chats = [
  {
    profile: chatGpt,
    order: (origin: string) =>
      dataForSeo("chatgpt_live", { login: "login", password, deadline, baseUrl: `${origin}/dataforseo` })
  },
  {
    profile: perplexity,
    order: (origin: string) => cloro("perplexity_live", { apiKey: password, deadline, baseUrl: `${origin}/cloro` })
  },
  {
    profile: gemini,
    order: (origin: string) =>
      dataForSeo("gemini_live", { login: "login", password, deadline, baseUrl: `${origin}/dataforseo` })
  }
] as const

const surfaces = openSurfaces()
afterAll(() => surfaces.close())

const content = "What are the best running shoes for wide feet?"

describe.each(chats)("$profile.surface", ({ order, profile }) => {
  const browse = (clause: string, asked = content) =>
    surfaces.browse(profile, clause === "" ? asked : `${asked} [[sandbox:${clause}]]`)

  const failure = async (clause: string, asked?: string) => {
    const { code, ending } = Result.getOrThrow(Result.flip(await browse(clause, asked)))
    return { code, ending }
  }

  const withheld = (ending: CaptureEnding) => ({ code: "upstream_unavailable", ending }) as const

  it("an answer is captured with its sources and adverts", async () => {
    const answer = Result.getOrThrow(await browse(""))
    const told = liveAnswer({ seed, surface: profile.surface, question: content, country: "GB" })
    assert.strictEqual(answer.text, told.markdown)
    assert.deepEqual(
      answer.citations.map(({ title, url }) => ({ title, url })),
      told.sources.map(({ title, url }) => ({ title, url }))
    )
    assert.deepEqual(answer.fanOut, told.fanOut)
    if (profile !== chatGpt) return assert.notProperty(answer, "sponsored")
    assert.deepEqual(
      answer.sponsored,
      told.adverts.map(({ body: _body, ...advert }) => advert)
    )
    assert.deepEqual(
      answer.brandEntities.map(({ name }) => name).toSorted(),
      told.entities
        .map(({ name }) => name)
        .filter((name) => told.markdown.includes(name))
        .toSorted()
    )
  })

  it("browser and vendor give the same text, citations and adverts for the same question", async () => {
    for (const [asked, country] of [
      ["Which espresso machines are worth it?", "US"],
      ["Is Trello better than Asana?", "AU"]
    ] as const) {
      const seen = Result.getOrThrow(await surfaces.browse(profile, asked, country))
      const ordered = Result.getOrThrow(await surfaces.order(order, asked, country))
      const both = ({ citations, sponsored, text }: typeof seen) => ({
        citations: citations.map(({ title, url }) => ({ title, url })),
        sponsored,
        text
      })
      assert.deepEqual(both(seen), both(ordered))
    }
  })

  it("a missing answer is an absence, and a success", async () => {
    const answer = Result.getOrThrow(await browse("no-answer"))
    assert.deepInclude(answer, { surfacePresent: false, text: "", raw: "", citations: [] })
  })

  it("a consent screen is clicked away, and the answer is the same", async () => {
    assert.deepEqual(await browse("consent"), await browse(""))
  })

  it("a captcha counts as a rate limit", async () => {
    const failed = Result.getOrThrow(Result.flip(await browse("captcha")))
    assert.strictEqual(failed.code, "upstream_rate_limited")
    assert.include(["captcha", "challenge"], failed.ending)
  })

  it("a login wall makes the surface unavailable", async () => {
    assert.deepEqual(await failure("login-wall"), withheld("login_wall"))
  })

  it("a slow stream is awaited to its end", async () => {
    assert.deepEqual(await browse("slow=2s"), await browse(""))
  })

  it("a refused region is reported as such", async () => {
    assert.deepEqual(await failure("region"), { code: "surface_unavailable_in_region", ending: "region" })
  })

  it("an unreadable answer is a parse error, and its page is kept as a sample", async () => {
    const before = surfaces.samples.length
    assert.deepEqual(await failure("broken"), withheld("parse_error"))
    assert.deepInclude(surfaces.samples[before], { platform: profile.surface, ending: "parse_error" })
  })

  it("an empty container is reported as such, and not as an absence", async () => {
    assert.deepEqual(await failure("container-empty"), withheld("container_empty"))
  })

  it("a site that fails or refuses during an answer is no absence", async () => {
    const { code, ending } = await failure("status=500")
    assert.deepStrictEqual([code, ending], ["upstream_unavailable", "unavailable"])
    assert.strictEqual((await failure("status=429")).code, "upstream_rate_limited")
  })

  it("a stream that breaks off is given up before the deadline", async () => {
    assert.strictEqual((await failure("reset")).code, "upstream_unavailable")
  })

  it("a question that contains the words of a sign is answered", async () => {
    const asked = "What to do when a site is not available in your country, asks to verify you are human or to log in?"
    const answer = Result.getOrThrow(await browse("slow=1s", asked))
    assert.notProperty(answer, "surfacePresent")
  })
})
