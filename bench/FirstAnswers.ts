/**
 * The process whose first answers `Brand.bench.ts` times. It reports the longest turn of its warm-up, then that of the labelled
 * answers, each read once, then that of an answer of 1 MB. Units: milliseconds.
 */
import { findBrand } from "@sightline/domain/Brand"
import { sentimentOf } from "@sightline/domain/Sentiment"
import { sampleAnswers, sampleBrand } from "@sightline/engine/WarmUp"
import { answerOf, longBrand, written } from "./Brand.bench.ts"
import { labelledSet } from "./Scores.ts"

/** The message of the process to its parent. */
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

/** The durations of the two turns of an answer: finding the brand, and the sentiment of the sentence around it. */
const turnsOf = (text: string, brand: string): ReadonlyArray<number> => {
  let span: readonly [number, number] | null = null
  const found = timed(() => {
    span = findBrand({ text, brandEntities: [] }, brand).span
  })
  return [found, timed(() => span && sentimentOf(text, span))]
}

const longest = (turns: ReadonlyArray<ReadonlyArray<number>>): number => Math.max(...turns.flat())

const figures: FirstAnswers = {
  warmUp: longest(sampleAnswers.map((text) => turnsOf(text, sampleBrand))),
  labelled: longest(labelledSet().map(({ text, brand }) => turnsOf(text, brand))),
  megabyte: longest([turnsOf(written(answerOf(longBrand, 1_000_000), true), longBrand)])
}
process.send?.(figures)
