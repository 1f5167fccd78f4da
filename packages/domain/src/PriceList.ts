import { Credits, credits } from "./Credits.ts"
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
const cachedQuickPrice: Credits = credits(5)

/** What a call names before it is priced: one mode, and the platforms of it that are asked. */
export interface Order {
  readonly mode: Mode
  readonly platforms: ReadonlyArray<Platform>
}

const share = (price: Credits, { mode, platforms }: Order): Credits =>
  Credits.make((price * platforms.length) / checkOffers[mode].platforms.length)

/** The full price of a check asked afresh: a `quick` call that names n of the 4 providers costs n/4. Source: decisions M3. */
export const priceOf = (order: Order): Credits => share(checkOffers[order.mode].price, order)

/** The price of a check served from cache; live modes are never served from it. Source: decisions M7. */
export const cachedPriceOf = (order: Order): Credits =>
  order.mode === "quick" ? share(cachedQuickPrice, order) : priceOf(order)
