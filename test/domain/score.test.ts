/**
 * The scores of the brand detector on its labelled answers and sentences, against the floors of `docs/detector.md`.
 *
 * Planted faults, each seen red here: no brand is mentioned; the rank is always 1; no sentence is a denial; contrasts do not split a
 * sentence; the sentence after a question is not read; only English is read.
 */
import { assert, describe, it } from "vitest"
import { answerForms, answerScores, answerSets, rankedAnswers } from "../../bench/AnswerScores.ts"
import { denialScores, denyingAnswers } from "../../bench/DenialScores.ts"
import { clauseScores, fallen, floors, labelledClauses, labelledSet, scoresOf } from "../../bench/Scores.ts"

const splits = ["tune", "held"] as const

describe.each([
  ...splits.map((split) => ({
    name: `labelled.${split}`,
    scores: () =>
      scoresOf(
        `labelled.${split}`,
        labelledSet().filter((labelled) => labelled.split === split)
      ),
    least: 90
  })),
  ...([...splits, "plain"] as const).map((split) => ({
    name: `clauses.${split}`,
    scores: () =>
      clauseScores(
        `clauses.${split}`,
        labelledClauses().filter((clause) => clause.split === split)
      ),
    least: 50
  })),
  ...answerForms.flatMap((form) =>
    answerSets.map((split) => ({
      name: `${form}.${split}`,
      scores: () => answerScores(`${form}.${split}`, rankedAnswers(form, split)),
      least: form === "prose" ? 35 : 80
    }))
  ),
  ...answerSets.map((split) => ({
    name: `denials.${split}`,
    scores: () => denialScores(`denials.${split}`, denyingAnswers(split)),
    least: 50
  }))
])("$name", ({ scores, least }) => {
  it("keeps its scores at or above their floors", () => {
    assert.deepStrictEqual(fallen(scores()), [])
  })

  it("has a floor for each of its scores", () => {
    for (const { name } of scores()) assert.isAbove(floors().get(name) ?? 0, least, name)
  })
})

it("holds out a third of at least 150 answers, each with its reason", () => {
  const cases = labelledSet()
  assert.isAtLeast(cases.length, 150)
  assert.isAtLeast(3 * cases.filter(({ split }) => split === "held").length, cases.length - 2)
  assert.isEmpty(cases.filter(({ why, mentioned, rank }) => why === "" || mentioned === (rank === null)))
})
