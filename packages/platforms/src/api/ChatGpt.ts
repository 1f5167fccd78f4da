import { Effect, Option, Result, Schema } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { Model } from "@sightline/domain/Model"
import type { FailureCode } from "@sightline/domain/Platform"
import type { Capture } from "@sightline/platforms/Capture"
import type { JsonObject } from "@sightline/platforms/Exchange"
import type { Source } from "@sightline/platforms/Citations"
import { claimBefore, plain } from "@sightline/platforms/Claim"
import { reportedFailure } from "@sightline/platforms/Fault"
import { llmAnswer, tokens } from "@sightline/platforms/LlmAnswer"
import { bearer, capturing, tokensByDefault, type Upstream } from "@sightline/platforms/LlmCapture"
import { fittingOrNull, known, maybe } from "@sightline/platforms/Tolerant"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"

const tokensMin = 16

// Without a location the vendor assumes the United States, so one is always sent: "approximate" alone means no place in particular.
const search = ({ city, country }: Question, { forcedSearch }: Model): JsonObject => ({
  tools: [
    {
      type: "web_search",
      search_context_size: "medium",
      user_location: {
        type: "approximate",
        ...(country !== undefined && { country }),
        ...(city !== undefined && { city })
      }
    }
  ],
  tool_choice: forcedSearch ? "required" : "auto",
  include: ["web_search_call.action.sources"]
})

/** The body of `POST /v1/responses`. Source: OpenAI Responses API. */
const toRequest = (question: Question, model: Model): JsonObject => {
  const { maxTokens = tokensByDefault, system, temperature } = question
  const effort = temperature === undefined ? model.reasoning : (model.reasoningWithTemperature ?? model.reasoning)
  return {
    model: model.id,
    ...(system !== undefined && { instructions: system }),
    input: question.turns.map(({ content, role }) => ({ role, content })),
    ...(question.webSearch && model.webSearch && search(question, model)),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(temperature !== undefined && { temperature }),
    max_output_tokens: Math.max(maxTokens, tokensMin),
    store: false
  }
}

const Reply = Schema.Struct({
  status: Schema.String,
  model: Schema.String,
  output: Schema.Array(Schema.Unknown),
  incomplete_details: maybe(Schema.Struct({ reason: maybe(Schema.String) })),
  usage: Schema.optionalKey(Schema.Unknown)
})

/** What is read of a response; everything else in it is ignored. */
export type Reply = typeof Reply.Type

const itemsOf = known({
  message: Schema.Struct({ phase: maybe(Schema.String), content: Schema.Array(Schema.Unknown) }),
  web_search_call: Schema.Struct({ status: maybe(Schema.String) })
})

const partsOf = known({
  output_text: Schema.Struct({ text: Schema.String, annotations: Schema.optionalKey(Schema.Unknown) }),
  refusal: Schema.Struct({ refusal: Schema.String })
})

const annotationsOf = known({
  url_citation: Schema.Struct({
    url: Schema.String,
    title: maybe(Schema.String),
    start_index: maybe(Schema.Finite),
    end_index: maybe(Schema.Finite)
  })
})

const usageOf = fittingOrNull(
  Schema.Struct({
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    output_tokens_details: maybe(Schema.Struct({ reasoning_tokens: maybe(Schema.Int) }))
  })
)

const markerStart = /^\s*\(?\[/

/** The position of `](` in a link to `url`, or -1. A link whose address only begins with `url` is the second choice. */
const linkTo = (text: string, url: string): number => {
  const whole = text.indexOf(`](${url})`)
  return whole === -1 ? text.indexOf(`](${url}`) : whole
}

/**
 * The part of the answer that a citation supports.
 *
 * Current models give the range of the inline link, older ones that of the claim itself. A range that is the link to `url`
 * is trusted. Otherwise, for example when the range was counted in code points, the link is looked for by its address.
 * Without such a link, the range is taken as the claim, unless it contains another link.
 */
const claimOf = (text: string, url: string, start: number, end: number): string => {
  const span = text.slice(start, end)
  if (markerStart.test(span) && span.includes(`](${url}`)) return claimBefore(text, start)
  const link = linkTo(text, url)
  if (link !== -1) return claimBefore(text, text.lastIndexOf("[", link))
  return span.includes("](") ? "" : plain(span)
}

function* sourcesOf(text: string, annotations: unknown): Generator<Source> {
  for (const { value } of annotationsOf(annotations)) {
    const { end_index, start_index, title, url } = value
    yield { url, title, text: () => claimOf(text, url, start_index ?? 0, end_index ?? 0) }
  }
}

const finishOf = ({ incomplete_details, status }: Reply): Answer["finish"] => {
  if (status === "completed") return "stop"
  return incomplete_details?.reason === "content_filter" ? "refusal" : "length"
}

/** The answer in a response. The model's running comments are not part of it; a refusal in words is. */
export const toAnswer = (reply: Reply): Answer => {
  const items = itemsOf(reply.output)
  const parts = items.flatMap((item) =>
    item.type === "message" && item.value.phase !== "commentary" ? partsOf(item.value.content) : []
  )
  const usage = usageOf(reply.usage)
  return llmAnswer({
    raw: parts.map((part) => (part.type === "output_text" ? part.value.text : part.value.refusal)).join(""),
    sources: parts.flatMap((part) =>
      part.type === "output_text" ? Array.from(sourcesOf(part.value.text, part.value.annotations)) : []
    ),
    searched: items.some((item) => item.type === "web_search_call" && item.value.status !== "failed"),
    model: reply.model,
    tokens: usage && tokens(usage.input_tokens, usage.output_tokens, usage.output_tokens_details?.reasoning_tokens),
    finish: finishOf(reply)
  })
}

const decode = Schema.decodeUnknownOption(Reply)

// A failure may come without the other fields of a response.
const failureOf = fittingOrNull(
  Schema.Struct({ status: Schema.Literal("failed"), error: maybe(Schema.Struct({ code: maybe(Schema.String) })) })
)

/** Reads the body of a success: a response that ended, or the code of the failure that it reports. */
export const read = (body: unknown): Result.Result<Reply, FailureCode> => {
  const failure = failureOf(body)
  if (failure !== null) return Result.fail(reportedFailure(failure.error?.code ?? "", ""))
  const reply = Option.getOrNull(decode(body))
  return reply !== null && (reply.status === "completed" || reply.status === "incomplete")
    ? Result.succeed(reply)
    : Result.fail("provider_error")
}

/** ChatGPT through OpenAI's Responses API. */
export const make = (upstream: Upstream): Effect.Effect<Capture, never, UpstreamClient> =>
  capturing("chatgpt_api", upstream, ({ key, model, post, question }) =>
    Effect.map(
      post(
        {
          path: "/v1/responses",
          headers: bearer(key),
          body: toRequest(question, model),
          droppable: ["tool_choice", "reasoning"]
        },
        read
      ),
      toAnswer
    )
  )
