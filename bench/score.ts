/**
 * How often the brand detector is right: on the labelled set of this project, and on real answers where
 * `SIGHTLINE_BENCH_DATA` names a folder with AI Product Bench's answers.
 * Exit code 1 when a score falls below its floor in `docs/detector.md`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { findBrand } from "@sightline/domain/Brand"
import { fold } from "@sightline/domain/Fold"
import { isDictionaryWord, isKnownBrand, lettersOf } from "@sightline/domain/Vocabulary"

const root = join(import.meta.dirname, "..")

/** One answer with what the rules say about one brand in it. */
export interface Labelled {
  readonly id: string
  readonly split: "tune" | "held"
  readonly text: string
  readonly brand: string
  readonly mentioned: boolean
  readonly rank: number | null
  readonly tier?: string
  readonly entities?: ReadonlyArray<string>
  readonly why: string
}

/** A share of right answers: `right` of `total`. */
export interface Score {
  readonly name: string
  readonly right: number
  readonly total: number
}

const jsonLines = (path: string): ReadonlyArray<unknown> =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): unknown => JSON.parse(line))

/** The labelled set. */
export const labelledSet = (): ReadonlyArray<Labelled> =>
  jsonLines(join(root, "test/fixtures/detector/labelled.jsonl")) as ReadonlyArray<Labelled>

const judged = (labelled: Labelled) =>
  findBrand(
    { text: labelled.text, brandEntities: (labelled.entities ?? []).map((name) => ({ name })) },
    labelled.brand
  )

/** What is wrong with the detector's answer to one label; empty when nothing is. */
export const mistakes = (labelled: Labelled): ReadonlyArray<string> => {
  const found = judged(labelled)
  const wrong: Array<string> = []
  if (found.mentioned !== labelled.mentioned) wrong.push(`mentioned ${found.mentioned}`)
  else if (found.rank !== labelled.rank) wrong.push(`rank ${found.rank}, not ${labelled.rank}`)
  if (found.mentioned && labelled.mentioned && labelled.tier !== undefined && found.tier !== labelled.tier) {
    wrong.push(`tier ${found.tier}, not ${labelled.tier}`)
  }
  return wrong
}

const score = (name: string, outcomes: ReadonlyArray<boolean>): Score => ({
  name,
  right: outcomes.filter(Boolean).length,
  total: outcomes.length
})

/** Precision, recall and agreement of rank and tier on labelled answers. */
export const scoresOf = (prefix: string, cases: ReadonlyArray<Labelled>): ReadonlyArray<Score> => {
  const results = cases.map((labelled) => ({ labelled, found: judged(labelled) }))
  const both = results.filter(({ labelled, found }) => labelled.mentioned && found.mentioned)
  const claimed = results.filter(({ found }) => found.mentioned)
  const named = results.filter(({ labelled }) => labelled.mentioned)
  return [
    score(`${prefix}.precision`, claimed.map(({ labelled }) => labelled.mentioned)),
    score(`${prefix}.recall`, named.map(({ found }) => found.mentioned)),
    score(`${prefix}.rank`, both.map(({ labelled, found }) => found.rank === labelled.rank)),
    score(`${prefix}.tier`, both.filter(({ labelled }) => labelled.tier !== undefined).map(({ labelled, found }) => found.tier === labelled.tier))
  ]
}

interface RealAnswer {
  readonly query_id: string
  readonly model: string
  readonly response: string
  readonly products_mentioned: ReadonlyArray<{ readonly brand: string | null; readonly name: string }> | null
}

