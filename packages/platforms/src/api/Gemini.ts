import { Effect, Option, Result, Schema } from "effect"
import type { Answer, Citation, Question } from "@sightline/domain/Answer"
import type { Model } from "@sightline/domain/Model"
import type { FailureCode } from "@sightline/domain/Platform"
import type { Capture } from "@sightline/platforms/Capture"
import type { JsonObject } from "@sightline/platforms/Exchange"
import type { Source } from "@sightline/platforms/Citations"
import { plain } from "@sightline/platforms/Claim"
import { llmAnswer, tokens } from "@sightline/platforms/LlmAnswer"
import { capturing, tokensByDefault, type Upstream } from "@sightline/platforms/LlmCapture"
import { mergedCitations, type ResolveRedirect } from "@sightline/platforms/Redirects"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import { fitting, fittingOrNull, maybe } from "@sightline/platforms/Tolerant"
import type { UpstreamClient } from "@sightline/platforms/UpstreamClient"

const apiVersion = "v1"
const redirectMaxMillis = 3000

/** The body of `POST /v1/models/{model}:generateContent`. Search cannot be forced and takes no location. Source: Gemini API. */
const toRequest = (question: Question, model: Model): JsonObject => ({
  ...(question.system !== undefined && { systemInstruction: { parts: [{ text: question.system }] } }),
  contents: question.turns.map(({ content, role }) => ({
    role: role === "assistant" ? "model" : "user",
    parts: [{ text: content }]
  })),
  ...(question.webSearch && model.webSearch && { tools: [{ googleSearch: {} }] }),
  generationConfig: {
    maxOutputTokens: question.maxTokens ?? tokensByDefault,
    ...(question.temperature !== undefined && { temperature: question.temperature }),
    ...(model.reasoning !== undefined && { thinkingConfig: { thinkingLevel: model.reasoning } })
  }
})

const Grounding = Schema.Struct({
  webSearchQueries: Schema.optionalKey(Schema.Unknown),
  groundingChunks: Schema.optionalKey(Schema.Unknown),
  groundingSupports: Schema.optionalKey(Schema.Unknown)
})

const Candidate = Schema.Struct({
  finishReason: maybe(Schema.String),
  content: maybe(Schema.Struct({ parts: Schema.optionalKey(Schema.Unknown) })),
  groundingMetadata: maybe(Grounding)
})

const Reply = Schema.Struct({
  candidates: maybe(Schema.Array(Candidate)),
  promptFeedback: maybe(Schema.Struct({ blockReason: maybe(Schema.String) })),
  usageMetadata: Schema.optionalKey(Schema.Unknown),
  modelVersion: Schema.String
})

/** What is read of a response; everything else in it is ignored. */
export type Reply = typeof Reply.Type

const partsOf = fitting(Schema.Struct({ text: Schema.String, thought: maybe(Schema.Boolean) }))

const chunkOf = fittingOrNull(
  Schema.Struct({ web: Schema.Struct({ uri: Schema.String, title: maybe(Schema.String) }) })
)

const supportsOf = fitting(
  Schema.Struct({
    segment: Schema.Struct({ text: maybe(Schema.String) }),
    groundingChunkIndices: Schema.Array(Schema.Int)
  })
)

const usageOf = fittingOrNull(
  Schema.Struct({
    promptTokenCount: maybe(Schema.Int),
    toolUsePromptTokenCount: maybe(Schema.Int),
    candidatesTokenCount: maybe(Schema.Int),
    thoughtsTokenCount: maybe(Schema.Int)
  })
)

const finishes: Readonly<Record<string, Answer["finish"]>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "refusal",
  RECITATION: "refusal",
  BLOCKLIST: "refusal",
  PROHIBITED_CONTENT: "refusal",
  SPII: "refusal",
  LANGUAGE: "refusal"
}

const finishOf = ({ candidates, promptFeedback }: Reply): Answer["finish"] | undefined => {
  const first = candidates?.[0]
  if (first === undefined) return promptFeedback?.blockReason == null ? undefined : "refusal"
  return finishes[first.finishReason ?? "STOP"]
}

