import { comparative, cueAt } from "./Cue.ts"
import type { Word } from "./SentimentWords.ts"

/**
 * A comparison of something else with the brand: by the cue before the brand ("cue"), by all that is said ("contrast"), or as equals
 * ("equal").
 */
export interface Measure {
  readonly brand: Word
  readonly kind: "cue" | "contrast" | "equal"
  /** The first and last word of what joins the two. Units: places in the sentence's words. */
  readonly from: number
  readonly to: number
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const between = setOf(
  "the a an its their both or and any other old older standard rival like even nor regular original"
)
const contrasts: ReadonlyArray<ReadonlyArray<string>> = [
  ["unlike"],
  ["compared", "to"],
  ["compared", "with"],
  ["next", "to"],
  ["beside"],
  ["versus"],
  ["relative", "to"],
  ["contrast", "to"],
  ["contrast", "with"],
  ["opposed", "to"]
]
const stands = setOf("alternative alternatives replacement replacements substitute substitutes")
const standReach = 4
// "People like Acme but find it slower" is about Acme.
const ofBrand = /^(?:it|it's|its|they|their)$/
const longestPhrase = 5
const furthest = 8

const ends = (words: ReadonlyArray<Word>, at: number, phrase: ReadonlyArray<string>): boolean =>
  phrase.every((word, index) => words[at - phrase.length + 1 + index]?.word === word)

/** The place of the nearest word before the brand at `at`, leaving out articles and names in a series with it. */
const before = (words: ReadonlyArray<Word>, at: number): number => {
  const isSeries = [words[at - 1]?.word, words[at + 1]?.word].some((word) => word === "and" || word === "or")
  let here = at - 1
  while (here >= 0 && at - here < furthest) {
    const { kind, word } = words[here] ?? { kind: "mark", word: "." }
    const passes = kind === "mark" ? word === "**" || (word === "," && isSeries) : kind !== "word" || between.has(word)
    if (!passes) break
    here--
  }
  return here
}

/** Whether the words after the brand say how something else differs from it: "but cheaper", "yet more reliable". */
const isButMore = (words: ReadonlyArray<Word>, brandAt: number): boolean => {
  const at = words[brandAt + 1]?.word === "," ? brandAt + 2 : brandAt + 1
  const after = words.slice(at + 1, at + 1 + standReach).map(({ word }) => word)
  return (
    /^(?:but|yet|only|just)$/.test(words[at]?.word ?? "") &&
    (/^(?:without|minus)$/.test(after[0] ?? "") ||
      comparative.test(after.find((word) => comparative.test(word) || ofBrand.test(word)) ?? ""))
  )
}

const measureAt = (
  words: ReadonlyArray<Word>,
  plain: ReadonlyArray<string>,
  brandAt: number,
  brand: Word
): Measure | undefined => {
  // "The best Acme alternatives" are not Acme, nor are "Acme's rivals".
  if (/^(?:alternative|rival|competitor)s?$/.test(plain[brandAt + 1] ?? ""))
    return { brand, kind: "equal", from: brandAt, to: brandAt }
  // "Zephyr is like Acme but cheaper".
  const isLike = plain[brandAt - 1] === "like" || (plain[brandAt - 1] === "to" && plain[brandAt - 2] === "similar")
  if (isLike && isButMore(words, brandAt)) return { brand, kind: "contrast", from: brandAt - 1, to: brandAt - 1 }
  const at = before(words, brandAt)
  const word = words[at]?.word
  if (words[at]?.kind !== "word" || word === undefined) return undefined
  const contrast = contrasts.find((phrase) => ends(words, at, phrase))
  if (contrast !== undefined) return { brand, kind: "contrast", from: at - contrast.length + 1, to: at }
  // "Bolt, not Acme, leads"; not "this is not Acme's best".
  const isAlone = words[brandAt + 1] === undefined || words[brandAt + 1]?.kind === "mark"
  if (word === "not" && isAlone) return { brand, kind: "contrast", from: at, to: at }
  for (let size = longestPhrase; size >= 1; size--) {
    const cue = cueAt(plain, at - size + 1)
    if (cue?.compares === true && cue.words === size) return { brand, kind: "cue", from: at, to: at }
  }
  if (word === "than" || word === "over" || (word === "of" && plain[at - 1] === "instead")) {
    return { brand, kind: "cue", from: at, to: at }
  }
  if (word === "to" && plain.slice(Math.max(0, at - furthest), at).some((other) => other.startsWith("prefer"))) {
    return { brand, kind: "cue", from: at, to: at }
  }
  if (stands.has(plain[at - 1] ?? "") && (word === "to" || word === "for")) {
    // "A cheaper alternative to" ranks the alternative above the brand.
    const isGraded = plain.slice(Math.max(0, at - 1 - standReach), at - 1).some((other) => comparative.test(other))
    return { brand, kind: isGraded ? "cue" : "equal", from: at - 1, to: at }
  }
  const isEqual =
    word === "as" && plain.slice(Math.max(0, at - furthest), at).some((other) => other === "as" || other === "so")
  return isEqual ? { brand, kind: "equal", from: at, to: at } : undefined
}

/** The places of a sentence where something else is measured against the brand. */
export const measuresIn = (words: ReadonlyArray<Word>): ReadonlyArray<Measure> => {
  const plain = words.map(({ kind, word }) => (kind === "word" ? word : ""))
  return words.flatMap((word, at) => (word.kind === "brand" ? (measureAt(words, plain, at, word) ?? []) : []))
}
