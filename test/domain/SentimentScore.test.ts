/**
 * The scores of the sentiment of mentions on its labelled sets, against the floors of `docs/sentiment.md`.
 *
 * Planted faults, each seen red here: every mention neutral; the lexicon without the table beside it.
 */
import { assert, describe, it } from "vitest"
import { fallen, floors } from "../../bench/Scores.ts"
import { labelledSentiments, sentimentScores, sentimentSets } from "../../bench/SentimentScores.ts"

describe.each(sentimentSets)("the %s set", (split) => {
  const scores = sentimentScores(`sentiment.${split}`, labelledSentiments(split))

  it("keeps its scores at or above their floors", () => {
    assert.deepStrictEqual(fallen(scores), [])
  })

  it("has a floor for each of its scores but the lexicon's, which stands beside them", () => {
    const without = scores.filter(({ name }) => !floors().has(name)).map(({ name }) => name)
    assert.deepStrictEqual(without, [`sentiment.${split}.lexicon`])
  })
})

it.each(["", "spoken.", "elsewhere."] as const)(
  "holds out 60 answers or more of at least 160, of which none is among the others: %stuned",
  (place) => {
    const [tuned, held] = [labelledSentiments(`${place}tuned`), labelledSentiments(`${place}held`)]
    assert.isAtLeast(tuned.length + held.length, 160)
    assert.isAtLeast(held.length, 60)
    const known = new Set(tuned.map(({ text }) => text))
    assert.isEmpty(held.filter(({ text }) => known.has(text)))
  }
)
