import { Schema } from "effect"
import { hash } from "node:crypto"
import type { Question } from "@sightline/domain/Answer"
import type { Environment, Platform } from "@sightline/domain/Platform"

/** The cache key of an answer: 64 hex digits. */
export const AnswerKey = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("AnswerKey"))
export type AnswerKey = typeof AnswerKey.Type

/** Everything that decides which answer is the right one. `scope` is `shared`, or names the only party that may be served the answer. */
export interface AnswerSubject {
  readonly environment: Environment
  readonly platform: Platform
  readonly question: Question
  readonly scope: string
}

type Field = string | number | boolean | undefined | ReadonlyArray<Field>

/** A self-delimiting text: no value can imitate the boundary between two fields, and absent is not empty. */
const delimited = (field: Field): string => {
  if (field === undefined) return "-"
  if (Array.isArray(field)) return `[${field.length}:${field.map(delimited).join("")}`
  const text = String(field)
  return `${text.length}:${text}`
}

/** A text in normal form: Unicode NFC, without blanks around it. */
export const words = (text: string | undefined): string | undefined => text?.normalize("NFC").trim()

/**
 * The cache key of one platform's answer to one question.
 *
 * Laws: two subjects share a key exactly when every field that the platform uses is equal: the city counts for
 * ChatGPT and Claude only, the country for all but Gemini. No brand is in it, so other brands are served the same answer.
 * Source: decisions C3; contract, `region` and `city`.
 */
export const answerKey = ({ environment, platform, question, scope }: AnswerSubject): AnswerKey => {
  const usesCity = platform === "chatgpt_api" || platform === "claude_api"
  const text = delimited([
    environment,
    platform,
    question.model,
    question.turns.map(({ role, content }) => [role, words(content)]),
    words(question.system),
    platform === "gemini_api" ? undefined : question.country?.toUpperCase(),
    usesCity ? words(question.city) : undefined,
    question.webSearch,
    question.temperature,
    question.maxTokens,
    scope
  ])
  return AnswerKey.make(hash("sha256", Buffer.from(text, "utf16le"), "hex"))
}
