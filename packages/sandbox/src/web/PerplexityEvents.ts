import type { LiveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { partsOf } from "./PageStream.ts"

const event = (data: unknown): string => `event: message\r\ndata: ${JSON.stringify(data)}\r\n\r\n`
const end = "event: end_of_stream\r\ndata: {}\r\n\r\n"

const common = { backend_uuid: "b0", context_uuid: "x0", uuid: "u0", mode: "CONCISE" }

const pending = (answer: LiveAnswer, blocks: ReadonlyArray<unknown>) =>
  event({ ...common, display_model: answer.model, status: "PENDING", final: false, final_sse_message: false, blocks })

/** The answer with a marker for each source after the text that it supports. */
const markedOf = ({ spans }: LiveAnswer): string =>
  spans.map(({ text, cites }) => text + cites.map((index) => `[${index + 1}]`).join("")).join("")

const resultsOf = ({ sources }: LiveAnswer) => ({
  intended_usage: "web_results",
  web_result_block: {
    progress: "DONE",
    web_results: sources.map(({ snippet, title, url }) => ({ name: title, url, snippet }))
  }
})

const patching = (answer: LiveAnswer, text: string): ReadonlyArray<string> =>
  partsOf(text, 10).map((chunk, place) => {
    const whole = { progress: "IN_PROGRESS", chunks: [chunk], chunk_starting_offset: 0 }
    const patch =
      place === 0 ? { op: "replace", path: "", value: whole } : { op: "add", path: `/chunks/${place}`, value: chunk }
    return pending(answer, [
      { intended_usage: "ask_text_0_markdown", diff_block: { field: "markdown_block", patches: [patch] } }
    ])
  })

const completed = (answer: LiveAnswer, blocks: ReadonlyArray<unknown>): string =>
  event({
    ...common,
    display_model: answer.model,
    status: "COMPLETED",
    final: true,
    final_sse_message: true,
    text_completed: true,
    related_queries: answer.fanOut,
    related_query_items: answer.fanOut.map((text) => ({ text, type: "DEFAULT" })),
    blocks
  })

const silent: LiveAnswer = {
  markdown: "",
  spans: [],
  sources: [],
  fanOut: [],
  entities: [],
  adverts: [],
  model: "turbo"
}

/** The event stream of a scene. */
export const perplexityStream = ({ answer, ending }: Scene): ReadonlyArray<string> => {
  if (answer === undefined) return [completed(silent, []), end]
  if (ending?.kind === "broken") {
    return [`event: message\r\ndata: ${Buffer.from(answer.markdown).toString("base64")}\r\n\r\n`, end]
  }
  const text = ending?.kind === "container_empty" ? "" : markedOf(answer)
  const block = { progress: "DONE", chunks: [text], chunk_starting_offset: 0, answer: text }
  return [
    pending(answer, [{ intended_usage: "plan", plan_block: { progress: "IN_PROGRESS", goals: [] } }]),
    pending(answer, [resultsOf(answer)]),
    ...patching(answer, text),
    completed(answer, [{ intended_usage: "ask_text", markdown_block: block }, resultsOf(answer)]),
    end
  ]
}
