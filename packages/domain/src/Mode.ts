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

/** The tariffs of an ask: at once or queued, with or without web search. Source: decisions M2. */
export const AskMode = Schema.Literals(["live", "live_no_search", "standard", "standard_no_search"])
export type AskMode = typeof AskMode.Type

/** Announced, not built: answered with 501 and the date it is expected. */
export const RoadmapMode = Schema.Literals(["deep", "change_track"])
export type RoadmapMode = typeof RoadmapMode.Type

/** Whether a mode is only announced. */
export const isRoadmapMode = Schema.is(RoadmapMode)
