/**
 * The live modes for test keys with Chromium: the whole program opens the simulated pages in a real browser.
 *
 * Planted and seen red: a page requested at the address of another surface; unread pages not stored; the lines of a question joined when it
 * is typed.
 */
import { existsSync } from "node:fs"
import { assert, it } from "vitest"
import { Samples } from "@sightline/contract/CapturesApi"
import { CheckResponse } from "@sightline/contract/CheckApi"
import { LiveSurface, slotOf } from "@sightline/domain/Platform"
import { exactly } from "../services/exactly.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"

const chromium = [
  process.env["SIGHTLINE_CHROMIUM"] ?? "",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium"
].find((path) => existsSync(path))

const decode = exactly(CheckResponse)
const decodeSamples = exactly(Samples)

const { env, program } = await started({ CHROMIUM_PATH: chromium ?? "no Chromium: run this through infra/services" })
const token = env.ADMIN_TOKEN
const key = (await customer(program, token)).key

const check = (query: string, mode: string) =>
  call(`${program.base}/v1/check`, { key, body: { query, brand: "Acme", mode } })

it(
  "200: all_live captures six pages concurrently, at 165, and the start prints the browser",
  { timeout: 120_000 },
  async () => {
    assert.include(program.output(), `Live modes test keys open simulated pages in ${chromium}`)
    const { status, body } = await check("best running shoes [[sandbox:answer]]", "all_live")
    assert.strictEqual(status, 200)
    const answer = decode(body)
    assert.deepEqual(answer.errors ?? {}, {})
    assert.sameMembers(Object.keys(answer.providers), LiveSurface.literals.map(slotOf))
    for (const [slot, said] of Object.entries(answer.providers)) {
      assert.isAbove(said.citations.length, 0, slot)
      assert.strictEqual("sponsored" in said, slot !== "gemini" && slot !== "perplexity")
      assert.notProperty(said, "surface_present")
    }
    assert.strictEqual(answer.cost_cents, 165)
  }
)

it.each(["chatgpt_live", "gemini_live"])(
  "200: %s, where the question is typed, gets all lines of the question",
  { timeout: 60_000 },
  async (mode) => {
    const { body } = await check("Which is better, HubSpot or\nAcme? [[sandbox:answer]]", mode)
    const [said] = Object.values(decode(body).providers)
    assert.isTrue(said?.mentioned)
  }
)

it(
  "200: an answer that is shown but cannot be read is no absence: it is not charged, and the page is stored for operators",
  {
    timeout: 120_000
  },
  async () => {
    const { body } = await check("best running shoes [[sandbox:container-empty]]", "ai_mode")
    const answer = decode(body)
    assert.strictEqual(answer.errors?.ai_mode?.code, "upstream_unavailable")
    assert.strictEqual(answer.cost_cents, 0)
    const { body: kept } = await operator(program, token).admin("/captures/samples?platform=ai_mode")
    const [sample] = decodeSamples(kept).samples
    assert.deepInclude(sample, { platform: "ai_mode", environment: "test", ending: "container_empty" })
    assert.isAbove(sample?.html.length ?? 0, 0)
    assert.notInclude(sample?.html, "<script")
    const metrics = await (await fetch(`${program.admin}/metrics`)).text()
    assert.match(
      metrics,
      /sightline_capture_duration_seconds_count\{platform="test-ai_mode",ending="container_empty"\} 1/
    )
  }
)
