import type { Source } from "@sightline/sandbox/article/Source"
import type { Composition } from "@sightline/sandbox/Composition"

const months = "January February March April May June July August September October November December".split(" ")

/** The age of a page in the vendor's form, such as "October 30, 2026". */
const ageOf = (date: string | undefined): string | null => {
  const [year, month, day] = (date ?? "").split("-").map(Number)
  return day === undefined || month === undefined ? null : `${months[month - 1] ?? ""} ${day}, ${year}`
}

/** The blocks of one search. */
const searchBlocks = ({ queries, sources, draw }: Composition): ReadonlyArray<unknown> => {
  const id = `srvtoolu_01${draw.hex(22)}`
  const caller = { type: "direct" }
  const content = sources.map(({ url, title, date }) => ({
    type: "web_search_result",
    url,
    title,
    page_age: ageOf(date),
    encrypted_content: `Eqgf${draw.hex(24)}`
  }))
  return [
    { type: "server_tool_use", id, name: "web_search", input: { query: queries[0] }, caller },
    { type: "web_search_tool_result", tool_use_id: id, caller, content }
  ]
}

/** Text blocks: one per cited span, and one for all uncited text between two cited spans. */
const textBlocks = ({ spans, sources, draw }: Composition): ReadonlyArray<unknown> => {
  const cite = ({ url, title, snippet }: Source) => ({
    type: "web_search_result_location",
    url,
    title,
    cited_text: snippet.slice(0, 150),
    encrypted_index: `EpIB${draw.hex(24)}`
  })
  const blocks: Array<{ type: "text"; text: string; citations: ReadonlyArray<unknown> | null }> = []
  for (const { text, cites } of spans) {
    const cited = cites.map((index) => sources[index]).filter((source) => source !== undefined)
    const last = blocks.at(-1)
    if (cited.length > 0) blocks.push({ type: "text", text, citations: cited.map(cite) })
    else if (last?.citations === null) last.text += text
    else blocks.push({ type: "text", text, citations: null })
  }
  return blocks
}

const stopReasons = { stop: "end_turn", length: "max_tokens", refusal: "refusal" } as const

/** Whether this turn pauses after its search: one in thirty does, unless it is itself a continuation. */
const pauses = (composition: Composition, continued: boolean): boolean => {
  const unlucky = composition.draw.chance(1 / 30)
  return unlucky && composition.detours && !continued && composition.finish === "stop" && composition.queries.length > 0
}

/** The body of a message. With `continued`, the blocks that the caller already has are left out. */
export const renderMessage = (model: string, composition: Composition, continued: boolean): unknown => {
  const { finish, queries, tokens, draw } = composition
  const paused = pauses(composition, continued)
  const thinking = tokens.reasoning > 0 ? [{ type: "thinking", thinking: "", signature: `ErUB${draw.hex(24)}` }] : []
  const searched = queries.length > 0 ? searchBlocks(composition) : []
  return {
    id: `msg_01${draw.hex(22)}`,
    type: "message",
    role: "assistant",
    model,
    container: null,
    diagnostics: null,
    content: [...(continued ? [] : [...thinking, ...searched]), ...(paused ? [] : textBlocks(composition))],
    stop_reason: paused ? "pause_turn" : stopReasons[finish],
    stop_sequence: null,
    stop_details: finish === "refusal" ? { type: "refusal", category: "general_harms", explanation: null } : null,
    usage: {
      input_tokens: tokens.asked + tokens.found,
      output_tokens: tokens.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      inference_geo: "global",
      output_tokens_details: tokens.reasoning > 0 ? { thinking_tokens: tokens.reasoning } : null,
      server_tool_use: queries.length > 0 ? { web_search_requests: 1, web_fetch_requests: 0 } : null,
      service_tier: "standard",
      speed: "standard"
    }
  }
}
