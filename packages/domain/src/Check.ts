import { Schema } from "effect"
import type { Answer } from "./Answer.ts"
import type { Visibility } from "./Brand.ts"
import { Mode } from "./Mode.ts"
import { LlmPlatform, type Platform } from "./Platform.ts"
import type { Region } from "./Region.ts"

/**
 * One check to run: which question, for which brand, on which platforms.
 *
 * Shape: `platforms` are the mode's, or in `quick` those the caller named; `models` holds the caller's overrides.
 */
export interface Check {
  readonly query: string
  readonly brand: string
  readonly mode: Mode
  readonly platforms: readonly [Platform, ...Array<Platform>]
  readonly region: Region
  readonly city?: string
  readonly models: Partial<Readonly<Record<LlmPlatform, string>>>
}

/** One platform's answer and what it says of the brand. */
export interface Sighting {
  readonly platform: Platform
  readonly answer: Answer
  readonly visibility: Visibility
}

/** Where the answers of a call came from: memory, the shared store, or the platforms themselves. */
export type CacheStatus = "hit-l1" | "hit-l2" | "miss"

/** A check names a model that the allowlist does not offer. Nothing has been asked or charged. */
export class ModelUnavailable extends Schema.TaggedError<ModelUnavailable>()("ModelUnavailable", {
  platform: LlmPlatform,
  model: Schema.String
}) {}

/** A live mode on a deployment that has no capture for it. Nothing has been asked or charged. */
export class ModeNotConfigured extends Schema.TaggedError<ModeNotConfigured>()("ModeNotConfigured", {
  mode: Mode
}) {}
