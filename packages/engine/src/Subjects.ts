import { DateTime, Effect, Result } from "effect"
import type { Question } from "@sightline/domain/Answer"
import { type Check, ModelUnavailable } from "@sightline/domain/Check"
import { defaultModel, findModel, type Model, type ModelTable } from "@sightline/domain/Model"
import { type Environment, isLlm, type LiveSurface, LlmPlatform, type Platform } from "@sightline/domain/Platform"
import { countryOf } from "@sightline/domain/Region"
import type { AnswerSubject } from "@sightline/store/AnswerKey"

/** What can be asked: the available models and live surfaces, and the seed of the sandbox. */
export interface Offering {
  readonly models: ModelTable
  readonly surfaces: Readonly<Record<Environment, ReadonlySet<LiveSurface>>>
  readonly sandboxSeed: number
}

/** Whether a platform can be asked: an LLM always, a live surface if a capture is configured for it. */
export const isOffered = ({ surfaces }: Offering, environment: Environment, platform: Platform): boolean =>
  isLlm(platform) || surfaces[environment].has(platform)

/**
 * The model that a platform is asked by: the caller's override, or the default.
 *
 * Errors: `ModelUnavailable` for an override that the table does not offer today.
 */
export const modelFor = (
  models: ModelTable,
  platform: LlmPlatform,
  override: string | undefined,
  now: DateTime.Utc
): Result.Result<Model, ModelUnavailable> =>
  override === undefined
    ? Result.succeed(defaultModel(models, platform))
    : Result.fromOption(
        findModel(models, platform, override, DateTime.formatIsoDateUtc(now)),
        () => new ModelUnavailable({ platform, model: override })
      )

/** The scope in which answers are shared: live answers among all accounts, sandbox answers among calls with the same seed. */
export const scopeOf = ({ sandboxSeed }: Offering, environment: Environment): string =>
  environment === "test" ? `seed ${sandboxSeed}` : "shared"

/** The parts of a check that determine its questions. `models` holds the caller's overrides. */
export type QuestionParts = Pick<Check, "query" | "platforms" | "region" | "city" | "models">

/**
 * The questions of a call, one per platform.
 *
 * Shape: a model without web search is asked without it; a live surface has neither model nor city.
 * Errors: `ModelUnavailable` for an override that the table does not offer today, even for a platform that is not asked.
 */
export const subjectsOf = (
  offering: Offering,
  environment: Environment,
  check: QuestionParts
): Effect.Effect<ReadonlyArray<AnswerSubject>, ModelUnavailable> =>
  Effect.flatMap(DateTime.now, (now) => {
    const scope = scopeOf(offering, environment)
    const chosen = (platform: LlmPlatform) => modelFor(offering.models, platform, check.models[platform], now)
    const askedBy = (platform: Platform): Result.Result<Pick<Model, "id" | "webSearch">, ModelUnavailable> =>
      isLlm(platform) ? chosen(platform) : Result.succeed({ id: "", webSearch: true })
    const subjectOf = (platform: Platform) =>
      Result.map(askedBy(platform), ({ id, webSearch }): AnswerSubject => {
        const base: Question = {
          turns: [{ role: "user", content: check.query }],
          model: id,
          country: countryOf(check.region),
          webSearch
        }
        const isPlaced = check.city !== undefined && isLlm(platform)
        return { platform, environment, question: isPlaced ? { ...base, city: check.city } : base, scope }
      })
    const named = LlmPlatform.literals.filter((platform) => check.models[platform] !== undefined)
    const offered = Result.all(named.map(chosen))
    return Effect.fromResult(Result.andThen(offered, Result.all(check.platforms.map(subjectOf))))
  })
