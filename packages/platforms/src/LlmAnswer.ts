import type { Answer, Tokens } from "@sightline/domain/Answer"
import { boundedText, excerpt } from "./Bounds.ts"
import { citationsOf, type Source } from "./Citations.ts"
import { matchText } from "./MatchText.ts"

/** Token counts; reasoning is left out where there was none. */
export const tokens = (input: number, output: number, reasoning: number | null | undefined): Tokens => ({
  input,
  output,
  ...(reasoning ? { reasoning } : {})
})

/**
 * The answer of an LLM API, bounded in size.
 *
 * Shape: `raw` is the text as delivered; `said` is the markdown to search for brands, where it differs from `raw`.
 */
export const llmAnswer = (parts: {
  readonly raw: string
  readonly said?: string
  readonly sources: Iterable<Source>
  readonly searched: boolean
  readonly model: string
  readonly tokens: Tokens | null
  readonly finish: Answer["finish"]
}): Answer => {
  const raw = boundedText(parts.raw)
  return {
    text: matchText(parts.said === undefined ? raw : boundedText(parts.said)),
    raw,
    citations: citationsOf(parts.sources),
    fanOut: [],
    brandEntities: [],
    searched: parts.searched,
    model: excerpt(parts.model),
    ...(parts.tokens !== null && { tokens: parts.tokens }),
    finish: parts.finish
  }
}
