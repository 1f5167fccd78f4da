import { Schema } from "effect"
import type { Sighting } from "./Check.ts"
import { Platform } from "./Platform.ts"
import { sentimentOf } from "./Sentiment.ts"

/** Where and in what words a platform named the brand in a run; `cues` are the words its sentiment follows from. */
export const RunMention = Schema.Struct({
  platform: Platform,
  brand: Schema.String,
  rank: Schema.Int,
  sentiment: Schema.Literals(["positive", "neutral", "negative"]),
  cues: Schema.Array(Schema.String),
  context: Schema.String
})
export type RunMention = typeof RunMention.Type

/** The mentions of a brand in what a check saw, one for each platform that names it. */
export const mentionsIn = (sightings: ReadonlyArray<Sighting>, brand: string): ReadonlyArray<RunMention> =>
  sightings.flatMap(({ platform, answer, visibility: { rank, span, context } }) =>
    rank === null || span === null ? [] : [{ platform, brand, rank, ...sentimentOf(answer.text, span), context }]
  )
