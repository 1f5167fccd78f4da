import { Effect, Option, Result, Schema } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { Model } from "@sightline/domain/Model"
import type { FailureCode } from "@sightline/domain/Platform"
import type { Capture } from "@sightline/platforms/Capture"
import type { JsonObject } from "@sightline/platforms/Exchange"
import { llmAnswer, tokens } from "@sightline/platforms/LlmAnswer"
import {
  type AcceptedQuestion,
  bearer,
  capturing,
  tokensByDefault,
  type Upstream
} from "@sightline/platforms/LlmCapture"
import { fitting, fittingOrNull, known, maybe } from "@sightline/platforms/Tolerant"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"

const searchesMax = 3
const continuationsMax = 2
const urgeToSearch = "Always run at least one web search."

const search = ({ city, country }: Question, { forcedSearch }: Model): JsonObject => ({
  tools: [
    {
      type: "web_search_20250305",
      name: "web_search",
      max_uses: searchesMax,
      ...(country !== undefined && {
        user_location: { type: "approximate", country, ...(city !== undefined && { city }) }
      })
    }
  ],
  tool_choice: forcedSearch ? { type: "tool", name: "web_search" } : { type: "auto" }
})

/** The body of `POST /v1/messages`. Source: Anthropic Messages API. */
const toRequest = (question: Question, model: Model): JsonObject => {
  const searching = question.webSearch && model.webSearch
  const urge = searching && !model.forcedSearch ? [urgeToSearch] : []
  const system = [...(question.system === undefined ? [] : [question.system]), ...urge].join(" ")
  return {
    model: model.id,
    max_tokens: question.maxTokens ?? tokensByDefault,
    ...(system !== "" && { system }),
    messages: question.turns.map(({ content, role }) => ({ role, content })),
    ...(model.reasoning !== undefined && { thinking: { type: model.reasoning } }),
    ...(searching && search(question, model)),
    // Choice: the vendor's scale ends at 1 and the contract's at 2. A temperature above 1 is sent as 1.
    ...(question.temperature !== undefined && { temperature: Math.min(question.temperature, 1) })
  }
}

/** The API version. Only the older one has the field for temperature, for the models that still accept it. */
const versionFor = ({ temperature }: Question): string => (temperature === undefined ? "2026-10-21" : "2023-06-01")

const Reply = Schema.Struct({
  model: Schema.String,
  content: Schema.Array(Schema.Unknown),
  stop_reason: Schema.String,
  usage: Schema.optionalKey(Schema.Unknown)
})

/** What is read of a message; everything else in it is ignored. */
export type Reply = typeof Reply.Type

const blocksOf = known({
  text: Schema.Struct({ text: Schema.String, citations: Schema.optionalKey(Schema.Unknown) }),
  web_search_tool_result: Schema.Struct({ content: Schema.Unknown })
})

const citationsIn = fitting(
  Schema.Struct({ url: Schema.String, title: maybe(Schema.String), cited_text: maybe(Schema.String) })
)

const usageOf = fittingOrNull(
  Schema.Struct({
    input_tokens: Schema.Int,
    cache_creation_input_tokens: maybe(Schema.Int),
    cache_read_input_tokens: maybe(Schema.Int),
    output_tokens: Schema.Int,
    output_tokens_details: maybe(Schema.Struct({ thinking_tokens: maybe(Schema.Int) }))
  })
)

const finishes: Readonly<Record<string, Answer["finish"]>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  pause_turn: "length",
  refusal: "refusal"
}

const tokensOf = ({ usage }: Reply): Answer["tokens"] | null => {
  const read = usageOf(usage)
  if (read === null) return null
  const input = read.input_tokens + (read.cache_creation_input_tokens ?? 0) + (read.cache_read_input_tokens ?? 0)
  return tokens(input, read.output_tokens, read.output_tokens_details?.thinking_tokens)
}

/** The answer in one message, or in the messages of a turn that was paused and continued. The last one gives the model and the finish. */
export const toAnswer = (replies: readonly [Reply, ...Array<Reply>]): Answer => {
  const blocks = replies.flatMap((reply) => blocksOf(reply.content))
  const last = replies.at(-1) ?? replies[0]
  const spent = replies.map(tokensOf).filter((count) => count != null)
  const sum = (count: (each: (typeof spent)[number]) => number) => spent.reduce((total, each) => total + count(each), 0)
  return llmAnswer({
    raw: blocks.map((block) => (block.type === "text" ? block.value.text : "")).join(""),
    sources: blocks.flatMap((block) =>
      block.type === "text"
        ? citationsIn(block.value.citations).map(({ cited_text, title, url }) => ({ url, title, snippet: cited_text }))
        : []
    ),
    // A failed search is reported as an object in place of the list of results.
    searched: blocks.some((block) => block.type === "web_search_tool_result" && Array.isArray(block.value.content)),
    model: last.model,
    tokens:
      spent.length === 0
        ? null
        : tokens(
            sum(({ input }) => input),
            sum(({ output }) => output),
            sum(({ reasoning }) => reasoning ?? 0)
          ),
    finish: finishes[last.stop_reason] ?? "stop"
  })
}

const decode = Schema.decodeUnknownOption(Reply)

/** Reads the body of a success: a message that ended or paused for a known reason. */
export const read = (body: unknown): Result.Result<Reply, FailureCode> => {
  const reply = Option.getOrNull(decode(body))
  return reply === null || finishes[reply.stop_reason] === undefined
    ? Result.fail("provider_error")
    : Result.succeed(reply)
}

const continued = (body: JsonObject, replies: ReadonlyArray<Reply>): JsonObject =>
  replies.length === 0
    ? body
    : {
        ...body,
        messages: [
          ...(Array.isArray(body["messages"]) ? body["messages"] : []),
          { role: "assistant", content: replies.flatMap((reply) => reply.content) }
        ]
      }

const respond = Effect.fnUntraced(function* ({ key, model, post, question }: AcceptedQuestion) {
  const request = {
    path: "/v1/messages",
    headers: { ...bearer(key), "anthropic-version": versionFor(question) },
    droppable: ["tool_choice", "thinking"]
  }
  const body = toRequest(question, model)
  const first = yield* post({ ...request, body }, read)
  const replies: [Reply, ...Array<Reply>] = [first]
  while (replies.at(-1)?.stop_reason === "pause_turn" && replies.length <= continuationsMax) {
    replies.push(yield* post({ ...request, body: continued(body, replies) }, read))
  }
  return toAnswer(replies)
})

/** Claude through Anthropic's Messages API. */
export const make = (upstream: Upstream): Effect.Effect<Capture, never, UpstreamClient> =>
  capturing("claude_api", upstream, respond)
