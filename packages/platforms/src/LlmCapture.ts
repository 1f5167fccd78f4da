import { DateTime, type Duration, Effect, Option, Redacted, type Result } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import { findModel, type Model, type ModelTable } from "@sightline/domain/Model"
import { type FailureCode, type LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import { type Capture, millisLeft } from "./Capture.ts"
import type { JsonObject } from "./Exchange.ts"
import { fault } from "./Fault.ts"
import { steadyMillis } from "./Stopwatch.ts"
import { reported, UpstreamClient } from "./UpstreamClient.ts"

/** A vendor's address, key and models. `deadline` covers one whole capture, from the arrival of its question. */
export interface Upstream {
  readonly baseUrl: string
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly models: ModelTable
  readonly deadline: Duration.Input
}

/**
 * One accepted question on its way to a vendor. `post` is `UpstreamClient.post` with the platform, model and deadline of this capture.
 */
export interface AcceptedQuestion {
  readonly question: Question
  readonly model: Model
  readonly key: string
  readonly until: number
  readonly post: <A>(
    request: {
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: JsonObject
      readonly droppable: ReadonlyArray<string>
    },
    read: (body: unknown) => Result.Result<A, FailureCode>
  ) => Effect.Effect<A, PlatformFailed>
}

/** The most tokens of an answer where the call does not say. */
export const tokensByDefault = 4000

/** The header by which most vendors take a key. */
export const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` })

/**
 * What the four LLM platforms have in common: a question is checked and then answered by `respond`.
 *
 * Errors: `provider_auth_failed` without a key or for a model outside the table, `request_unsupported` for a temperature that
 * the model does not take, both without an upstream call (decisions, K3 and L1); `provider_error` for an answer without a word.
 */
export const capturing = Effect.fnUntraced(function* (
  platform: LlmPlatform,
  upstream: Upstream,
  respond: (admitted: AcceptedQuestion) => Effect.Effect<Answer, PlatformFailed>
): Effect.fn.Return<Capture, never, UpstreamClient> {
  const client = yield* UpstreamClient
  const baseUrl = upstream.baseUrl.replace(/\/+$/, "")
  const unasked = (code: FailureCode, message: string) => new PlatformFailed({ platform, code, message, unasked: true })

  return Effect.fnUntraced(function* (question: Question) {
    const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
    const model = findModel(upstream.models, platform, question.model, today)
    if (Option.isNone(model)) return yield* unasked("provider_auth_failed", "The model is not available.")
    if (question.temperature !== undefined && !model.value.temperature) {
      return yield* unasked("request_unsupported", "The model does not take a temperature.")
    }
    if (Option.isNone(upstream.apiKey)) {
      return yield* unasked("provider_auth_failed", "No credentials are configured for the provider.")
    }
    const until = (yield* steadyMillis) + (yield* millisLeft(upstream.deadline))
    const answer = yield* respond({
      question,
      model: model.value,
      key: Redacted.value(upstream.apiKey.value),
      until,
      post: ({ path, ...request }, read) =>
        client.post({ ...request, platform, model: question.model, url: baseUrl + path }, read, until)
    })
    // The caller continues after all answers of this turn have been read: `EndOfTurn` says why.
    yield* Effect.yieldNow
    if (answer.text === "") {
      return yield* reported({ platform, model: question.model }, fault("provider_error", "wordless"))
    }
    return answer
  })
})
