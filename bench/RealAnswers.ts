import { join } from "node:path"
import { findBrand } from "@sightline/domain/Brand"
import { fold } from "@sightline/domain/text/Fold"
import { isDictionaryWord, isKnownBrand, lettersOf } from "@sightline/domain/text/Vocabulary"
import { Schema } from "effect"
import { jsonLines, type Score, score } from "./Scores.ts"

const RealAnswer = Schema.Struct({
  query_id: Schema.String,
  model: Schema.String,
  response: Schema.String,
  products_mentioned: Schema.NullOr(Schema.Array(Schema.Struct({ brand: Schema.NullOr(Schema.String) })))
})

/** The fields of an answer of AI Product Bench that are used. */
export type RealAnswer = typeof RealAnswer.Type

/** A small deterministic random number generator, so that a score is the same on every run. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The word with `edits` letters replaced, added or removed. */
const misspelt = (word: string, edits: number, choose: (below: number) => number): string => {
  let letters = word
  for (let edit = 0; edit < edits; edit++) {
    const at = choose(letters.length)
    const letter = String.fromCharCode(97 + choose(26))
    const kind = choose(3)
    letters = letters.slice(0, at) + (kind === 2 ? "" : letter) + letters.slice(at + (kind === 1 ? 0 : 1))
  }
  return letters
}

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, x] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, y] of Array.from(b).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (x === y ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** One brand of an answer, from its silver labels. */
export interface Labels {
  readonly brand: string
  readonly letters: string
  /** The brand's place among the brands, and the place of its first product among the products. */
  readonly places: readonly [number, number]
}

/** The brands of an answer, from its silver labels and in their order. */
export const brandsOf = (answer: RealAnswer): ReadonlyArray<Labels> => {
  const found = new Map<string, Labels>()
  for (const [index, { brand }] of (answer.products_mentioned ?? []).entries()) {
    const name = (brand ?? "").trim()
    const letters = lettersOf(fold(name).text)
    if (letters.length > 1 && !found.has(letters)) {
      found.set(letters, { brand: name, letters, places: [found.size + 1, index + 1] })
    }
  }
  return [...found.values()]
}

const withoutAddresses = (text: string): string => text.replace(/\]\([^)\s]*\)|https?:\/\/\S+|^\[\d+\]:.*$/gm, " ")

type Report = (line: string) => void

const inText = (text: string, brand: string) => findBrand({ text, brandEntities: [] }, brand)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/**
 * Whether the brand is truly not in the answer: its letters occur nowhere, not even in an address. A brand of up to four
 * letters only has to be missing as a word, because it does not count inside other words.
 */
const isAbsent = (folded: string, letters: string, brand: string): boolean =>
  letters.length < 5
    ? !new RegExp(`(?<![\\p{L}\\p{N}])${escaped(fold(brand).text)}(?![\\p{L}\\p{N}])`, "u").test(folded)
    : !lettersOf(folded).includes(letters)

/** Whether the brand is still found when each of its mentions is misspelt; undefined where the guard forbids it. */
const survivesTypo = (
  text: string,
  { brand, letters }: Labels,
  written: string,
  edits: number,
  choose: (below: number) => number
): { readonly typo: string; readonly found: boolean } | undefined => {
  const typo = misspelt(written, edits, choose)
  const typed = lettersOf(fold(typo).text)
  if (distance(typed, letters) === 0 || isDictionaryWord(typed) || isKnownBrand(typed)) return undefined
  const misread = text.replaceAll(new RegExp(escaped(written), "gi"), typo)
  return { typo, found: inText(misread, brand).mentioned }
}

const names = ["recall", "rank", "rank±1", "order", "absences", "typos"] as const

/** Scores on real answers with silver labels: for named, absent and misspelt brands. */
export const scoresOnReal = (
  prefix: string,
  answers: ReadonlyArray<RealAnswer>,
  everyBrand: ReadonlyArray<string>,
  report: Report
): ReadonlyArray<Score> => {
  const choose = random(7)
  const outcomes: Record<(typeof names)[number], Array<boolean>> = {
    recall: [],
    rank: [],
    "rank±1": [],
    order: [],
    absences: [],
    typos: []
  }
  for (const answer of answers) {
    const text = answer.response
    const where = `${answer.query_id} ${answer.model}`
    const folded = fold(text).text
    const spoken = fold(withoutAddresses(text)).text
    const ranks: Array<number> = []
    for (const labels of brandsOf(answer)) {
      const { brand, letters, places } = labels
      if (!spoken.includes(fold(brand).text)) continue
      const { rank, span, tier } = inText(text, brand)
      outcomes.recall.push(rank !== null)
      if (rank === null || span === null) {
        report(`missed ${brand}: ${where}`)
        continue
      }
      outcomes.rank.push(places.includes(rank))
      outcomes["rank±1"].push(places.some((place) => Math.abs(place - rank) <= 1))
      if (!places.includes(rank)) report(`rank ${rank} for ${places.join("/")} ${brand}: ${where}`)
      for (const earlier of ranks) outcomes.order.push(earlier <= rank)
      ranks.push(rank)
      if (tier !== "word" || !/^[a-z]{5,}$/.test(letters)) continue
      for (const edits of [1, 2]) {
        const outcome = survivesTypo(text, labels, text.slice(...span), edits, choose)
        if (outcome !== undefined) outcomes.typos.push(outcome.found)
        if (outcome?.found === false) report(`typo ${outcome.typo} of ${brand}: ${where}`)
      }
    }
    for (const brand of everyBrand) {
      if (!isAbsent(folded, lettersOf(fold(brand).text), brand)) continue
      const { mentioned, span, tier } = inText(text, brand)
      outcomes.absences.push(!mentioned)
      if (mentioned) report(`false ${brand}: ${tier} ${span === null ? "" : text.slice(...span)} in ${where}`)
    }
  }
  return names.map((name) => score(`${prefix}.${name}`, outcomes[name]))
}

/** The real answers in a folder of AI Product Bench, every second query held out from tuning. */
export const realAnswers = (folder: string): Readonly<Record<"tune" | "held", ReadonlyArray<RealAnswer>>> => {
  const all = ["chatgpt_1.jsonl", "google_ai_mode_1.jsonl"].flatMap((file) => jsonLines(join(folder, file), RealAnswer))
  const queries = [...new Set(all.map(({ query_id }) => query_id))].sort()
  const held = new Set(queries.filter((_, index) => index % 2 === 1))
  return {
    tune: all.filter(({ query_id }) => !held.has(query_id)),
    held: all.filter(({ query_id }) => held.has(query_id))
  }
}
