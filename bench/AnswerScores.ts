import { join } from "node:path"
import { findBrand } from "@sightline/domain/Brand"
import { Schema } from "effect"
import { jsonLines, type Score, score } from "./Scores.ts"

const folder = join(import.meta.dirname, "../test/fixtures/detector")

const Ranked = Schema.Struct({
  query: Schema.String,
  ranks: Schema.Record(Schema.String, Schema.Int),
  absent: Schema.Array(Schema.String),
  why: Schema.String,
  text: Schema.String
})

/** A whole answer with the ranks of its brands, and brands that it does not name. */
export type RankedAnswer = typeof Ranked.Type

/** The set that the rules may be tuned on, and the set that is held out and only scored. */
export const answerSets = ["tuned", "held"] as const

/** The forms of whole answers: formatted as engines do, and almost all prose. */
export const answerForms = ["answers", "prose"] as const

/** The labelled answers of a form and a set. */
export const rankedAnswers = (
  form: (typeof answerForms)[number],
  split: (typeof answerSets)[number]
): ReadonlyArray<RankedAnswer> => jsonLines(join(folder, `${form}.${split}.jsonl`), Ranked)

/** The rank found for each brand of an answer, and which of the absent brands are found. */
const judged = ({ text, ranks, absent }: RankedAnswer) => {
  const found = (brand: string) => findBrand({ text, brandEntities: [] }, brand)
  return {
    ranks: Object.entries(ranks).map(([brand, rank]) => ({ brand, rank, found: found(brand).rank })),
    absent: absent.map((brand) => ({ brand, isMentioned: found(brand).mentioned }))
  }
}

/** What is wrong with the brands of an answer; empty when nothing is. */
export const misranked = (answer: RankedAnswer): ReadonlyArray<string> => {
  const { ranks, absent } = judged(answer)
  return [
    ...ranks
      .filter(({ rank, found }) => rank !== found)
      .map(({ brand, rank, found }) => `${brand} ${found} for ${rank}`),
    ...absent.filter(({ isMentioned }) => isMentioned).map(({ brand }) => `${brand} is not there`)
  ]
}

/** The shares of brands with the right rank, of answers with the right ranks for all brands, and of absent brands that are not found. */
export const answerScores = (prefix: string, answers: ReadonlyArray<RankedAnswer>): ReadonlyArray<Score> => {
  const all = answers.map(judged)
  const isRight = ({ rank, found }: { readonly rank: number; readonly found: number | null }) => rank === found
  return [
    score(
      `${prefix}.rank`,
      all.flatMap(({ ranks }) => ranks.map(isRight))
    ),
    score(
      `${prefix}.whole`,
      all.map(({ ranks }) => ranks.every(isRight))
    ),
    score(
      `${prefix}.absent`,
      all.flatMap(({ absent }) => absent.map(({ isMentioned }) => !isMentioned))
    )
  ]
}
