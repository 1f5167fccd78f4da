import { Schema } from "effect"

/** The check modes that can be run. Source: contract, "Modes and price". */
export const Mode = Schema.Literals([
  "quick",
  "perplexity_live",
  "chatgpt_live",
  "gemini_live",
  "ai_overview",
  "ai_mode",
  "bing_copilot",
  "all_live"
])
export type Mode = typeof Mode.Type

/** The modes of a comparison. Source: contract, "POST /v1/compare". */
export const CompareMode = Schema.Literals(["quick", "perplexity_live"])
export type CompareMode = typeof CompareMode.Type

/** Announced, not built: answered with 501 and the date it is expected. */
export const RoadmapMode = Schema.Literals(["deep", "change_track"])
export type RoadmapMode = typeof RoadmapMode.Type
