import { Schema } from "effect"
import { type Asked, Platform } from "@sightline/domain/Platform"

/** The ten platforms as customers name them: the LLM APIs by their slots, live surfaces by their modes. Source: decisions U3. */
export const PlatformName = Schema.Literals([
  "chatgpt",
  "claude",
  "gemini",
  "perplexity",
  "perplexity_live",
  "chatgpt_live",
  "gemini_live",
  "ai_overview",
  "ai_mode",
  "bing_copilot"
])
export type PlatformName = typeof PlatformName.Type

const names = {
  chatgpt_api: "chatgpt",
  claude_api: "claude",
  gemini_api: "gemini",
  perplexity_api: "perplexity",
  perplexity_live: "perplexity_live",
  chatgpt_live: "chatgpt_live",
  gemini_live: "gemini_live",
  ai_overview: "ai_overview",
  ai_mode: "ai_mode",
  bing_copilot: "bing_copilot"
} as const satisfies Record<Platform, PlatformName>

/** What customers call a platform. */
export const platformNameOf = (platform: Platform): PlatformName => names[platform]

const toPlatform = Schema.decodeUnknownSync(Platform)

/** What customers call the platform of a question, and in a comparison the side it was put for. */
export const questionNameOf = (question: Asked): { readonly platform: PlatformName; readonly side?: "a" | "b" } => {
  const named = (start: number) => platformNameOf(toPlatform(question.slice(start)))
  if (question.startsWith("a:")) return { platform: named(2), side: "a" }
  return question.startsWith("b:") ? { platform: named(2), side: "b" } : { platform: named(0) }
}
