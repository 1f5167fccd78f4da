import { Result } from "effect"
import type { ArchivedAsk } from "@sightline/contract/AskApi"
import type { AskProvider, AskResult } from "@sightline/contract/AskResult"
import type { Citation } from "@sightline/domain/Answer"
import type { AggregatedCitation } from "@sightline/domain/Citation"
import { type Credits, toCents } from "@sightline/domain/Credits"
import type { LlmPlatform } from "@sightline/domain/Platform"
import type { AskOutcome, AskRendering } from "@sightline/engine/AskOutcome"

const providers: Readonly<Record<LlmPlatform, AskProvider>> = {
  chatgpt_api: "openai",
  claude_api: "anthropic",
  gemini_api: "gemini",
  perplexity_api: "perplexity"
}

/** A citation of one engine. `snippet` is the source's own text, or without one the part of the answer that it supports. */
export const renderCitation = ({ url, title, text, snippet = text }: Citation) => ({
  url,
  ...(title === "" ? {} : { title }),
  ...(snippet === undefined ? {} : { snippet })
})

/** A page that answers cite. `nameOf` returns the name of a provider in the contract. */
export const renderPage =
  <P, Name>(nameOf: (provider: P) => Name) =>
  ({ canonicalUrl, domains, providersCited, title }: AggregatedCitation<P>) => ({
    canonical_url: canonicalUrl,
    domains,
    providers_cited: providersCited.map(nameOf),
    ...(title === undefined ? {} : { title })
  })

const renderProvider = ({
  platform,
  result,
  millis
}: AskOutcome["answered"][number]): AskResult["providers"][number] => {
  const provider = providers[platform]
  if (Result.isFailure(result)) {
    const { code, message } = result.failure
    return { provider, error: { code, message } }
  }
  const { model, raw, citations, tokens } = result.success
  return {
    provider,
    model,
    content: raw,
    citations: citations.map(renderCitation),
    tokens: tokens ?? { input: 0, output: 0 },
    latency_ms: millis
  }
}

/** The result of an ask, as a live call is answered and as the archive keeps it. Source: contract, "Ask result". */
const renderResult = ({ id, answered, mentions, citations, tier, durationMillis, charge }: AskOutcome): AskResult => ({
  request_id: id,
  id,
  cached: tier !== "miss",
  cache_tier: tier,
  providers: answered.map(renderProvider),
  brand_mentions: mentions.map(({ brand, platform, rank, sentiment, context }) => ({
    brand,
    provider: providers[platform],
    rank,
    sentiment,
    context
  })),
  citations: citations.map(renderPage((platform) => providers[platform])),
  usage: {
    billable_units: answered.filter(({ result }) => Result.isSuccess(result)).length,
    latency_ms: durationMillis,
    cost_cents: toCents(charge)
  }
})

/**
 * How asks are rendered. Shape: the event is the envelope of `ask.completed` around the result. Source: contract,
 * "ask.completed".
 */
export const askRendering: AskRendering = {
  result: (outcome) => JSON.stringify(renderResult(outcome)),
  event: (id, result) => ({
    head: `{"id":${JSON.stringify(id)},"type":"ask.completed","created":`,
    tail: `,"data":${result}}`
  })
}

/** An archived result with the status of its job and its charge. Source: decisions A1; decision 33. */
export const renderArchived = (result: string, beside: Pick<ArchivedAsk, "status" | "charge_id">): string =>
  `${result.slice(0, -1)},${JSON.stringify(beside).slice(1)}`

/** The highest cost of an ask with this number of provider calls, in words. */
export const priceLabel = (price: Credits, calls: number): string => {
  const all = toCents(price)
  return `${calls} ${calls === 1 ? "provider call" : "provider calls"} at ${all / calls} credits: at most ${all} credits`
}
