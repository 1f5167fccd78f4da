/**
 * The process whose first answers `Brand.bench.ts` times: it says what its warm-up takes at a time, and what afterwards each of the
 * labelled answers takes once, and one of 1 MB; in milliseconds, the longest of each.
 */
import { findBrand } from "@sightline/domain/Brand"
import { sentimentOf } from "@sightline/domain/Sentiment"
import { firstAnswers, firstBrand } from "@sightline/engine/WarmUp"
import { answerOf, longBrand, written } from "./Brand.bench.ts"
import { labelledSet } from "./Scores.ts"

/** What the process tells its parent. */
export interface FirstAnswers {
  readonly warmUp: number
  readonly labelled: number
  readonly megabyte: number
}

const timed = (work: () => void): number => {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

/** What an answer takes at a time: its brand found, and the sentence around it judged. */
const turnsOf = (text: string, brand: string): ReadonlyArray<number> => {
  let span: readonly [number, number] | null = null
  const found = timed(() => {
    span = findBrand({ text, brandEntities: [] }, brand).span
  })
  return [found, timed(() => span && sentimentOf(text, span))]
}

const longest = (turns: ReadonlyArray<ReadonlyArray<number>>): number => Math.max(...turns.flat())

const figures: FirstAnswers = {
  warmUp: longest(firstAnswers.map((text) => turnsOf(text, firstBrand))),
  labelled: longest(labelledSet().map(({ text, brand }) => turnsOf(text, brand))),
  megabyte: longest([turnsOf(written(answerOf(longBrand, 1_000_000), true), longBrand)])
}
process.send?.(figures)
