/**
 * The process whose first answers `Brand.bench.ts` times: it says what its warm-up takes at a time, and what afterwards each of the
 * labelled answers takes once, and one of 1 MB; in milliseconds, the longest of each.
 */
import { readFileSync } from "node:fs"
import { findBrand } from "@sightline/domain/Brand"
import { sentimentOf } from "@sightline/domain/Sentiment"
import { firstAnswers, firstBrand } from "@sightline/engine/WarmUp"

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

const labelled: ReadonlyArray<{ readonly text: string; readonly brand: string }> = readFileSync(
  new URL("../test/fixtures/detector/labelled.jsonl", import.meta.url),
  "utf8"
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))

const sentence = "**Bolt** – keeps its promises on battery life, and most owners say the app is easy to live with.\n"
const long = "The Greater Northfolk Cooperative Society of Independent Beekeepers, Candlemakers and Honey Merchants"

const figures: FirstAnswers = {
  warmUp: longest(firstAnswers.map((text) => turnsOf(text, firstBrand))),
  labelled: longest(labelled.map(({ text, brand }) => turnsOf(text, brand))),
  megabyte: longest([turnsOf(`${sentence.repeat(1_000_000 / sentence.length)}${long} is the last of them.`, long)])
}
process.send?.(figures)