/** The chunks as sources: first those that support the text, in its order, then the others. Each has the first span that it supports. */
const sourcesOf = (grounding: typeof Grounding.Type | null | undefined): ReadonlyArray<Source> => {
  // A chunk that cannot be read keeps its place, because supports refer to chunks by number.
  const chunks = Array.isArray(grounding?.groundingChunks) ? grounding.groundingChunks.map(chunkOf) : []
  const spans = new Map<number, string>()
  for (const { groundingChunkIndices, segment } of supportsOf(grounding?.groundingSupports)) {
    for (const index of groundingChunkIndices) if (!spans.has(index)) spans.set(index, segment.text ?? "")
  }
  const order = new Set([...spans.keys(), ...chunks.keys()])
  return Array.from(order).flatMap((index) => {
    const web = chunks[index]?.web
    return web !== undefined ? [{ url: web.uri, title: web.title, text: () => plain(spans.get(index) ?? "") }] : []
  })
}

/** The answer in a response. Its citations still have the vendor's redirect addresses. */
export const toAnswer = (reply: Reply): Answer => {
  const candidate = reply.candidates?.[0]
  const grounding = candidate?.groundingMetadata
  const said = partsOf(candidate?.content?.parts).filter((part) => part.thought !== true)
  const usage = usageOf(reply.usageMetadata)
  const thoughts = usage?.thoughtsTokenCount ?? 0
  return llmAnswer({
    raw: said.map((part) => part.text).join(""),
    sources: sourcesOf(grounding),
    searched: [grounding?.webSearchQueries, grounding?.groundingChunks].some(
      (list) => Array.isArray(list) && list.length > 0
    ),
    model: reply.modelVersion,
    tokens:
      usage &&
      tokens(
        (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
        (usage.candidatesTokenCount ?? 0) + thoughts,
        thoughts
      ),
    finish: finishOf(reply) ?? "stop"
  })
}

const decode = Schema.decodeUnknownOption(Reply)

/** Reads the body of a success: a candidate with a known finish reason, or a prompt that was blocked. */
export const read = (body: unknown): Result.Result<Reply, FailureCode> => {
  const reply = Option.getOrNull(decode(body))
  return reply === null || finishOf(reply) === undefined ? Result.fail("provider_error") : Result.succeed(reply)
}

const redirectHost = "vertexaisearch.cloud.google.com"
const groundingRedirect = /^https:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\/[^/?#]+$/
const hostName = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/i

/**
 * The citations with permanent addresses: a redirect differs in every answer and soon expires. A redirect that is not
 * resolved in time gets the address of the site that its title names, if it names one.
 */
const settled = Effect.fnUntraced(function* (
  citations: ReadonlyArray<Citation>,
  resolve: ResolveRedirect,
  until: number
) {
  const redirects = citations.filter(({ url }) => groundingRedirect.test(url))
  if (redirects.length === 0) return citations
  const found = new Map<string, string>()
  const asking = Effect.forEach(
    redirects,
    ({ url }) => Effect.map(resolve(url), (resolved) => Option.map(resolved, (to) => found.set(url, to))),
    { concurrency: "unbounded", discard: true }
  )
  const left = Math.max(0, until - (yield* steadyMillis))
  yield* Effect.timeoutOption(asking, Math.min(redirectMaxMillis, left))
  return mergedCitations(
    citations.map((citation) => {
      if (!groundingRedirect.test(citation.url)) return citation
      // A citation without a title has the redirect's own host as its title, which is not the site that it leads to.
      const title = citation.title === redirectHost ? "" : citation.title
      const site = hostName.test(title) ? `https://${title.toLowerCase()}/` : citation.url
      return { ...citation, title, url: found.get(citation.url) ?? site }
    })
  )
})

/** Gemini through the Gemini Developer API. `resolveRedirect` is called only for its grounding redirects. */
export const make = (
  upstream: Upstream & { readonly resolveRedirect: ResolveRedirect }
): Effect.Effect<Capture, never, UpstreamClient> =>
  capturing(
    "gemini_api",
    upstream,
    Effect.fnUntraced(function* ({ key, model, post, question, until }) {
      const reply = yield* post(
        {
          path: `/${apiVersion}/models/${encodeURIComponent(model.id)}:generateContent`,
          headers: { "x-goog-api-key": key },
          body: toRequest(question, model),
          droppable: []
        },
        read
      )
      const answer = toAnswer(reply)
      return { ...answer, citations: yield* settled(answer.citations, upstream.resolveRedirect, until) }
    })
  )
