/**
 * The sentiment scores on the labelled sets, against the floors of `docs/sentiment.md`.
 *
 * Planted faults, each seen red here: every mention is neutral; the lexicon has no score beside the others.
 */
import { assert, describe, it } from "vitest"
import { fallen, floors } from "../../bench/Scores.ts"
import { labelledSentiments, sentimentScores, sentimentSets } from "../../bench/SentimentScores.ts"

describe.each(sentimentSets)("the %s set", (split) => {
  const scores = sentimentScores(`sentiment.${split}`, labelledSentiments(split))

  it("keeps its scores at or above their floors", () => {
    assert.deepStrictEqual(fallen(scores), [])
  })

  it("has a floor for each of its scores except that of the lexicon, which is only for comparison", () => {
    const without = scores.filter(({ name }) => !floors().has(name)).map(({ name }) => name)
    assert.deepStrictEqual(without, [`sentiment.${split}.lexicon`])
  })
})

it.each(["", "spoken.", "elsewhere."] as const)(
  "holds out at least 60 of at least 160 answers, and none of them is in the tuning set: %stuned",
  (place) => {
    const [tuned, held] = [labelledSentiments(`${place}tuned`), labelledSentiments(`${place}held`)]
    assert.isAtLeast(tuned.length + held.length, 160)
    assert.isAtLeast(held.length, 60)
    const known = new Set(tuned.map(({ text }) => text))
    assert.isEmpty(held.filter(({ text }) => known.has(text)))
  }
)
