import type { ModelTable } from "@sightline/domain/Model"
import type { Environment, LlmPlatform } from "@sightline/domain/Platform"
import { Egress } from "@sightline/egress/Egress"
import * as CaptureRecords from "@sightline/engine/CaptureRecords"
import { captureWaitLimits, platformConcurrency, platformMailbox, providerDeadline } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import { Browser } from "@sightline/platforms/Browser"
import type { Capture } from "@sightline/platforms/Capture"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import type { Captured } from "@sightline/platforms/PlatformActors"
import type { ResolveRedirect } from "@sightline/platforms/Redirects"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import type { VendorSettings } from "@sightline/server/settings/Setting"
import type { Settings } from "@sightline/server/settings/Settings"
import { Effect, Layer, Option, Redacted } from "effect"
import { liveCaptures } from "./LiveCaptures.ts"
import type { LiveRoutes } from "./LiveRoutes.ts"

type Vendors = Settings["vendors"]

/** The sandbox takes any key. */
const sandboxKey = Option.some(Redacted.make("sandbox"))

/** The vendors that the sandbox simulates, each under a path with its name. */
const sandboxVendors = (origin: string): Vendors => {
  const at = (name: string): VendorSettings => ({ baseUrl: `${origin}/${name}`, apiKey: sandboxKey })
  return { openai: at("openai"), anthropic: at("anthropic"), gemini: at("gemini"), perplexity: at("perplexity") }
}

const capturesOf = Effect.fnUntraced(function* (
  environment: Environment,
  vendors: Vendors,
  models: ModelTable,
  resolveRedirect: ResolveRedirect
) {
  const all = { models, deadline: providerDeadline }
  const entries: ReadonlyArray<readonly [LlmPlatform, Capture]> = [
    ["chatgpt_api", yield* ChatGpt.make({ ...vendors.openai, ...all })],
    ["claude_api", yield* Claude.make({ ...vendors.anthropic, ...all })],
    ["gemini_api", yield* Gemini.make({ ...vendors.gemini, ...all, resolveRedirect })],
    ["perplexity_api", yield* Perplexity.make({ ...vendors.perplexity, ...all })]
  ]
  return entries.map(([platform, capture]): Captured => ({
    environment,
    platform,
    capture,
    concurrency: platformConcurrency,
    mailboxMax: platformMailbox,
    waits: captureWaitLimits
  }))
})

/** Places in a worker's browser that are reserved for live keys, if it captures for live keys at all. */
const placesKeptForLive = 2

/** How the live surfaces are captured, and the Chromium for it if there is one. */
export interface LiveCapture {
  readonly routes: LiveRoutes
  readonly chromium: Option.Option<string>
}

/**
 * The actors of a worker: two for each platform, one for live keys and the real platform, one for test keys and the sandbox
 * at `sandboxOrigin`. The adapters are the same.
 */
export const layer = (settings: Settings, models: ModelTable, live: LiveCapture, sandboxOrigin: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const egress = yield* Egress
      const upstream = yield* UpstreamClient
      const real = yield* capturesOf("live", settings.vendors, models, egress.resolveRedirect)
      // The sandbox's redirects carry the real host and are answered by the sandbox itself.
      const test = yield* capturesOf("test", sandboxVendors(sandboxOrigin), models, (url) =>
        upstream.location(`${sandboxOrigin}/gemini${new URL(url).pathname}`)
      )
      const surfaces = yield* liveCaptures(settings.live, live.routes, sandboxOrigin)
      return PlatformActors.layer([...real, ...test, ...surfaces])
    })
  ).pipe(
    Layer.provide([
      UpstreamClient.layer,
      Egress.layer({ allow: [] }),
      CaptureRecords.layer,
      Browser.layer({
        // Without Chromium no route leads to the browser, and it is never started.
        chromium: Option.getOrElse(live.chromium, () => ""),
        keptForLive: Object.values(live.routes.live).some((route) => route.includes("browser")) ? placesKeptForLive : 0,
        proxies: Object.fromEntries(Array.from(settings.live.proxies, ([region, url]) => [region, Redacted.value(url)]))
      })
    ])
  )
