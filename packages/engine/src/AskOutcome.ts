import { Array, Effect, Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { type Ask, askModeOf, type AskTier, type BrandMention } from "@sightline/domain/Ask"
import { findBrand } from "@sightline/domain/Brand"
import { aggregateCitations } from "@sightline/domain/Citation"
import type { Credits } from "@sightline/domain/Credits"
import type { LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import type { Order } from "@sightline/domain/PriceList"
import type { Outcomes } from "@sightline/domain/Proration"
import { sentimentOf } from "@sightline/domain/Sentiment"
import type { AskRecord } from "@sightline/store/Asks"
import { plainReply } from "@sightline/store/Replies"
import type { Conclusion } from "./Billing.ts"
import type { Obtained } from "./Flight.ts"

/** What one platform answered, where from, and how long that took. */
export interface AskedPlatform {
  readonly platform: LlmPlatform
  readonly obtained: Obtained
  readonly millis: number
}

/** The outcome of an ask. Shape: `answered` is in the order in which the platforms were requested. */
export interface AskOutcome {
  readonly id: string
  readonly ask: Ask
  readonly answered: ReadonlyArray<{
    readonly platform: LlmPlatform
    readonly result: Result.Result<Answer, PlatformFailed>
    readonly millis: number
  }>
  readonly mentions: ReadonlyArray<BrandMention>
  readonly citations: ReturnType<typeof aggregateCitations<LlmPlatform>>
  readonly tier: AskTier
  readonly durationMillis: number
  readonly charge: Credits
}

/** How the outcome of an ask is rendered: the body of its result, and the payload of the delivery that contains it. */
export interface AskRendering {
  readonly result: (outcome: AskOutcome) => string
  readonly event: (id: string, result: string) => AskRecord["event"]
}

/** The order of an ask, which sets its price. */
export const orderOf = (ask: Ask): Order => ({ endpoint: "ask", mode: askModeOf(ask), platforms: ask.platforms })

const tiers = ["l1", "l2", "l3"] as const

const isCached = ({ origin }: Obtained): boolean => origin !== "fresh"

const tierOf = (answers: ReadonlyArray<Obtained>): AskTier => {
  if (!answers.every(isCached)) return "miss"
  return tiers.findLast((tier) => answers.some(({ origin }) => origin === tier)) ?? "miss"
}

const outcomesOf = (answered: ReadonlyArray<AskedPlatform>): Outcomes =>
  Object.fromEntries(
    answered.map(({ platform, obtained }) => {
      if (Result.isFailure(obtained.result)) return [platform, obtained.result.failure.code]
      return [platform, isCached(obtained) ? "cached" : "ok"]
    })
  )

const mentionOf = (platform: LlmPlatform, answer: Answer, brand: string): ReadonlyArray<BrandMention> => {
  const { rank, context, span } = findBrand(answer, brand)
  return rank === null || span === null ? [] : [{ brand, platform, rank, ...sentimentOf(answer.text, span), context }]
}

/** The tracked brands in the answers. Each search is a turn of its own, so that long answers do not block other calls. */
const mentionsIn = (
  answers: ReadonlyArray<{ readonly platform: LlmPlatform; readonly answer: Answer }>,
  brands: ReadonlyArray<string>
) =>
  Effect.map(
    Effect.forEach(
      answers.flatMap((one) => brands.map((brand) => ({ ...one, brand }))),
      ({ platform, answer, brand }) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => mentionOf(platform, answer, brand))
        )
    ),
    Array.flatten
  )

/** An ask whose platforms have been asked. */
interface Put {
  readonly id: string
  readonly ask: Ask
  readonly status: AskRecord["status"]
  readonly durationMillis: number
  readonly answered: ReadonlyArray<AskedPlatform>
}

/**
 * The outcome of an ask: which platforms answered, which brands they name, which pages they cite.
 *
 * Laws: tier and price agree: an answer from cache is reported as cached and charged as cached.
 */
export const conclude = Effect.fnUntraced(function* (
  rendering: AskRendering,
  { id, ask, status, durationMillis, answered }: Put
) {
  const answers = answered.flatMap(({ platform, obtained: { result } }) =>
    Result.isSuccess(result) ? [{ platform, answer: result.success }] : []
  )
  const mentions = yield* mentionsIn(answers, Array.dedupe(ask.brands))
  const tier = tierOf(answered.map(({ obtained }) => obtained).filter(({ result }) => Result.isSuccess(result)))
  const found = {
    id,
    ask,
    answered: answered.map(({ platform, obtained, millis }) => ({ platform, result: obtained.result, millis })),
    mentions,
    citations: aggregateCitations(
      answers.map(({ platform, answer }) => ({ provider: platform, citations: answer.citations }))
    ),
    tier,
    durationMillis
  }
  const conclusion: Conclusion = {
    outcomes: outcomesOf(answered),
    cached: tier !== "miss",
    render: (charge) => {
      const result = rendering.result({ ...found, charge })
      return {
        reply: plainReply(200, result),
        ask: { id, status, request: ask, result, mentions, event: rendering.event(crypto.randomUUID(), result) }
      }
    }
  }
  return conclusion
})
