import { Schema } from "effect"

/** The vendors whose wire formats are simulated; also the first part of every path. */
export const VendorName = Schema.Literals(["openai", "anthropic", "gemini", "perplexity"])
export type VendorName = typeof VendorName.Type

/**
 * What a request comes down to, whatever its vendor calls the fields.
 *
 * Shape: `question` is every user turn, so a follow-up keeps its subject; `reasons` says whether the model thinks first.
 * Units: `country` ISO 3166-1 alpha-2; `maxTokens` counts reasoning.
 */
export interface Inquiry {
  readonly vendor: VendorName
  readonly model: string
  readonly question: string
  readonly country: string
  readonly city: string
  readonly search: "off" | "offered" | "forced"
  readonly reasons: boolean
  readonly maxTokens: number
}
