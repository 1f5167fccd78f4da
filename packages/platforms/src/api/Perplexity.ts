import { Effect, Option, Result, Schema } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { Model } from "@sightline/domain/Model"
import type { FailureCode } from "@sightline/domain/Platform"
import type { Capture } from "@sightline/platforms/Capture"
import type { JsonObject } from "@sightline/platforms/Exchange"
import { reportedFailure } from "@sightline/platforms/Fault"
import { llmAnswer, tokens } from "@sightline/platforms/LlmAnswer"
import { bearer, capturing, tokensByDefault, type Upstream } from "@sightline/platforms/LlmCapture"
import { withoutMarkers } from "@sightline/platforms/Markers"
import { fitting, fittingOrNull, known, maybe } from "@sightline/platforms/Tolerant"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"

const tokensMin = 16
const uncitedResultsMax = 10

const search = ({ country }: Question): JsonObject => ({
  tools: [
    { type: "web_search", search_context_size: "medium", ...(country !== undefined && { user_location: { country } }) }
  ],
  tool_choice: { type: "web_search" }
})

/** The body of `POST /v1/agent`, which refuses any field it does not know. Source: Perplexity Agent API. */
const toRequest = (question: Question, model: Model): JsonObject => {
  const { maxTokens = tokensByDefault, system, temperature } = question
  return {
    model: model.id,
    ...(system !== undefined && { instructions: system }),
    input: question.turns.map(({ content, role }) => ({ type: "message", role, content })),
    ...(question.webSearch && model.webSearch && search(question)),
    max_output_tokens: Math.max(maxTokens, tokensMin),
    ...(temperature !== undefined && { temperature }),
    store: false
  }
}

const Reply = Schema.Struct({
  status: Schema.String,
  model: Schema.String,
  output: Schema.Array(Schema.Unknown),
  usage: Schema.optionalKey(Schema.Unknown)
})

/** What is read of a response; everything else in it is ignored. */
export type Reply = typeof Reply.Type

const itemsOf = known({
  search_results: Schema.Struct({ results: Schema.Unknown }),
  message: Schema.Struct({ content: Schema.Array(Schema.Unknown) })
})

const partsOf = known({
  output_text: Schema.Struct({ text: Schema.String, annotations: Schema.optionalKey(Schema.Unknown) })
})

const annotationsOf = known({ url_citation: Schema.Struct({ url: Schema.String, title: maybe(Schema.String) }) })

const resultsOf = fitting(
  Schema.Struct({
    id: maybe(Schema.Int),
    url: Schema.String,
    title: maybe(Schema.String),
    snippet: maybe(Schema.String)
  })
)

const usageOf = fittingOrNull(
  Schema.Struct({
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    output_tokens_details: maybe(Schema.Struct({ reasoning_tokens: maybe(Schema.Int) }))
  })
)

/**
 * The answer in a response. `[n]` in its text refers to the result with the id `n`, or without ids to the n-th result of all searches.
 */
export const toAnswer = (reply: Reply): Answer => {
  const items = itemsOf(reply.output)
  const parts = items.flatMap((item) => (item.type === "message" ? partsOf(item.value.content) : []))
  const raw = parts.map((part) => part.value.text).join("")
  const found = items.flatMap((item) => (item.type === "search_results" ? resultsOf(item.value.results) : []))
  const results = new Map(found.map((result, index) => [result.id ?? index + 1, result]))
  const annotated = parts.flatMap((part) => annotationsOf(part.value.annotations).map(({ value }) => value))
  const { pointedAt, said } = withoutMarkers(raw, (id) => results.has(id))
  const cited = [...pointedAt.flatMap((id) => results.get(id) ?? []), ...annotated]
  const whole = reply.status === "completed"
  const usage = usageOf(reply.usage)
  return llmAnswer({
    raw,
    said,
    // Choice: an answer that is complete and refers to no result cites the results it was given.
    sources: cited.length > 0 || !whole ? cited : found.slice(0, uncitedResultsMax),
    searched: items.some((item) => item.type === "search_results"),
    model: reply.model,
    tokens: usage && tokens(usage.input_tokens, usage.output_tokens, usage.output_tokens_details?.reasoning_tokens),
    finish: whole ? "stop" : "length"
  })
}

const decode = Schema.decodeUnknownOption(Reply)

// A failure may come without the other fields of a response.
const failureOf = fittingOrNull(
  Schema.Struct({
    status: Schema.Literal("failed"),
    error: maybe(
      Schema.Struct({ code: maybe(Schema.Union([Schema.String, Schema.Finite])), type: maybe(Schema.String) })
    )
  })
)

/** Reads the body of a success: a response that ended, or the code of the failure that it reports. */
export const read = (body: unknown): Result.Result<Reply, FailureCode> => {
  const failure = failureOf(body)
  if (failure !== null) return Result.fail(reportedFailure(`${failure.error?.code ?? ""}`, failure.error?.type ?? ""))
  const reply = Option.getOrNull(decode(body))
  return reply !== null && (reply.status === "completed" || reply.status === "incomplete")
    ? Result.succeed(reply)
    : Result.fail("provider_error")
}

/** Perplexity through its Agent API (decisions, L4). Its city field is not used (contract, `city`). */
export const make = (upstream: Upstream): Effect.Effect<Capture, never, UpstreamClient> =>
  capturing("perplexity_api", upstream, ({ key, model, post, question }) =>
    Effect.map(
      post(
        {
          path: "/v1/agent",
          headers: bearer(key),
          body: toRequest(question, model),
          droppable: ["tool_choice"]
        },
        read
      ),
      toAnswer
    )
  )
