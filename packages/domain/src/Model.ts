import { Option, Schema } from "effect"
import { LlmPlatform } from "./Platform.ts"

/**
 * One model that a customer may ask for, with what its vendor lets it do.
 *
 * Shape: `reasoning` is the vendor's name for the lowest level of reasoning that is worthwhile, absent where nothing is to be sent;
 * `reasoningWithTemperature` replaces it where the model takes a temperature only with reasoning switched off.
 * Units: `expiresAt` is the first day, UTC, on which the vendor no longer serves the id.
 */
export const Model = Schema.Struct({
  id: Schema.String.check(Schema.isBetweenCodePoints(1, 80)),
  platform: LlmPlatform,
  default: Schema.Boolean,
  webSearch: Schema.Boolean,
  forcedSearch: Schema.Boolean,
  temperature: Schema.Boolean,
  reasoning: Schema.optionalKey(Schema.String),
  reasoningWithTemperature: Schema.optionalKey(Schema.String),
  expiresAt: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)))
})
export type Model = typeof Model.Type

const faultOf = (models: ReadonlyArray<Model>, platform: LlmPlatform): string | undefined => {
  const own = models.filter((model) => model.platform === platform)
  const defaults = own.filter((model) => model.default)
  if (defaults.length !== 1) return `${platform} needs exactly one default model, not ${defaults.length}`
  if (defaults[0]?.expiresAt !== undefined) return `the default model of ${platform} may not expire`
  return new Set(own.map((model) => model.id)).size === own.length ? undefined : `${platform} lists a model twice`
}

const faultsOf = (models: ReadonlyArray<Model>): ReadonlyArray<string> =>
  LlmPlatform.literals.map((platform) => faultOf(models, platform)).filter((fault) => fault !== undefined)

/**
 * Every model that can be asked.
 *
 * Laws: each platform has exactly one default and it never expires; ids are unique within a platform.
 */
export const ModelTable = Schema.Array(Model).check(Schema.makeFilter(faultsOf)).pipe(Schema.brand("ModelTable"))
export type ModelTable = typeof ModelTable.Type

/** The models of `platform` that have not expired by `today` ("YYYY-MM-DD", UTC). */
export const modelsOf = (table: ModelTable, platform: LlmPlatform, today: string): ReadonlyArray<Model> =>
  table.filter((model) => model.platform === platform && (model.expiresAt === undefined || today < model.expiresAt))

/** The model `id` of `platform`, unless it is unknown or has expired by `today`. */
export const findModel = (table: ModelTable, platform: LlmPlatform, id: string, today: string): Option.Option<Model> =>
  Option.fromUndefinedOr(modelsOf(table, platform, today).find((model) => model.id === id))

/** The model asked when the customer names none. */
export const defaultModel = (table: ModelTable, platform: LlmPlatform): Model => {
  const found = table.find((model) => model.platform === platform && model.default)
  if (found === undefined) throw new Error(`The model table has no default for ${platform}`)
  return found
}
type Traits = Omit<Model, "id" | "platform" | "default">

const models = (platform: LlmPlatform, traits: Traits, ids: ReadonlyArray<string>): ReadonlyArray<Model> =>
  ids.map((id) => ({ id, platform, default: false, ...traits }))

const byDefault = (platform: LlmPlatform, traits: Traits, id: string): Model => ({
  id,
  platform,
  default: true,
  ...traits
})

const searching = { webSearch: true, forcedSearch: true, temperature: false }

const gptReasoning = { ...searching, reasoning: "low" }
const gptSwitchable = { ...gptReasoning, temperature: true, reasoningWithTemperature: "none" }
const gptPlain = { ...searching, temperature: true, expiresAt: "2027-01-14" }

const claudeUnforced = { ...searching, forcedSearch: false }
const claudeSampling = { ...searching, temperature: true }

const gemini = { webSearch: true, forcedSearch: false, temperature: true }
const geminiThinking = { ...gemini, reasoning: "low" }
// The fourth generation ignores a temperature, which is not the same as taking it.
const geminiFixed = { ...geminiThinking, temperature: false }

/**
 * The models offered unless the operator supplies a table of their own.
 *
 * Source: the vendors' model lists and retirement dates as of November 2026.
 */
export const shippedModels: ModelTable = ModelTable.make([
  byDefault("chatgpt_api", gptReasoning, "gpt-6.1-sol"),
  ...models("chatgpt_api", gptReasoning, ["gpt-6-astra", "gpt-6.1-terra", "gpt-6-sol", "gpt-6-luna"]),
  ...models("chatgpt_api", gptSwitchable, ["gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5", "gpt-5.4"]),
  ...models("chatgpt_api", gptSwitchable, ["gpt-5.4-mini", "gpt-5.2"]),
  // The pro variant reasons at length or not at all: nothing is sent, so that the vendor's default applies.
  ...models("chatgpt_api", { ...searching, temperature: true, reasoningWithTemperature: "none" }, ["gpt-5.2-pro"]),
  ...models("chatgpt_api", { ...gptSwitchable, expiresAt: "2027-04-01" }, ["gpt-5.1"]),
  ...models("chatgpt_api", { ...gptSwitchable, webSearch: false, forcedSearch: false, expiresAt: "2027-04-01" }, [
    "gpt-5.4-nano"
  ]),
  ...models("chatgpt_api", { ...gptReasoning, expiresAt: "2026-12-11" }, ["gpt-5", "gpt-5-mini", "gpt-5-nano", "o3"]),
  ...models("chatgpt_api", gptPlain, ["gpt-4.1", "gpt-4.1-mini", "gpt-4o", "gpt-4o-mini"]),

  byDefault("claude_api", { ...claudeUnforced, reasoning: "between_tools" }, "claude-sonnet-5-5"),
  ...models("claude_api", claudeUnforced, [
    "claude-opus-5-5",
    "claude-fable-5-2",
    "claude-fable-5-1",
    "claude-fable-5"
  ]),
  ...models("claude_api", searching, ["claude-haiku-5-5", "claude-sonnet-5", "claude-opus-5"]),
  ...models("claude_api", searching, ["claude-opus-4-8", "claude-opus-4-7"]),
  ...models("claude_api", claudeSampling, ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5"]),
  ...models("claude_api", claudeSampling, ["claude-haiku-4-5-20251001", "claude-opus-4-5", "claude-opus-4-5-20251101"]),
  ...models("claude_api", { ...claudeSampling, expiresAt: "2026-11-30" }, [
    "claude-sonnet-4-5",
    "claude-sonnet-4-5-20250929"
  ]),

  byDefault("gemini_api", geminiThinking, "gemini-3.8-flash"),
  ...models("gemini_api", geminiFixed, ["gemini-4-argon", "gemini-4-carbon", "gemini-pro-latest"]),
  ...models("gemini_api", geminiThinking, ["gemini-3.7-flash", "gemini-3.6-flash", "gemini-3.5-flash"]),
  ...models("gemini_api", geminiThinking, ["gemini-3.5-flash-lite", "gemini-3.1-pro-preview", "gemini-3.1-flash-lite"]),
  ...models("gemini_api", geminiThinking, ["gemini-flash-latest", "gemini-flash-lite-latest"]),
  ...models("gemini_api", gemini, ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"]),

  byDefault("perplexity_api", { ...searching, temperature: true }, "perplexity/sonar")
])