/** A small deterministic source of choices, so that a score is the same on every run. */
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
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, y] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (x === y ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

interface Labels {
  readonly brand: string
  readonly letters: string
  /** The brand's place among the brands, and the place of its first product among the products. */
  readonly places: readonly [number, number]
}

const brandsOf = (answer: RealAnswer): ReadonlyArray<Labels> => {
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

/** Scores on real answers with silver labels. */
export const scoresOnReal = (prefix: string, answers: ReadonlyArray<RealAnswer>, everyBrand: ReadonlyArray<string>, report?: (line: string) => void): ReadonlyArray<Score> => {
  const choose = random(7)
  const recall: Array<boolean> = []
  const rank: Array<boolean> = []
  const near: Array<boolean> = []
  const order: Array<boolean> = []
  const absences: Array<boolean> = []
  const typos: Array<boolean> = []
  for (const answer of answers) {
    const text = answer.response
    const spelled = lettersOf(fold(withoutAddresses(text)).text)
    const present = brandsOf(answer)
    const ranks: Array<number> = []
    for (const { brand, letters, places } of present) {
      if (!fold(withoutAddresses(text)).text.includes(fold(brand).text)) continue
      const found = findBrand({ text, brandEntities: [] }, brand)
      recall.push(found.mentioned)
      if (!found.mentioned) report?.(`missed ${brand}: ${answer.query_id} ${answer.model}`)
      if (found.rank === null || found.span === null) continue
      rank.push(places.includes(found.rank))
      near.push(places.some((place) => Math.abs(place - (found.rank ?? 0)) <= 1))
      if (!places.includes(found.rank)) report?.(`rank ${found.rank} for ${places.join("/")} ${brand}: ${answer.query_id} ${answer.model}`)
      for (const earlier of ranks) order.push(earlier <= found.rank)
      ranks.push(found.rank)
      if (found.tier === "word" && letters.length >= 5 && /^[a-z]+$/.test(letters)) {
        for (const edits of [1, 2]) {
          const written = text.slice(...found.span)
          const typo = misspelt(written, edits, choose)
          const typed = lettersOf(fold(typo).text)
          const apart = distance(typed, letters)
          if (apart === 0 || isDictionaryWord(typed) || isKnownBrand(typed)) continue
          const edited = text.slice(0, found.span[0]) + typo + text.slice(found.span[1])
          const again = findBrand({ text: edited.replaceAll(new RegExp(written.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), typo), brandEntities: [] }, brand)
          typos.push(again.mentioned)
          if (!again.mentioned) report?.(`typo ${typo} of ${brand} (${apart}): ${answer.query_id} ${answer.model}`)
        }
      }
    }
    for (const brand of everyBrand) {
      const letters = lettersOf(fold(brand).text)
      if (spelled.includes(letters) || lettersOf(fold(text).text).includes(letters)) continue
      const found = findBrand({ text, brandEntities: [] }, brand)
      absences.push(!found.mentioned)
      if (found.mentioned) report?.(`false ${brand}: ${found.tier} ${found.span === null ? "" : text.slice(...found.span)} in ${answer.query_id} ${answer.model}`)
    }
  }
  return [
    score(`${prefix}.recall`, recall),
    score(`${prefix}.rank`, rank),
    score(`${prefix}.rank±1`, near),
    score(`${prefix}.order`, order),
    score(`${prefix}.absences`, absences),
    score(`${prefix}.typos`, typos)
  ]
}

/** The real answers in a folder of AI Product Bench, every second query held out from tuning. */
export const realAnswers = (folder: string): Readonly<Record<"tune" | "held", ReadonlyArray<RealAnswer>>> => {
  const all = ["chatgpt_1.jsonl", "google_ai_mode_1.jsonl"].flatMap((file) => jsonLines(join(folder, file)) as ReadonlyArray<RealAnswer>)
  const queries = [...new Set(all.map(({ query_id }) => query_id))].sort()
  const held = new Set(queries.filter((_, index) => index % 2 === 1))
  return { tune: all.filter(({ query_id }) => !held.has(query_id)), held: all.filter(({ query_id }) => held.has(query_id)) }
}

/** The floors of `docs/detector.md`: rows `| name | floor | …` with the floor in per cent. */
export const floors = (): ReadonlyMap<string, number> =>
  new Map(
    Array.from(readFileSync(join(root, "docs/detector.md"), "utf8").matchAll(/^\| `([^`]+)` \| ([\d.]+) % /gm), (row) => [
      row[1] ?? "",
      Number(row[2])
    ])
  )

const percent = ({ right, total }: Score): number => (total === 0 ? 100 : (100 * right) / total)

/** The scores that are below their floor. */
export const fallen = (scores: ReadonlyArray<Score>): ReadonlyArray<string> => {
  const least = floors()
  return scores
    .filter((one) => percent(one) < (least.get(one.name) ?? 0))
    .map((one) => `${one.name} is ${percent(one).toFixed(2)} %, floor ${least.get(one.name)} %`)
}

const everyScore = (folder: string | undefined): ReadonlyArray<Score> => {
  const cases = labelledSet()
  const scores = (["tune", "held"] as const).flatMap((split) =>
    scoresOf(`labelled.${split}`, cases.filter((labelled) => labelled.split === split))
  )
  if (folder === undefined) return scores
  const { tune, held } = realAnswers(folder)
  const report = process.argv.includes("--verbose") ? (line: string) => console.log(line) : undefined
  const everyBrand = [...new Map([...tune, ...held].flatMap(brandsOf).map(({ letters, brand }) => [letters, brand])).values()]
  return [...scores, ...scoresOnReal("real.tune", tune, everyBrand, report), ...scoresOnReal("real.held", held, everyBrand)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv.includes("--verbose")) {
    for (const labelled of labelledSet()) {
      const wrong = mistakes(labelled)
      if (wrong.length > 0 && (labelled.split === "tune" || process.argv.includes("--held"))) {
        console.log(`${labelled.id} (${labelled.brand}): ${wrong.join("; ")} — ${labelled.why}`)
      }
    }
  }
  const scores = everyScore(process.env["SIGHTLINE_BENCH_DATA"])
  for (const one of scores) console.log(`${one.name.padEnd(26)} ${percent(one).toFixed(2).padStart(6)} %  ${one.right}/${one.total}`)
  const below = fallen(scores)
  for (const line of below) console.error(line)
  if (below.length > 0) process.exitCode = 1
}
