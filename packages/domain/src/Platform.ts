import { Schema } from "effect"
import { CaptureEnding } from "./CaptureEnding.ts"

/** The four LLM APIs asked by `quick`, compare, discover and ask. */
export const LlmPlatform = Schema.Literals(["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"])
export type LlmPlatform = typeof LlmPlatform.Type

/** Whether a platform is one of the LLM APIs; the others are live surfaces. */
export const isLlm = Schema.is(LlmPlatform)

/** The six live web surfaces. */
export const LiveSurface = Schema.Literals([
  "perplexity_live",
  "chatgpt_live",
  "gemini_live",
  "ai_overview",
  "ai_mode",
  "bing_copilot"
])
export type LiveSurface = typeof LiveSurface.Type

/** A record with a value for each live surface. */
export const perSurface = <A>(of: (surface: LiveSurface) => A): Readonly<Record<LiveSurface, A>> => ({
  perplexity_live: of("perplexity_live"),
  chatgpt_live: of("chatgpt_live"),
  gemini_live: of("gemini_live"),
  ai_overview: of("ai_overview"),
  ai_mode: of("ai_mode"),
  bing_copilot: of("bing_copilot")
})

/** The surfaces that are searched for adverts, so that an empty list means none. Source: contract, `sponsored`. */
export const withAdverts: ReadonlySet<string> = new Set<LiveSurface>([
  "chatgpt_live",
  "ai_overview",
  "ai_mode",
  "bing_copilot"
])

/** The ten places an answer can come from. */
export const Platform = Schema.Literals([...LlmPlatform.literals, ...LiveSurface.literals])
export type Platform = typeof Platform.Type

const prefixed = <const S extends string>(side: S) =>
  [...LlmPlatform.literals, ...LiveSurface.literals].map((platform): `${S}:${Platform}` => `${side}:${platform}`)

/**
 * One question put to one platform, as prices and books name it: the platform, prefixed with its side in a comparison.
 * Shape: `chatgpt_api`, `a:chatgpt_api`, `b:perplexity_live`.
 */
export const Asked = Schema.Literals([...Platform.literals, ...prefixed("a"), ...prefixed("b")])
export type Asked = typeof Asked.Type

/** The key under `providers` that a platform's result is published at. Source: contract, "Provider slot keys". */
export const Slot = Schema.Literals([
  "chatgpt",
  "claude",
  "gemini",
  "perplexity",
  "ai_overview",
  "ai_mode",
  "bing_copilot"
])
export type Slot = typeof Slot.Type

const slots = {
  chatgpt_api: "chatgpt",
  claude_api: "claude",
  gemini_api: "gemini",
  perplexity_api: "perplexity",
  perplexity_live: "perplexity",
  chatgpt_live: "chatgpt",
  gemini_live: "gemini",
  ai_overview: "ai_overview",
  ai_mode: "ai_mode",
  bing_copilot: "bing_copilot"
} as const satisfies Record<Platform, Slot>

/** The slot a platform fills. */
export const slotOf = <P extends Platform>(platform: P): (typeof slots)[P] => slots[platform]

/** Which world a call belongs to: real upstreams and money, or the sandbox and play credits. They never mix. */
export const Environment = Schema.Literals(["live", "test"])
export type Environment = typeof Environment.Type

/**
 * What can go wrong with one platform, as customers see it.
 * Source: contract, "Provider-level codes" and the `upstream_*` / `surface_*` rows of "Top-level codes".
 */
export const FailureCode = Schema.Literals([
  "provider_error",
  "provider_timeout",
  "provider_rate_limited",
  "provider_auth_failed",
  "provider_unavailable",
  "request_unsupported",
  "json_schema_not_supported",
  "upstream_unavailable",
  "upstream_rate_limited",
  "upstream_timeout",
  "surface_unavailable_in_region"
])
export type FailureCode = typeof FailureCode.Type

/**
 * One platform gave no answer. Never fails the whole call and is never charged.
 * `message` is safe to show to a customer: no upstream body, no secret. `ending` is for operators and never shown.
 * `unasked`: the question was refused before the platform was asked, which says nothing about the platform.
 * `lost`: the question or its answer was lost between processes of the service, so a retry may well succeed.
 */
export class PlatformFailed extends Schema.TaggedError<PlatformFailed>()("PlatformFailed", {
  platform: Platform,
  code: FailureCode,
  message: Schema.String,
  retryAfterSeconds: Schema.optionalKey(Schema.Int),
  ending: Schema.optionalKey(CaptureEnding),
  unasked: Schema.optionalKey(Schema.Literal(true)),
  lost: Schema.optionalKey(Schema.Literal(true))
}) {}
