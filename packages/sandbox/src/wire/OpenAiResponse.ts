import type { Source } from "@sightline/sandbox/article/Source"
import type { Composition } from "@sightline/sandbox/Composition"
import type { OpenAiRequest } from "./OpenAiRequest.ts"

interface Annotation {
  readonly type: "url_citation"
  readonly start_index: number
  readonly end_index: number
  readonly title: string
  readonly url: string
}

/** The text with a link after each cited span, and annotations with the ranges of those links (UTF-16 indices). */
const annotate = ({ spans, sources }: Composition): { text: string; annotations: ReadonlyArray<Annotation> } => {
  const annotations: Array<Annotation> = []
  let text = ""
  const link = ({ url: plain, host, title }: Source) => {
    const url = `${plain}?utm_source=openai`
    const marker = `([${host}](${url}))`
    const start = text.length + 1
    text += ` ${marker}`
    annotations.push({ type: "url_citation", start_index: start, end_index: start + marker.length, title, url })
  }
  for (const span of spans) {
    text += span.text
    for (const source of span.cites.map((index) => sources[index])) if (source !== undefined) link(source)
  }
  return { text, annotations }
}

const message = (id: string, status: string, phase: string, content: unknown) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  status,
  phase,
  content: [content]
})

const searches = ({ queries, sources, draw }: Composition): ReadonlyArray<unknown> => {
  if (queries.length === 0) return []
  const search = {
    id: `ws_${draw.hex(24)}`,
    type: "web_search_call",
    status: "completed",
    action: { type: "search", queries, query: queries[0], sources: sources.map(({ url }) => ({ type: "url", url })) }
  }
  const opened = { id: `ws_${draw.hex(24)}`, type: "web_search_call", status: "completed" }
  return draw.chance(0.3) ? [search, { ...opened, action: { type: "open_page", url: sources[0]?.url } }] : [search]
}

const finalMessage = (composition: Composition): ReadonlyArray<unknown> => {
  const { finish, spans, draw } = composition
  if (spans.length === 0) return []
  const { text, annotations } = annotate(composition)
  const content =
    finish === "refusal" ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations, logprobs: [] }
  return [message(draw.hex(24), finish === "length" ? "incomplete" : "completed", "final_answer", content)]
}

const outputOf = (composition: Composition): ReadonlyArray<unknown> => {
  const { tokens, commentary, draw } = composition
  return [
    ...(tokens.reasoning > 0 ? [{ id: `rs_${draw.hex(24)}`, type: "reasoning", summary: [] }] : []),
    ...(commentary === undefined
      ? []
      : [
          message(draw.hex(24), "completed", "commentary", {
            type: "output_text",
            text: commentary,
            annotations: [],
            logprobs: []
          })
        ]),
    ...searches(composition),
    ...finalMessage(composition)
  ]
}

/** The settings of the request, which a response repeats. */
const echo = (request: OpenAiRequest) => ({
  instructions: request.instructions ?? null,
  max_output_tokens: request.max_output_tokens ?? null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: request.reasoning?.effort ?? "medium", summary: null },
  service_tier: "default",
  temperature: request.temperature ?? 1,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: request.tool_choice ?? "auto",
  tools: request.tools ?? [],
  top_p: 1,
  top_logprobs: 0,
  truncation: "disabled"
})

/** The body of a response object. A refusal without words is reported as stopped by the content filter. */
export const renderResponse = (request: OpenAiRequest, model: string, composition: Composition): unknown => {
  const { finish, spans, tokens, createdAt, draw } = composition
  const input = tokens.asked + tokens.found
  const reason =
    finish === "length"
      ? "max_output_tokens"
      : finish === "refusal" && spans.length === 0
        ? "content_filter"
        : undefined
  return {
    id: `resp_${draw.hex(32)}`,
    object: "response",
    created_at: createdAt,
    completed_at: reason === undefined ? createdAt + 2 + draw.below(12) : null,
    status: reason === undefined ? "completed" : "incomplete",
    background: false,
    access_programs: null,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    ...echo(request),
    model,
    output: outputOf(composition),
    usage: {
      input_tokens: input,
      input_tokens_details: { cache_write_tokens: 0, cached_tokens: 0 },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: input + tokens.output
    }
  }
}
