import { Schema } from "effect"
import { type Asked, isLlm, LiveSurface, type LlmPlatform, Platform, slotOf } from "@sightline/domain/Platform"

/** The four LLM platforms as customers name them. */
export const Provider = Schema.Literals(["chatgpt", "claude", "gemini", "perplexity"])

/** What customers call the LLM platforms. */
export const providers = {
  chatgpt: "chatgpt_api",
  claude: "claude_api",
  gemini: "gemini_api",
  perplexity: "perplexity_api"
} as const satisfies Record<typeof Provider.Type, LlmPlatform>

/** The ten platforms as customers name them: the LLM APIs by their slots, live surfaces by their modes. Source: decisions U3. */
export const PlatformName = Schema.Literals([...Provider.literals, ...LiveSurface.literals])
export type PlatformName = typeof PlatformName.Type

/** What customers call a platform. */
export const platformNameOf = (platform: Platform): PlatformName => (isLlm(platform) ? slotOf(platform) : platform)

const toPlatform = Schema.decodeUnknownSync(Platform)

/** The customers' name for the platform of a question, and in a comparison the side it was asked for. */
export const questionNameOf = (question: Asked): { readonly platform: PlatformName; readonly side?: "a" | "b" } => {
  const named = (start: number) => platformNameOf(toPlatform(question.slice(start)))
  if (question.startsWith("a:")) return { platform: named(2), side: "a" }
  return question.startsWith("b:") ? { platform: named(2), side: "b" } : { platform: named(0) }
}
