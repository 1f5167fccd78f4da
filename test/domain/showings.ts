import type { Platform } from "@sightline/domain/Platform"
import { type Showing, type Subject, Trigger, type WatchResult } from "@sightline/domain/Watch"

export const quick: ReadonlyArray<Platform> = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"]

/** A watch that asks for every trigger. */
export const subject: Subject = { query: "best crm", brand: "Acme", triggerOn: Trigger.literals }

/** What one platform shows: the brand at a place, or not at all. */
export const showing = (platform: Platform, rank: number | null, citations: ReadonlyArray<string> = []): Showing => ({
  platform,
  present: rank !== null,
  rank,
  citations
})

/** A run in which every platform shows the same. */
export const all = (rank: number | null, citations: ReadonlyArray<string> = [], platforms = quick): WatchResult =>
  platforms.map((platform) => showing(platform, rank, citations))
