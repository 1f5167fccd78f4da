import { type Array, Schema } from "effect"
import { Credits, credits } from "./Credits.ts"
import { AskMode, CompareMode, Mode } from "./Mode.ts"
import { Asked, LiveSurface, LlmPlatform, type Platform } from "./Platform.ts"

/** What a call costs when every one of its questions is answered, and which questions those are. */
export interface Offer<A extends Asked = Asked> {
  readonly price: Credits
  readonly platforms: readonly [A, ...ReadonlyArray<A>]
}

const live = (surface: LiveSurface, price: number): Offer<Platform> => ({ price: credits(price), platforms: [surface] })

/** Every check mode with its price. Source: contract, "Modes and price"; decisions M2. */
export const checkOffers: Readonly<Record<Mode, Offer<Platform>>> = {
  quick: { price: credits(150), platforms: LlmPlatform.literals },
  perplexity_live: live("perplexity_live", 85),
  chatgpt_live: live("chatgpt_live", 35),
  gemini_live: live("gemini_live", 35),
  ai_overview: live("ai_overview", 15),
  ai_mode: live("ai_mode", 35),
  bing_copilot: live("bing_copilot", 15),
  all_live: { price: credits(165), platforms: LiveSurface.literals }
}

/** Both modes of a comparison: each platform once for either side. Source: contract, "POST /v1/compare"; decisions M3. */
export const compareOffers: Readonly<Record<CompareMode, Offer>> = {
  quick: {
    price: credits(150),
    platforms: [
      "a:chatgpt_api",
      "a:claude_api",
      "a:gemini_api",
      "a:perplexity_api",
      "b:chatgpt_api",
      "b:claude_api",
      "b:gemini_api",
      "b:perplexity_api"
    ]
  },
  perplexity_live: { price: credits(150), platforms: ["a:perplexity_live", "b:perplexity_live"] }
}

/** A discovery, at one price however many engines answered. Source: decisions M2, U2. */
export const discoverOffer: Offer<LlmPlatform> = { price: credits(50), platforms: LlmPlatform.literals }

/** What one provider call of an ask costs: queued ones 30 % less. Source: decisions M2. */
const askPrices: Readonly<Record<AskMode, Credits>> = {
  live: credits(10),
  live_no_search: credits(6),
  standard: credits(7),
  standard_no_search: credits(4.2)
}

/** What one provider call of an ask costs when its answer comes from cache. Source: decisions M2. */
const cachedAskPrice: Credits = credits(1)

/** What a `quick` call costs in full when every requested platform is served from cache. Source: decisions M7. */
const cachedQuickPrice: Credits = credits(5)

const platforms = Schema.NonEmptyArray(Asked)

/** What is paid for: an endpoint in one of its modes, and the questions it puts. */
export const Order = Schema.Union([
  Schema.Struct({ endpoint: Schema.Literal("check"), mode: Mode, platforms }),
  Schema.Struct({ endpoint: Schema.Literal("compare"), mode: CompareMode, platforms }),
  Schema.Struct({ endpoint: Schema.Literal("discover"), mode: Schema.Literal("quick"), platforms }),
  Schema.Struct({ endpoint: Schema.Literal("ask"), mode: AskMode, platforms })
])
export type Order = typeof Order.Type

const share = (price: Credits, asked: Array.NonEmptyReadonlyArray<Asked>, all: Offer["platforms"]): Credits =>
  Credits.make((price * asked.length) / all.length)

const each = (price: Credits, asked: Array.NonEmptyReadonlyArray<Asked>): Credits => Credits.make(price * asked.length)

/** The full price of an order without cached answers: a `quick` check that names n of the 4 providers costs n/4. Source: decisions M3. */
export const priceOf = (order: Order): Credits => {
  if (order.endpoint === "discover") return discoverOffer.price
  if (order.endpoint === "ask") return each(askPrices[order.mode], order.platforms)
  const offer = order.endpoint === "check" ? checkOffers[order.mode] : compareOffers[order.mode]
  return share(offer.price, order.platforms, offer.platforms)
}

/** The price of an order served from cache: only a `quick` check and an ask are cheaper then. Source: decisions M2, M7. */
export const cachedPriceOf = (order: Order): Credits => {
  if (order.endpoint === "ask") return each(cachedAskPrice, order.platforms)
  return order.endpoint === "check" && order.mode === "quick"
    ? share(cachedQuickPrice, order.platforms, checkOffers.quick.platforms)
    : priceOf(order)
}
