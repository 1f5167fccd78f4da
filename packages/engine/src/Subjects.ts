import { DateTime, Effect, Option } from "effect"
import type { Question } from "@sightline/domain/Answer"
import { type Check, ModelUnavailable } from "@sightline/domain/Check"
import { defaultModel, findModel, type ModelTable } from "@sightline/domain/Model"
import { type Environment, type LiveSurface, LlmPlatform, type Platform } from "@sightline/domain/Platform"
import { countryOf } from "@sightline/domain/Region"
import type { AnswerSubject } from "@sightline/store/AnswerKey"

/** What can be asked: the models and live surfaces on offer, and which of its worlds the sandbox plays. */
export interface Offering {
  readonly models: ModelTable
  readonly surfaces: Readonly<Record<Environment, ReadonlySet<LiveSurface>>>
  readonly sandboxSeed: number
}

const isLlm = (platform: Platform): platform is LlmPlatform => LlmPlatform.literals.some((name) => name === platform)

/** Whether a platform can be asked at all: an LLM always, a live surface where a capture is configured for it. */
export const isOffered = ({ surfaces }: Offering, environment: Environment, platform: Platform): boolean =>
  isLlm(platform) || surfaces[environment].has(platform)

const modelFor = (models: ModelTable, platform: Platform, check: Posed, today: string) => {
  if (!isLlm(platform)) return Effect.succeed({ id: "", webSearch: true })
  const override = check.models[platform]
  if (override === undefined) return Effect.succeed(defaultModel(models, platform))
  return Option.match(findModel(models, platform, override, today), {
    onNone: () => Effect.fail(new ModelUnavailable({ platform, model: override })),
    onSome: Effect.succeed
  })
}

/** Among whom answers are shared: all accounts, and those of the sandbox among calls of one seed. */
export const scopeOf = ({ sandboxSeed }: Offering, environment: Environment): string =>
  environment === "test" ? `seed ${sandboxSeed}` : "shared"

/** What a question is made of. `models` holds the caller's overrides. */
export type Posed = Pick<Check, "query" | "platforms" | "region" | "city" | "models">

const subjectOf = Effect.fnUntraced(function* (
  offering: Offering,
  environment: Environment,
  check: Posed,
  platform: Platform,
  today: string
) {
  const model = yield* modelFor(offering.models, platform, check, today)
  const question: Question = {
    turns: [{ role: "user", content: check.query }],
    model: model.id,
    country: countryOf(check.region),
    webSearch: model.webSearch,
    ...(check.city === undefined || !isLlm(platform) ? {} : { city: check.city })
  }
  return { platform, environment, question, scope: scopeOf(offering, environment) } satisfies AnswerSubject
})

/**
 * The questions of a call, one per platform.
 *
 * Shape: a model without web search is asked without it; a live surface has neither model nor city.
 * Errors: `ModelUnavailable` for an override that the table does not offer today, also of a provider left out.
 */
export const subjectsOf = Effect.fnUntraced(function* (offering: Offering, environment: Environment, check: Posed) {
  const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
  const named = LlmPlatform.literals.filter((platform) => check.models[platform] !== undefined)
  yield* Effect.forEach(named, (platform) => modelFor(offering.models, platform, check, today), { discard: true })
  return yield* Effect.forEach(check.platforms, (platform) => subjectOf(offering, environment, check, platform, today))
})
