import { negatorAt } from "./CueNegator.ts"
import type { Word } from "./SentimentWords.ts"

/** A stretch of words, with the mark that ends it: empty where a conjunction or the sentence does. */
export interface Part {
  readonly words: ReadonlyArray<Word>
  readonly end: string
}

const marks = new Set([",", "(", ")", "–", "—", "-"])
const longestAside = 6
// What only strengthens a denial before its predicate: "not in any way", "not at all".
const emphases = /^(?:(?:in|by) any \S+|at all|in the (?:least|slightest))?$/
const longestEmphasis = 3

/** Whether a part ends in a denial of what is still to come; one word at least stands before the denial. */
const isLeftOpen = ({ words, end }: Part): boolean => {
  if (!marks.has(end)) return false
  const plain = words.slice(-(longestEmphasis + 2)).map(({ kind, word }) => (kind === "word" ? word : ""))
  const at = plain.findLastIndex((word, index) => word !== "" && negatorAt(plain, index)?.kind === "flips")
  return at > 0 && emphases.test(plain.slice(at + 1).join(" "))
}

/** Whether a part says nothing by itself, as an aside and the predicate after it do. */
const isLoose = ({ words }: Part, isWhole: (words: ReadonlyArray<Word>) => boolean): boolean =>
  words[0]?.kind === "word" && !isWhole(words)

/**
 * The parts of a sentence with those put together that an aside stands between: "is not, by any measure, reliable". The aside follows
 * what it stood in. `isWhole` tells a part that stands by itself.
 */
export const asidesAside = (
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
