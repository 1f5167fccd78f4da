/**
 * The three surfaces on pages of search results as the sandbox simulates them, captured in real Chromium: every scene of each, and the
 * same answer through the browser and through a vendor.
 *
 * Planted and seen red: "show more" is not clicked; the address of the late answer is not kept, so that a slow answer is taken for an
 * absence; a sign's words are read from a question and its answer; the consent screen is left open.
 */
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { FailureCode } from "@sightline/domain/Platform"
import { Redacted, Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { liveCeiling } from "@sightline/engine/Tuning"
import { profile as aiMode } from "@sightline/platforms/live/AiMode"
import { profile as aiOverview } from "@sightline/platforms/live/AiOverview"
import { profile as bingCopilot } from "@sightline/platforms/live/BingCopilot"
import { make as dataForSeo } from "@sightline/platforms/vendor/DataForSeo"
import { openSurfaces } from "./surfaces.ts"

const surfaces = openSurfaces()
afterAll(() => surfaces.close())

const profiles = [
  { profile: aiOverview, surface: "ai_overview" },
  { profile: aiMode, surface: "ai_mode" },
  { profile: bingCopilot, surface: "bing_copilot" }
] as const

const shoes = "best running shoes"

describe.each(profiles)("$surface", ({ profile, surface }) => {
  const password = Redacted.make("password")
  const browse = async (clause: string, asked = shoes, country = "GB") =>
    surfaces.browse(profile, `${asked} [[sandbox:${clause}]]`, country)

  const order = async (asked = shoes, country = "GB") => {
    const outcome = await surfaces.order(
      (origin) =>
        dataForSeo(surface, { login: "login", password, deadline: liveCeiling, baseUrl: `${origin}/dataforseo` }),
      `${asked} [[sandbox:answer]]`,
      country
    )
    return Result.getOrThrow(outcome)
  }

  it.each([
    [shoes, "GB"],
    ['Which crm for startups & "teams" <b>?', "US"],
    ["is X not available in your country? unusual traffic, not a robot", "AU"]
  ])("a page and a vendor give the same text, citations and adverts: %s", async (asked, country) => {
    const { citations, sponsored, surfacePresent, text } = Result.getOrThrow(await browse("answer", asked, country))
    const vendor = await order(asked, country)
    assert.strictEqual(text, vendor.text)
    assert.deepEqual(citations, vendor.citations)
    assert.deepEqual(sponsored, vendor.sponsored)
    assert.isUndefined(surfacePresent)
    assert.isAbove(citations.length, 2)
  })

  it("results without an answer are an absence, and a success", async () => {
    const answer = Result.getOrThrow(await browse("no-answer"))
    assert.deepInclude(answer, { surfacePresent: false, text: "", sponsored: [], citations: [] })
  })

  it.each(["consent", "slow=3s"])("%s only takes time", async (clause) => {
    assert.strictEqual(Result.getOrThrow(await browse(clause)).text, (await order()).text)
  })

  it.each<[string, FailureCode, CaptureEnding]>([
    ["captcha", "upstream_rate_limited", "captcha"],
    ["login-wall", "upstream_unavailable", "login_wall"],
    ["region", "surface_unavailable_in_region", "region"],
    ["broken", "upstream_unavailable", "parse_error"],
    ["container-empty", "upstream_unavailable", "container_empty"],
    ["reset", "upstream_unavailable", "container_empty"],
    ["status=503", "upstream_unavailable", "unavailable"]
  ])("%s is told as %s, %s", async (clause, code, ending) => {
    assert.deepInclude(Result.getOrThrow(Result.flip(await browse(clause))), { code, ending })
  })

  it("keeps a sample of each page that had a container for an answer and could not be read", () => {
    const kept = new Set<string>(
      surfaces.samples.filter(({ platform }) => platform === surface).map(({ ending }) => ending)
    )
    assert.isTrue(kept.has("parse_error") && kept.has("container_empty"))
  })
})
