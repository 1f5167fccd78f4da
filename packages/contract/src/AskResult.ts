import { Schema } from "effect"
import { Tokens } from "@sightline/domain/Answer"
import { FailureCode } from "@sightline/domain/Platform"
import { cost } from "./CallFields.ts"

/** The four providers of ask, as customers name them. */
export const AskProvider = Schema.Literals(["openai", "anthropic", "gemini", "perplexity"])
export type AskProvider = typeof AskProvider.Type

const title = Schema.String.annotate({ description: "Absent if no provider gives one." })

const AskCitation = Schema.Struct({
  url: Schema.String,
  title: Schema.optionalKey(title),
  snippet: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "From Claude and Perplexity the passage of the page; from OpenAI and Gemini the passage of the answer that the page supports. Absent if the provider gives none."
    })
  )
}).annotate({ identifier: "AskCitation" })

/** What one provider answered. */
export const ProviderResult = Schema.Struct({
  provider: AskProvider,
  model: Schema.String.annotate({ description: "The exact model that answered." }),
  content: Schema.String.annotate({ description: "The answer's text, at most 256 KiB." }),
  citations: Schema.Array(AskCitation),
  tokens: Tokens,
  latency_ms: Schema.Int.annotate({ description: "Milliseconds until the answer." })
}).annotate({ identifier: "ProviderResult" })

/** Why one provider gave no answer; it was not charged. */
export const ProviderError = Schema.Struct({
  provider: AskProvider,
  error: Schema.Struct({ code: FailureCode, message: Schema.String })
}).annotate({ identifier: "ProviderError" })

/** A tracked brand that a provider's answer names. */
export const BrandMention = Schema.Struct({
  brand: Schema.String,
  provider: AskProvider,
  rank: Schema.Int.annotate({ description: "The place of the brand among the brands in the answer, from 1." }),
  sentiment: Schema.Literals(["positive", "neutral", "negative"]),
  context: Schema.String.annotate({ description: "The sentence that names the brand, with its neighbours." })
}).annotate({ identifier: "BrandMention" })

/** A page that the answers cite, whichever of its addresses they used. */
export const AggregatedCitation = Schema.Struct({
  canonical_url: Schema.String.annotate({ description: "https, redirects resolved, without tracking parameters." }),
  domains: Schema.Array(Schema.String),
  providers_cited: Schema.Array(AskProvider),
  title: Schema.optionalKey(title)
}).annotate({ identifier: "AggregatedCitation" })

/** The answer to an ask. Source: contract, "Ask result (live mode)". */
export const AskResult = Schema.Struct({
  request_id: Schema.String,
  id: Schema.String.annotate({ description: "`request_id` again: the id in `GET /v1/ask/{id}`." }),
  cached: Schema.Boolean.annotate({ description: "Whether every answer came from the cache." }),
  cache_tier: Schema.Literals(["l1", "l2", "l3", "miss"]).annotate({
    description:
      "Where the answers came from: the memory of the process, the shared cache of an hour, that of a day, or `miss`: at least one is fresh, or there is none."
  }),
  providers: Schema.Array(Schema.Union([ProviderResult, ProviderError])).annotate({
    description: "An entry for each provider, in the order of the request."
  }),
  brand_mentions: Schema.Array(BrandMention).annotate({
    description: "An entry for each tracked brand and each provider that names it."
  }),
  citations: Schema.Array(AggregatedCitation).annotate({
    description: "The pages that the answers cite, each once."
  }),
  usage: Schema.Struct({
    billable_units: Schema.Int.annotate({ description: "The number of providers that answered." }),
    latency_ms: Schema.Int.annotate({
      description: "Milliseconds since the ask was accepted, including its time in the queue."
    }),
    cost_cents: cost.cost_cents
  }).annotate({ identifier: "AskUsage" })
}).annotate({
  identifier: "AskResult",
  description: "The answer of each provider, or why it failed, and what they cost."
})
export type AskResult = typeof AskResult.Type
