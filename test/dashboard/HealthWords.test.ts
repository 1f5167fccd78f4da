/**
 * The state of the platforms, in words.
 *
 * Planted and seen red: platforms with too few captures are called working; an outage is hidden by a good week.
 */
import { assert, describe, it } from "vitest"
import type { HealthResponse } from "@sightline/contract/HealthApi"
import { healthText, overallText } from "@sightline/dashboard/health/HealthWords"

type Health = HealthResponse["platforms"]["claude"]

const ok: Health = { status: "ok", success_rate_7d: 0.994, p95_latency_ms: 2100, sample_size_7d: 1240 }
const unknown: Health = { status: "unknown", success_rate_7d: null, p95_latency_ms: null, sample_size_7d: 3 }

const all = (health: Health): HealthResponse["platforms"] => ({
  chatgpt: health,
  claude: health,
  gemini: health,
  perplexity: health,
  perplexity_live: health,
  chatgpt_live: health,
  gemini_live: health,
  ai_overview: health,
  ai_mode: health,
  bing_copilot: health
})

describe("a platform", () => {
  it("is described with the figures behind its state", () => {
    const said = healthText(ok).replaceAll("\u00a0", " ")
    assert.strictEqual(
      said,
      "99% of 1,240 captures in seven days were answered; 95 in 100 of those took at most 2.1 s."
    )
  })

  it("that is down in a good week says why", () => {
    assert.match(healthText({ ...ok, status: "down" }), /In the last hours most captures failed\.$/)
  })

  it("with too few captures has no figures", () => {
    assert.match(healthText(unknown), /^Too few captures in seven days to judge by: 3, and 20 are needed\.$/)
  })
})

describe("all platforms", () => {
  it("are called working only where every one is", () => {
    assert.strictEqual(overallText(all(ok)), "Every platform is working.")
    assert.strictEqual(
      overallText({ ...all(ok), claude: unknown }),
      "Every platform with enough captures is working. Platforms with too few captures: 1."
    )
    assert.match(overallText(all(unknown)), /^Too few captures/)
  })

  it("are named where they are not working", () => {
    const down: Health = { ...ok, status: "down" }
    assert.strictEqual(
      overallText({ ...all(ok), ai_mode: down, claude: { ...ok, status: "degraded" } }),
      "Down: AI Mode. Partly working: Claude."
    )
  })
})
