import { Schema } from "effect"

/** One turn of the conversation put to a platform. */
export const Turn = Schema.Struct({ role: Schema.Literals(["user", "assistant"]), content: Schema.String })

/**
 * The question to one platform in vendor-neutral form; each adapter translates it into that of its vendor.
 *
 * Shape: `turns` ends with the user's question; `model` is empty for live surfaces.
 * Units: `country` ISO 3166-1 alpha-2, upper case; `temperature` 0–2; `maxTokens` 1–8000.
 */
export const Question = Schema.Struct({
  turns: Schema.NonEmptyArray(Turn),
  system: Schema.optionalKey(Schema.String),
  model: Schema.String,
  country: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
  webSearch: Schema.Boolean,
  temperature: Schema.optionalKey(Schema.Finite),
  maxTokens: Schema.optionalKey(Schema.Int)
})
export type Question = typeof Question.Type

/** A source the answer names. `text` is the answer's span it supports, `snippet` the source's own words. */
export const Citation = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  text: Schema.optionalKey(Schema.String),
  snippet: Schema.optionalKey(Schema.String)
})
export type Citation = typeof Citation.Type

/** A brand that the surface itself marks up in its answer. */
export const BrandEntity = Schema.Struct({
  name: Schema.String,
  domain: Schema.optionalKey(Schema.String.annotate({ description: "Absent if the surface does not show one." })),
  description: Schema.optionalKey(Schema.String.annotate({ description: "Absent if the surface does not show one." }))
})
export type BrandEntity = typeof BrandEntity.Type

/** An advert served with the answer; `rendered` says whether it was shown. */
export const Sponsored = Schema.Struct({
  advertiser: Schema.String,
  title: Schema.String,
  url: Schema.String,
  domain: Schema.String,
  rendered: Schema.Boolean.annotate({ description: "Whether the advert was shown; false: delivered but not shown." })
})
export type Sponsored = typeof Sponsored.Type

/** Token counts as the upstream reported them; output includes reasoning on every vendor. */
export const Tokens = Schema.Struct({
  input: Schema.Int.annotate({ description: "As the engine counted; 0 if it did not." }),
  output: Schema.Int.annotate({ description: "As the engine counted, with `reasoning`; 0 if it did not." }),
  reasoning: Schema.optionalKey(
    Schema.Int.annotate({ description: "The part of `output` that is reasoning; absent if the engine reports none." })
  )
})
export type Tokens = typeof Tokens.Type

/**
 * One platform's answer, normalised.
 *
 * Shape: `text` is what brands are matched against (citation links and widget tokens removed), `raw` is what was
 * delivered; citations are unique by URL in order of first use. `sponsored` and `surfacePresent` belong to live surfaces.
 * Laws: `text` is empty only where `surfacePresent` is false.
 */
export const Answer = Schema.Struct({
  text: Schema.String,
  raw: Schema.String,
  citations: Schema.Array(Citation),
  fanOut: Schema.Array(Schema.String),
  brandEntities: Schema.Array(BrandEntity),
  sponsored: Schema.optionalKey(Schema.Array(Sponsored)),
  surfacePresent: Schema.optionalKey(Schema.Literal(false)),
  searched: Schema.Boolean,
  model: Schema.String,
  tokens: Schema.optionalKey(Tokens),
  finish: Schema.Literals(["stop", "length", "refusal"])
})
export type Answer = typeof Answer.Type
