import { negatorAt } from "./CueNegator.ts"
import type { Word } from "./SentimentWords.ts"

/** A part of a sentence, with the mark that ends it. `end` is empty where a conjunction follows or the sentence ends. */
export interface Part {
  readonly words: ReadonlyArray<Word>
  readonly end: string
}

const marks = new Set([",", "(", ")", "–", "—", "-"])
const longestAside = 6
// Words between a negation and its predicate that only strengthen it: "not in any way", "not at all".
const emphases = /^(?:(?:in|by) any \S+|at all|in the (?:least|slightest))?$/
const longestEmphasis = 3

/** Whether a part ends in a negation whose predicate is still to come; at least one word stands before the negation. */
const isLeftOpen = ({ words, end }: Part): boolean => {
  if (!marks.has(end)) return false
  const plain = words.slice(-(longestEmphasis + 2)).map(({ kind, word }) => (kind === "word" ? word : ""))
  const at = plain.findLastIndex((word, index) => word !== "" && negatorAt(plain, index)?.kind === "flips")
  return at > 0 && emphases.test(plain.slice(at + 1).join(" "))
}

/** Whether a part is no complete clause, as neither an aside nor the predicate after it is. */
const isLoose = ({ words }: Part, isWhole: (words: ReadonlyArray<Word>) => boolean): boolean =>
  words[0]?.kind === "word" && !isWhole(words)

/**
 * The parts of a sentence, with a clause that an aside interrupts put together again: "is not, by any measure, reliable". The aside follows
 * the clause that it interrupts. `isWhole` says whether a part is a complete clause.
 */
export const rejoinAroundAsides = (
  parts: ReadonlyArray<Part>,
  isWhole: (words: ReadonlyArray<Word>) => boolean
): ReadonlyArray<ReadonlyArray<Word>> => {
  const found: Array<ReadonlyArray<Word>> = []
  for (let at = 0; at < parts.length; at++) {
    const [part, aside, rest] = [parts[at], parts[at + 1], parts[at + 2]]
    if (part === undefined) continue
    const isParted =
      aside !== undefined &&
      rest !== undefined &&
      isLeftOpen(part) &&
      marks.has(aside.end) &&
      aside.words.length <= longestAside &&
      isLoose(aside, isWhole) &&
      isLoose(rest, isWhole)
    if (isParted) found.push([...part.words, ...rest.words], aside.words)
    else found.push(part.words)
    if (isParted) at += 2
  }
  return found
}
