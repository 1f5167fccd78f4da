import { type Negator, negatorAfter, negatorAt, negatorInForce } from "./CueNegator.ts"
import type { Part } from "./SentimentAside.ts"
import type { Word } from "./SentimentWords.ts"

// The most words that an item of a series has.
const longestItem = 3
const ors = new Set(["or", "nor"])

const plainOf = (words: ReadonlyArray<Word>): ReadonlyArray<string> =>
  words.map(({ kind, word }) => (kind === "word" ? word : ""))

/** Whether the scope of a negation in a part may continue in the next one. */
const isDenying = ({ words, end }: Part): boolean => {
  if (end !== ",") return false
  const plain = plainOf(words)
  let negator: Negator | undefined
  for (let at = 0; at < plain.length; at++) {
    negator = negatorInForce(negator, plain, at)
    const next = negatorAt(plain, at)
    if (next !== undefined) negator = negatorAfter(negator, next, plain)
  }
  return negator !== undefined && negator.from < plain.length - 1
}

/** How many of the parts from `at` on are items of one series, including the one with "or"; 0 where there is no such series. */
const itemsAt = (parts: ReadonlyArray<Part>, at: number, isWhole: (words: ReadonlyArray<Word>) => boolean): number => {
  for (let end = at; end < parts.length; end++) {
    const part = parts[end]
    if (part === undefined) return 0
    const plain = plainOf(part.words)
    const or = plain.findIndex((word) => ors.has(word))
    const item = or < 0 ? part.words : part.words.slice(0, or)
    const isItem =
      item.length <= longestItem &&
      item.every(({ kind }) => kind === "word") &&
      (item.length === 0 || !isWhole(item)) &&
      plain.every((_, place) => negatorAt(plain, place) === undefined)
    if (!isItem) return 0
    if (or >= 0) return plain[or + 1] === "" ? 0 : end + 1 - at
    if (part.end !== ",") return 0
  }
  return 0
}

/**
 * The parts of a sentence, with the parts of a series under one negation joined: "not cheap, reliable or fast". The joined part keeps the
 * commas. `isWhole` says whether a part is a complete clause.
 */
export const seriesJoined = (
  parts: ReadonlyArray<Part>,
  isWhole: (words: ReadonlyArray<Word>) => boolean
): ReadonlyArray<Part> => {
  const found: Array<Part> = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part === undefined) continue
    const items = isDenying(part) ? parts.slice(at + 1, at + 1 + itemsAt(parts, at + 1, isWhole)) : []
    const words = items.flatMap((item) => {
      const from = item.words[0]?.from ?? 0
      return [{ kind: "mark", word: ",", told: ",", from, to: from } as const, ...item.words]
    })
    found.push({ words: [...part.words, ...words], end: items.at(-1)?.end ?? part.end })
    at += items.length
  }
  return found
}
