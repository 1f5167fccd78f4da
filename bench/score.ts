/**
 * How often the brand detector and the sentiment of its mentions are right: on the labelled sets of this project, and
 * on real answers if `SIGHTLINE_BENCH_DATA` names a folder with AI Product Bench's answers. `--verbose` lists the mistakes
 * on the sets that the rules may be tuned on. Exit code 1 if a score falls below its floor in `docs/detector.md` or
 * `docs/sentiment.md`.
 */
import { answerForms, answerScores, answerSets, misranked, rankedAnswers } from "./AnswerScores.ts"
import { denialScores, denyingAnswers, misread } from "./DenialScores.ts"
import { brandsOf, realAnswers, scoresOnReal } from "./RealAnswers.ts"
import {
  clauseScores,
  fallen,
  isUnderstood,
  labelledClauses,
  labelledSet,
  mistakes,
  percent,
  type Score,
  scoresOf
} from "./Scores.ts"
import { labelledSentiments, misjudged, sentimentScores, sentimentSets, sentimentsOnReal } from "./SentimentScores.ts"

const detectorScores = (folder: string | undefined): ReadonlyArray<Score> => {
  const cases = labelledSet()
  const clauses = labelledClauses()
  const splits = ["tune", "held"] as const
  const scores = [
    ...splits.flatMap((split) =>
      scoresOf(
        `labelled.${split}`,
        cases.filter((labelled) => labelled.split === split)
      )
    ),
    ...([...splits, "plain"] as const).flatMap((split) =>
      clauseScores(
        `clauses.${split}`,
        clauses.filter((clause) => clause.split === split)
      )
    ),
    ...answerForms.flatMap((form) =>
      answerSets.flatMap((split) => answerScores(`${form}.${split}`, rankedAnswers(form, split)))
    ),
    ...answerSets.flatMap((split) => denialScores(`denials.${split}`, denyingAnswers(split)))
  ]
  if (folder === undefined) return scores
  const { tune, held } = realAnswers(folder)
  const report = (line: string): void => {
    if (process.argv.includes("--verbose")) console.log(line)
  }
  const everyBrand = [
    ...new Map([...tune, ...held].flatMap(brandsOf).map(({ letters, brand }) => [letters, brand])).values()
  ]
  return [
    ...scores,
    ...scoresOnReal("real.tune", tune, everyBrand, report),
    ...scoresOnReal("real.held", held, everyBrand, () => {})
  ]
}

const everyScore = (folder: string | undefined): ReadonlyArray<Score> => [
  ...detectorScores(folder),
  ...sentimentSets.flatMap((split) => sentimentScores(`sentiment.${split}`, labelledSentiments(split))),
  ...(folder === undefined ? [] : sentimentsOnReal(folder))
]

if (process.argv.includes("--verbose")) {
  for (const line of misjudged(labelledSentiments("tuned"))) console.log(line)
  for (const clause of labelledClauses()) {
    if (clause.split === "tune" && !isUnderstood(clause))
      console.log(`${clause.absent ? "denied" : "named"}: ${clause.text}`)
  }
  for (const answer of answerForms.flatMap((form) => rankedAnswers(form, "tuned"))) {
    const wrong = misranked(answer)
    if (wrong.length > 0) console.log(`${answer.query}: ${wrong.join("; ")} — ${answer.why}`)
  }
  for (const answer of denyingAnswers("tuned")) {
    const wrong = misread(answer)
    if (wrong.length > 0) console.log(`${answer.query}: ${wrong.join("; ")} — ${answer.why}`)
  }
  for (const labelled of labelledSet()) {
    const wrong = mistakes(labelled)
    if (wrong.length > 0 && labelled.split === "tune") {
      console.log(`${labelled.id} (${labelled.brand}): ${wrong.join("; ")} — ${labelled.why}`)
    }
  }
}
const scores = everyScore(process.env["SIGHTLINE_BENCH_DATA"])
for (const one of scores)
  console.log(
    `${one.name.padEnd(36)} ${percent(one).toFixed(2).padStart(6)} %  ${Number(one.right.toFixed(2))}/${one.total}`
  )
const below = fallen(scores)
for (const line of below) console.error(line)
if (below.length > 0) process.exitCode = 1
