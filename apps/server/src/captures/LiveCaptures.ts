import { type Environment, LiveSurface } from "@sightline/domain/Platform"
import { Egress } from "@sightline/egress/Egress"
import { captureWaitLimits, liveCeiling, liveConcurrency, liveMailbox } from "@sightline/engine/Tuning"
import type { Browser } from "@sightline/platforms/Browser"
import * as BrowserCapture from "@sightline/platforms/browser/BrowserCapture"
import type { Capture } from "@sightline/platforms/Capture"
import type { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import { profile as aiMode } from "@sightline/platforms/live/AiMode"
import { profile as aiOverview } from "@sightline/platforms/live/AiOverview"
import { profile as bingCopilot } from "@sightline/platforms/live/BingCopilot"
import { profile as chatGpt } from "@sightline/platforms/live/ChatGpt"
import { profile as gemini } from "@sightline/platforms/live/Gemini"
import { profile as perplexity } from "@sightline/platforms/live/Perplexity"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import type { Captured } from "@sightline/platforms/PlatformActors"
import { resolvingRedirects } from "@sightline/platforms/Redirects"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import * as Cloro from "@sightline/platforms/vendor/Cloro"
import * as DataForSeo from "@sightline/platforms/vendor/DataForSeo"
import { withFallback } from "@sightline/platforms/vendor/Fallback"
import type { CaptureKind, LiveSettings } from "@sightline/server/settings/LiveSettings"
import { Effect, Option, Redacted } from "effect"
import type { LiveRoutes, Route } from "./LiveRoutes.ts"

const profiles: Readonly<Record<LiveSurface, SurfaceProfile>> = {
  perplexity_live: perplexity,
  chatgpt_live: chatGpt,
  gemini_live: gemini,
  ai_overview: aiOverview,
  ai_mode: aiMode,
  bing_copilot: bingCopilot
}

/** The upstreams of one environment's captures. `pages` is an origin that replaces the sites themselves. */
interface Upstreams extends Pick<LiveSettings, "dataForSeo" | "cloro"> {
  readonly environment: Environment
  readonly pages?: string
}

/** The sandbox takes any account. */
const sandboxUpstreams = (origin: string): Upstreams => {
  const pass = Option.some(Redacted.make("sandbox"))
  return {
    environment: "test",
    pages: `${origin}/web`,
    dataForSeo: { baseUrl: `${origin}/dataforseo`, login: Option.some("sandbox"), password: pass },
    cloro: { baseUrl: `${origin}/cloro`, apiKey: pass }
  }
}

const unserved = (kind: CaptureKind, surface: LiveSurface) => Effect.die(new Error(`${kind} does not have ${surface}`))

const captureBy = (
  { environment, pages, dataForSeo, cloro }: Upstreams,
  surface: LiveSurface,
  kind: CaptureKind
): Effect.Effect<Capture, never, Browser | CaptureJournal | UpstreamClient> => {
  switch (kind) {
    case "browser": {
      const origin = pages === undefined ? {} : { origin: `${pages}/${surface}` }
      return BrowserCapture.make(profiles[surface], { environment, ...origin })
    }
    case "dataforseo": {
      if (surface === "perplexity_live") return unserved(kind, surface)
      const login = Option.getOrThrow(dataForSeo.login)
      const password = Option.getOrThrow(dataForSeo.password)
      return DataForSeo.make(surface, { baseUrl: dataForSeo.baseUrl, login, password, deadline: liveCeiling })
    }
    case "cloro":
      return surface === "bing_copilot"
        ? unserved(kind, surface)
        : Cloro.make(surface, {
            baseUrl: cloro.baseUrl,
            apiKey: Option.getOrThrow(cloro.apiKey),
            deadline: liveCeiling
          })
  }
}

const captureOn = Effect.fnUntraced(function* (upstreams: Upstreams, surface: LiveSurface, route: Route) {
  const [first, ...reserves] = yield* Effect.forEach(route, (kind) => captureBy(upstreams, surface, kind))
  return Option.map(Option.fromUndefinedOr(first), (capture) =>
    reserves.reduce((before: Capture, reserve) => withFallback(before, reserve, liveCeiling), capture)
  )
})

const capturedIn = Effect.fnUntraced(function* (
  upstreams: Upstreams,
  routes: Readonly<Record<LiveSurface, Route>>,
  finish: (capture: Capture) => Capture
) {
  const captures = yield* Effect.forEach(LiveSurface.literals, (platform) =>
    Effect.map(captureOn(upstreams, platform, routes[platform]), (capture) => ({ platform, capture }))
  )
  return captures.flatMap(({ platform, capture }): ReadonlyArray<Captured> =>
    Option.isNone(capture)
      ? []
      : [
          {
            environment: upstreams.environment,
            platform,
            capture: finish(capture.value),
            concurrency: liveConcurrency,
            mailboxMax: liveMailbox,
            waits: captureWaitLimits,
            ceiling: liveCeiling
          }
        ]
  )
})

/** The live surfaces that are on offer, for live keys and, at the sandbox, for test keys. */
export const liveCaptures = Effect.fnUntraced(function* (
  settings: LiveSettings,
  routes: LiveRoutes,
  sandboxOrigin: string
) {
  const { resolveRedirect } = yield* Egress
  const live = yield* capturedIn({ environment: "live", ...settings }, routes.live, (capture) =>
    resolvingRedirects(capture, resolveRedirect)
  )
  // The sandbox's URLs do not exist, so their redirects are not resolved.
  const test = yield* capturedIn(sandboxUpstreams(sandboxOrigin), routes.test, (capture) => capture)
  return [...live, ...test]
})
