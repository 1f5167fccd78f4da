import { type Credits, credits } from "./Credits.ts"
import type { Mode } from "./Mode.ts"
import { LiveSurface, LlmPlatform, type Platform } from "./Platform.ts"

/** What a call costs when every one of its platforms answers, and which platforms those are. */
export interface Offer {
  readonly price: Credits
  readonly platforms: readonly [Platform, ...Array<Platform>]
}

const live = (surface: LiveSurface, price: number): Offer => ({ price: credits(price), platforms: [surface] })

/** Every check mode with its price. Source: contract, "Modes and price"; decisions M2. */
export const checkOffers: Readonly<Record<Mode, Offer>> = {
  quick: { price: credits(150), platforms: LlmPlatform.literals },
  perplexity_live: live("perplexity_live", 85),
  chatgpt_live: live("chatgpt_live", 35),
  gemini_live: live("gemini_live", 35),
  ai_overview: live("ai_overview", 15),
  ai_mode: live("ai_mode", 35),
  bing_copilot: live("bing_copilot", 15),
  all_live: { price: credits(165), platforms: LiveSurface.literals }
}

/** What a `quick` call costs in full when every requested platform is served from cache. Source: decisions M7. */
export const cachedQuickPrice: Credits = credits(5)
