import { LiveSurface } from "@sightline/domain/Platform"
import { Schema } from "effect"

/** The vendors whose wire formats are simulated; also the first part of every path. */
export const VendorName = Schema.Literals(["openai", "anthropic", "gemini", "perplexity"])
export type VendorName = typeof VendorName.Type

/** The vendors that capture live surfaces for others; also the first part of every path. */
export const CaptureVendor = Schema.Literals(["dataforseo", "cloro"])
export type CaptureVendor = typeof CaptureVendor.Type

/** How a live surface is captured: through a vendor, or as a web page. */
export const CaptureRoute = Schema.Literals([...CaptureVendor.literals, "web"])
export type CaptureRoute = typeof CaptureRoute.Type

/** What a directive can be limited to. */
export const Target = Schema.Literals([...VendorName.literals, ...CaptureRoute.literals, ...LiveSurface.literals])
export type Target = typeof Target.Type

/**
 * What is asked, of which vendor or surface, and from where. The choice of brands depends on nothing else, except the seed.
 *
 * Units: `country` ISO 3166-1 alpha-2.
 */
export interface Asked {
  readonly vendor: VendorName | LiveSurface
  readonly model: string
  readonly question: string
  readonly country: string
  readonly city: string
}

/**
 * The meaning of a request, independent of the vendor's names for its fields.
 *
 * Shape: `question` contains every user turn, so that a follow-up keeps its subject. `reasons` says whether the model reasons first.
 * Units: `maxTokens` includes reasoning.
 */
export interface Inquiry extends Asked {
  readonly vendor: VendorName
  readonly search: "off" | "offered" | "forced"
  readonly reasons: boolean
  readonly maxTokens: number
}
