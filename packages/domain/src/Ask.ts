import { Schema } from "effect"
import { Turn } from "./Answer.ts"
import type { Sentiment } from "./Sentiment.ts"
import type { AskMode } from "./Mode.ts"
import { LlmPlatform } from "./Platform.ts"

/**
 * One question to put to LLM platforms, as it is run and as a queued job keeps it.
 *
 * Shape: `turns` ends with the user's question; `platforms` are in the requested order; `models` are the caller's overrides; a `private`
 * question is answered only from the account's own cache. A field that is added later is optional, so that a job queued before can still be
 * read.
 * Units: `country` ISO 3166-1 alpha-2, upper case.
 */
export const Ask = Schema.Struct({
  turns: Schema.NonEmptyArray(Turn),
  system: Schema.optionalKey(Schema.String),
  platforms: Schema.NonEmptyArray(LlmPlatform),
  models: Schema.Record(LlmPlatform, Schema.optionalKey(Schema.String)),
  temperature: Schema.optionalKey(Schema.Finite),
  maxTokens: Schema.optionalKey(Schema.Int),
  brands: Schema.Array(Schema.String),
  webSearch: Schema.Boolean,
  country: Schema.optionalKey(Schema.String),
  scope: Schema.Literals(["shared", "private"]),
  tariff: Schema.Literals(["live", "standard"])
})
export type Ask = typeof Ask.Type

/** The mode an ask is priced and counted in. Source: decisions M2. */
export const askModeOf = ({ tariff, webSearch }: Pick<Ask, "tariff" | "webSearch">): AskMode =>
  webSearch ? tariff : `${tariff}_no_search`

/** A tracked brand that an answer names; `cues` are the words its sentiment follows from. */
export interface BrandMention {
  readonly brand: string
  readonly platform: LlmPlatform
  readonly rank: number
  readonly sentiment: Sentiment["sentiment"]
  readonly cues: ReadonlyArray<string>
  readonly context: string
}

/** Where an ask's answers came from; `miss` as soon as one was asked afresh. Source: contract, `cache_tier`. */
export type AskTier = "l1" | "l2" | "l3" | "miss"

/** A webhook endpoint that an ask names cannot receive its result. Nothing has been asked or charged. */
export class WebhookUnusable extends Schema.TaggedError<WebhookUnusable>()("WebhookUnusable", {
  reason: Schema.Literals(["unknown", "disabled", "not_subscribed"])
}) {}
