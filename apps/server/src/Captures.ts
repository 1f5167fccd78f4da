import { Effect, Layer, Option, Redacted } from "effect"
import type { ModelTable } from "@sightline/domain/Model"
import type { Environment, LlmPlatform } from "@sightline/domain/Platform"
import { Egress } from "@sightline/egress/Egress"
import { platformConcurrency, platformMailbox } from "@sightline/engine/Tuning"
import * as ChatGpt from "@sightline/platforms/api/ChatGpt"
import * as Claude from "@sightline/platforms/api/Claude"
import * as Gemini from "@sightline/platforms/api/Gemini"
import * as Perplexity from "@sightline/platforms/api/Perplexity"
import { address, type Capture } from "@sightline/platforms/Capture"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import type { Settings, VendorSettings } from "./Settings.ts"

type Vendors = Settings["vendors"]

/** The sandbox takes any key. */
const sandboxKey = Option.some(Redacted.make("sandbox"))

/** The vendors as the sandbox plays them, each below its name. */
const sandboxVendors = (origin: string): Vendors => {
  const at = (name: string): VendorSettings => ({ baseUrl: `${origin}/${name}`, apiKey: sandboxKey })
  return { openai: at("openai"), anthropic: at("anthropic"), gemini: at("gemini"), perplexity: at("perplexity") }
}

type Resolve = (url: string) => Effect.Effect<Option.Option<string>>

const capturesOf = Effect.fnUntraced(function* (
  environment: Environment,
  vendors: Vendors,
  models: ModelTable,
  resolveRedirect: Resolve
) {
  const entries: ReadonlyArray<readonly [LlmPlatform, Capture]> = [
    ["chatgpt_api", yield* ChatGpt.make({ ...vendors.openai, models })],
    ["claude_api", yield* Claude.make({ ...vendors.anthropic, models })],
    ["gemini_api", yield* Gemini.make({ ...vendors.gemini, models, resolveRedirect })],
    ["perplexity_api", yield* Perplexity.make({ ...vendors.perplexity, models })]
  ]
  return entries.map(([platform, capture]) => [address(environment, platform), capture] as const)
})

/**
 * The actors of a worker: each platform twice, once for live keys and the real vendors, once for test keys and the
 * sandbox at `sandboxOrigin`. The adapters are the same.
 */
export const layer = (settings: Settings, models: ModelTable, sandboxOrigin: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const egress = yield* Egress
      const upstream = yield* UpstreamClient
      const live = yield* capturesOf("live", settings.vendors, models, egress.resolveRedirect)
      // The sandbox's redirects carry the real host and are answered by the sandbox itself.
      const test = yield* capturesOf("test", sandboxVendors(sandboxOrigin), models, (url) =>
        upstream.location(`${sandboxOrigin}/gemini${new URL(url).pathname}`)
      )
      return PlatformActors.layer(new Map([...live, ...test]), {
        concurrency: platformConcurrency,
        mailboxMax: platformMailbox
      })
    })
  ).pipe(Layer.provide([UpstreamClient.layer, Egress.layer({ allow: [] })]))
