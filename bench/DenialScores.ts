import { join } from "node:path"
import { findBrand } from "@sightline/domain/Brand"
import { Schema } from "effect"
import { jsonLines, type Score, score } from "./Scores.ts"

const folder = join(import.meta.dirname, "../test/fixtures/detector")

const Denying = Schema.Struct({
  query: Schema.String,
  denied: Schema.Array(Schema.String),
  named: Schema.Array(Schema.String),
  why: Schema.String,
  text: Schema.String
})

/** An answer with the brands that it says it does not know, and the brands that it names. */
export type DenyingAnswer = typeof Denying.Type

/** The labelled answers of a set. */
export const denyingAnswers = (split: "tuned" | "held"): ReadonlyArray<DenyingAnswer> =>
  jsonLines(join(folder, `denials.${split}.jsonl`), Denying)

const isMentioned = (text: string, brand: string): boolean => findBrand({ text, brandEntities: [] }, brand).mentioned

/** What is wrong with the brands of an answer; empty when nothing is. */
export const misread = ({ text, denied, named }: DenyingAnswer): ReadonlyArray<string> => [
  ...denied.filter((brand) => isMentioned(text, brand)).map((brand) => `${brand} is denied`),
  ...named.filter((brand) => !isMentioned(text, brand)).map((brand) => `${brand} is named`)
]

/** The shares of unknown brands that do not count as mentions, and of named brands that do. */
export const denialScores = (prefix: string, answers: ReadonlyArray<DenyingAnswer>): ReadonlyArray<Score> => [
  score(
    `${prefix}.denied`,
    answers.flatMap(({ text, denied }) => denied.map((brand) => !isMentioned(text, brand)))
  ),
  score(
    `${prefix}.named`,
    answers.flatMap(({ text, named }) => named.map((brand) => isMentioned(text, brand)))
  )
]
