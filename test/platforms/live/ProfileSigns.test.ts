/**
 * Each sign by which a surface shows that it will not answer, alone on its page, in a real Chromium.
 *
 * Planted and seen red: a captcha's address or words, a guard's widget, a refused country's words, or a login's address or status are
 * left out.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { takeSnapshot } from "@sightline/platforms/browser/PageSnapshot"
import { blockReasonOf } from "@sightline/platforms/browser/BlockReason"
import { profile as aiMode } from "@sightline/platforms/live/AiMode"
import { profile as aiOverview } from "@sightline/platforms/live/AiOverview"
import { profile as bingCopilot } from "@sightline/platforms/live/BingCopilot"
import { profile as chatGpt } from "@sightline/platforms/live/ChatGpt"
import { profile as gemini } from "@sightline/platforms/live/Gemini"
import { profile as perplexity } from "@sightline/platforms/live/Perplexity"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import { browsing, onPage } from "../browser/Captures.ts"

interface Shown {
  readonly html?: string
  readonly url?: string
  readonly status?: number
}

const all = [aiMode, aiOverview, bingCopilot, chatGpt, gemini, perplexity]
const search = [aiMode, aiOverview, bingCopilot]
const chats = [chatGpt, gemini, perplexity]
const google = [aiMode, aiOverview, gemini]

const telling: ReadonlyArray<readonly [CaptureEnding, ReadonlyArray<SurfaceProfile>, Shown]> = [
  ["captcha", google, { url: "https://site.invalid/sorry/index" }],
  ["captcha", [bingCopilot], { url: "https://site.invalid/turing/captcha/challenge" }],
  ["captcha", search, { html: "We saw unusual traffic." }],
  ["captcha", search, { html: "Show that you are not a robot." }],
  ["captcha", search, { html: `<form id="captcha-form">x</form>` }],
  ["captcha", search, { status: 429 }],
  ["captcha", [chatGpt], { html: "Unusual activity has been detected." }],
  ["captcha", [chatGpt], { html: `<textarea id="prompt-textarea"></textarea>`, status: 429 }],
  ["challenge", all, { html: `<form id="challenge-form">x</form>` }],
  ["challenge", all, { html: `<div class="cf-turnstile">x</div>` }],
  ["challenge", all, { html: `<iframe src="https://challenges.cloudflare.com/x"></iframe>` }],
  ["region", all, { html: "It is not available in your country" }],
  ["region", all, { html: "It is not available in your region" }],
  ["region", chats, { html: "It isn't available in your country" }],
  ["region", chats, { html: "unsupported_country_region_territory" }],
  ["login_wall", all, { status: 401 }],
  ["login_wall", all, { html: `<div role="dialog"><input type="email"></div>` }],
  ["login_wall", google, { url: "https://accounts.google.com/signin" }],
  ["login_wall", [bingCopilot], { url: "https://login.live.com/x" }],
  ["login_wall", [bingCopilot], { url: "https://login.microsoftonline.com/x" }],
  ["login_wall", [chatGpt], { url: "https://auth.openai.com/x" }],
  ["login_wall", [chatGpt], { html: `<textarea id="prompt-textarea"></textarea>`, status: 403 }],
  ["login_wall", [perplexity], { html: "<textarea></textarea>", status: 403 }]
]

layer(browsing({ contextsMax: 1 }), { excludeTestServices: true })("one sign", (it) => {
  it.effect.each(telling)("means %s", ([ending, profiles, { html = "", url, status = 200 }]) =>
    onPage((page) =>
      Effect.promise(async () => {
        await page.setContent(`<!doctype html><body>${html}`, { waitUntil: "commit" })
        for (const { containers, results, dismiss, busy, absence, signs, surface } of profiles) {
          const seen = await page.evaluate(takeSnapshot, { containers, results, dismiss, busy, absence, signs })
          const streams = {
            kept: () => [],
            pending: () => false,
            next: Effect.never,
            statuses: () => [status],
            document: () => 200,
            challenged: () => false
          }
          assert.strictEqual(blockReasonOf(signs, { ...seen, url: url ?? seen.url }, streams), ending, surface)
        }
      })
    )
  )
})
