import { Schema } from "effect"
import { type Asked, isLlm, LiveSurface, type LlmPlatform, Platform } from "@sightline/domain/Platform"

/** The ten platforms as customers name them: the LLM APIs by their slots, live surfaces by their modes. Source: decisions U3. */
export const PlatformName = Schema.Literals(["chatgpt", "claude", "gemini", "perplexity", ...LiveSurface.literals])
export type PlatformName = typeof PlatformName.Type

const names: Readonly<Record<LlmPlatform, PlatformName>> = {
  chatgpt_api: "chatgpt",
  claude_api: "claude",
  gemini_api: "gemini",
  perplexity_api: "perplexity"
}

/** What customers call a platform. */
export const platformNameOf = (platform: Platform): PlatformName => (isLlm(platform) ? names[platform] : platform)

const toPlatform = Schema.decodeUnknownSync(Platform)

/** What customers call the platform of a question, and in a comparison the side it was put for. */
export const questionNameOf = (question: Asked): { readonly platform: PlatformName; readonly side?: "a" | "b" } => {
  const named = (start: number) => platformNameOf(toPlatform(question.slice(start)))
  if (question.startsWith("a:")) return { platform: named(2), side: "a" }
  return question.startsWith("b:") ? { platform: named(2), side: "b" } : { platform: named(0) }
}
