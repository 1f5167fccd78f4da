import type { Source } from "@sightline/sandbox/article/Source"
import type { Span } from "@sightline/sandbox/article/Span"
import type { Composition } from "@sightline/sandbox/Composition"
import type { PerplexityRequest } from "./PerplexityRequest.ts"

/** The span with its `[n]` markers, placed before the full stop. */
const marked = ({ text, cites }: Span): string => {
  if (cites.length === 0) return text
  const markers = cites.map((index) => `[${index + 1}]`).join("")
  return /[.!?]$/.test(text) ? `${text.slice(0, -1)} ${markers}${text.slice(-1)}` : `${text} ${markers}`
}

const resultOf = ({ url, title, snippet, date }: Source, index: number) => ({
  id: index + 1,
  url,
  title,
  snippet,
  ...(date === undefined ? {} : { date, last_updated: date }),
  source: "web"
})

const outputOf = ({ spans, sources, queries, finish, draw }: Composition): ReadonlyArray<unknown> => [
  ...(queries.length > 0 ? [{ type: "search_results", queries, results: sources.map(resultOf) }] : []),
  ...(spans.length > 0
    ? [
        {
          type: "message",
          id: `msg_${draw.hex(16)}`,
          role: "assistant",
          status: finish === "length" ? "incomplete" : "completed",
          content: [{ type: "output_text", text: spans.map(marked).join(""), annotations: [] }]
        }
      ]
    : [])
]

const dollars = (micros: number): number => micros / 1_000_000

/** The body of an agent response. This vendor has no status for a refusal: it is an answer in words, or a response without output. */
export const renderAgentResponse = (request: PerplexityRequest, composition: Composition): unknown => {
  const { finish, queries, tokens, createdAt, draw } = composition
  const input = tokens.asked + tokens.found
  const cut = finish === "length"
  const searchMicros = queries.length > 0 ? 5_000 : 0
  return {
    id: `resp_${draw.hex(24)}`,
    object: "response",
    created_at: createdAt,
    completed_at: cut ? null : createdAt + 1 + draw.below(8),
    status: cut ? "incomplete" : "completed",
    background: false,
    error: null,
    incomplete_details: cut ? { reason: "max_output_tokens" } : null,
    model: request.model,
    output: outputOf(composition),
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: request.temperature ?? 0.2,
    top_p: 1,
    tool_choice: "auto",
    tools: (request.tools ?? []).map(({ type }) => ({ type })),
    truncation: "disabled",
    metadata: {},
    usage: {
      input_tokens: input,
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + tokens.output,
      ...(queries.length > 0 ? { tool_calls_details: { search_web: { invocation: 1 } } } : {}),
      cost: {
        currency: "USD",
        input_cost: dollars(input),
        output_cost: dollars(tokens.output),
        tool_calls_cost: dollars(searchMicros),
        total_cost: dollars(input + tokens.output + searchMicros)
      }
    }
  }
}
