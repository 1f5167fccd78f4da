import { DateTime, Effect, Result } from "effect"
import type { Question } from "@sightline/domain/Answer"
import type { Ask } from "@sightline/domain/Ask"
import { type LlmPlatform, PlatformFailed } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import type { AnswerSubject } from "@sightline/store/AnswerKey"
import { modelFor, type Offering, scopeOf } from "./Subjects.ts"

/** The question for one platform, or why it cannot be asked. */
export type AskSubject = Result.Result<AnswerSubject, PlatformFailed>

const blocked = (platform: LlmPlatform) =>
  new PlatformFailed({
    platform,
    code: "provider_auth_failed",
    message: "The model is not available. GET /v1/models lists those that are."
  })

/**
 * The questions of an ask, one per platform, in its order.
 *
 * Shape: a model without web search is asked without it. An unavailable model fails only its own slot.
 * Laws: private questions of two accounts never share an answer.
 */
export const askSubjectsOf = Effect.fnUntraced(function* (offering: Offering, wallet: Wallet, ask: Ask) {
  const now = yield* DateTime.now
  const { accountId, environment } = wallet
  const shared = scopeOf(offering, environment)
  const scope = ask.scope === "private" ? `${shared} of ${accountId}` : shared
  return ask.platforms.map((platform): AskSubject => {
    const model = modelFor(offering.models, platform, ask.models[platform], now)
    if (Result.isFailure(model)) return Result.fail(blocked(platform))
    const { id, webSearch } = model.success
    const question: Question = {
      turns: ask.turns,
      ...(ask.system === undefined ? {} : { system: ask.system }),
      model: id,
      ...(ask.country === undefined ? {} : { country: ask.country }),
      webSearch: ask.webSearch && webSearch,
      ...(ask.temperature === undefined ? {} : { temperature: ask.temperature }),
      ...(ask.maxTokens === undefined ? {} : { maxTokens: ask.maxTokens })
    }
    return Result.succeed({ platform, environment, question, scope })
  })
})
