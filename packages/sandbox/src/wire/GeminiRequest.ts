import { Schema } from "effect"

const taken = Schema.optionalKey(Schema.Unknown)
const Content = Schema.Struct({
  role: Schema.optionalKey(Schema.Literals(["user", "model"])),
  parts: Schema.NonEmptyArray(Schema.Struct({ text: Schema.String }))
})

/** The fields of `models.generateContent`. As at the vendor, the temperature is checked for its range and then ignored. */
export const GeminiRequest = Schema.Struct({
  contents: Schema.NonEmptyArray(Content),
  systemInstruction: Schema.optionalKey(Content),
  tools: Schema.optionalKey(Schema.Array(Schema.Struct({ googleSearch: Schema.optionalKey(Schema.Struct({})) }))),
  generationConfig: Schema.optionalKey(
    Schema.Struct({
      maxOutputTokens: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
      temperature: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
      topP: taken,
      topK: taken,
      seed: taken,
      stopSequences: taken,
      candidateCount: taken,
      responseMimeType: taken,
      thinkingConfig: Schema.optionalKey(
        Schema.Struct({
          thinkingLevel: Schema.optionalKey(Schema.String),
          thinkingBudget: Schema.optionalKey(Schema.Int),
          includeThoughts: Schema.optionalKey(Schema.Boolean)
        })
      )
    })
  ),
  safetySettings: taken,
  toolConfig: taken,
  cachedContent: taken
})
export type GeminiRequest = typeof GeminiRequest.Type

/** The text of all user turns. A turn without a role is the user's. */
export const questionOf = ({ contents }: GeminiRequest): string =>
  contents.flatMap(({ role, parts }) => (role === "model" ? [] : parts.map(({ text }) => text))).join("\n")

/** Whether the model may search. Here a search can be offered, but never forced. */
export const searchOf = ({ tools = [] }: GeminiRequest) =>
  tools.some(({ googleSearch }) => googleSearch !== undefined) ? ("offered" as const) : ("off" as const)
