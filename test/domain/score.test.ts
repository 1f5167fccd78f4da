/**
 * The scores of the brand detector on its labelled answers and sentences, against the floors of `docs/detector.md`.
 *
 * Planted faults, each seen red here: every brand not mentioned; rank always 1; no sentence disclaims anything; contrasts do
 * not set the parts of a sentence apart; the sentence after a question not read; English only.
 */
import { assert, describe, it } from "vitest"
import { clauseScores, fallen, floors, labelledClauses, labelledSet, scoresOf } from "../../bench/Scores.ts"

describe.each(["tune", "held"] as const)("the %s split", (split) => {
  const cases = labelledSet().filter((labelled) => labelled.split === split)
  const clauses = labelledClauses().filter((clause) => clause.split === split)

  it("keeps its scores at or above their floors", () => {
    assert.deepStrictEqual(fallen(scoresOf(`labelled.${split}`, cases)), [])
    assert.deepStrictEqual(fallen(clauseScores(`clauses.${split}`, clauses)), [])
  })

  it("has a floor for each of its scores", () => {
    for (const { name } of scoresOf(`labelled.${split}`, cases)) assert.isAbove(floors().get(name) ?? 0, 90, name)
    for (const { name } of clauseScores(`clauses.${split}`, clauses)) assert.isAbove(floors().get(name) ?? 0, 50, name)
  })
})

it("holds out a third of at least 150 answers, each with its reason", () => {
  const cases = labelledSet()
  assert.isAtLeast(cases.length, 150)
  assert.isAtLeast(3 * cases.filter(({ split }) => split === "held").length, cases.length - 2)
  assert.isEmpty(cases.filter(({ why, mentioned, rank }) => why === "" || mentioned === (rank === null)))
})
