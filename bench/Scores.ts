import { readFileSync } from "node:fs"
import { join } from "node:path"
import { findBrand } from "@sightline/domain/Brand"
import { Schema } from "effect"

const root = join(import.meta.dirname, "..")

const Labelled = Schema.Struct({
  id: Schema.String,
  split: Schema.Literals(["tune", "held"]),
  text: Schema.String,
  brand: Schema.String,
  mentioned: Schema.Boolean,
  rank: Schema.NullOr(Schema.Int),
  tier: Schema.optionalKey(Schema.Literals(["word", "domain", "substring", "fuzzy"])),
  entities: Schema.optionalKey(Schema.Array(Schema.String)),
  why: Schema.String
})

/** One answer, labelled for one brand according to the rules. */
export type Labelled = typeof Labelled.Type

/** A share of right answers: `right` of `total`. */
export interface Score {
  readonly name: string
  readonly right: number
  readonly total: number
}

/** The values of a file with one JSON value a line. */
export const jsonLines = <A>(path: string, schema: Schema.Codec<A, A>): ReadonlyArray<A> => {
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(schema))
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => decode(line))
}

/** The labelled set. */
export const labelledSet = (): ReadonlyArray<Labelled> =>
  jsonLines(join(root, "test/fixtures/detector/labelled.jsonl"), Labelled)

const Clause = Schema.Struct({
  split: Schema.Literals(["tune", "held", "plain"]),
  brand: Schema.String,
  absent: Schema.Boolean,
  text: Schema.String
})

/** A sentence that denies a brand, or one that speaks of it and denies something else. */
export type Clause = typeof Clause.Type

/** The labelled sentences. */
export const labelledClauses = (): ReadonlyArray<Clause> =>
  jsonLines(join(root, "test/fixtures/detector/clauses.jsonl"), Clause)

const judged = (labelled: Labelled) =>
  findBrand({ text: labelled.text, brandEntities: (labelled.entities ?? []).map((name) => ({ name })) }, labelled.brand)

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

/** A score from single outcomes. */
export const score = (name: string, outcomes: ReadonlyArray<boolean>): Score => ({
  name,
  right: outcomes.filter(Boolean).length,
  total: outcomes.length
})

/** Precision, recall, and agreement of rank and tier, on labelled answers. */
export const scoresOf = (prefix: string, cases: ReadonlyArray<Labelled>): ReadonlyArray<Score> => {
  const results = cases.map((labelled) => ({ labelled, found: judged(labelled) }))
  const both = results.filter(({ labelled, found }) => labelled.mentioned && found.mentioned)
  const claimed = results.filter(({ found }) => found.mentioned)
  const named = results.filter(({ labelled }) => labelled.mentioned)
  return [
    score(
      `${prefix}.precision`,
      claimed.map(({ labelled }) => labelled.mentioned)
    ),
    score(
      `${prefix}.recall`,
      named.map(({ found }) => found.mentioned)
    ),
    score(
      `${prefix}.rank`,
      both.map(({ labelled, found }) => found.rank === labelled.rank)
    ),
    score(
      `${prefix}.tier`,
      both
        .filter(({ labelled }) => labelled.tier !== undefined)
        .map(({ labelled, found }) => found.tier === labelled.tier)
    )
  ]
}

/** Whether the detector finds a brand in a sentence if and only if the sentence names it. */
export const isUnderstood = ({ absent, brand, text }: Clause): boolean =>
  findBrand({ text, brandEntities: [] }, brand).mentioned !== absent

/** The shares of sentences that the detector reads correctly: of those that deny their brand, and of those that name it. */
export const clauseScores = (prefix: string, clauses: ReadonlyArray<Clause>): ReadonlyArray<Score> => [
  score(`${prefix}.denied`, clauses.filter(({ absent }) => absent).map(isUnderstood)),
  score(`${prefix}.named`, clauses.filter(({ absent }) => !absent).map(isUnderstood))
]

/** The floors of `docs/detector.md` and `docs/sentiment.md`: rows `| name | floor | …` with the floor in per cent. */
export const floors = (): ReadonlyMap<string, number> =>
  new Map(
    ["docs/detector.md", "docs/sentiment.md"]
      .flatMap((page) => Array.from(readFileSync(join(root, page), "utf8").matchAll(/^\| `([^`]+)` \| ([\d.]+) % /gm)))
      .map((row) => [row[1] ?? "", Number(row[2])])
  )

/** A score in per cent; 100 without any cases. */
export const percent = ({ right, total }: Score): number => (total === 0 ? 100 : (100 * right) / total)

/** The scores that are below their floor. */
export const fallen = (scores: ReadonlyArray<Score>): ReadonlyArray<string> => {
  const least = floors()
  return scores
    .filter((one) => percent(one) < (least.get(one.name) ?? 0))
    .map((one) => `${one.name} is ${percent(one).toFixed(2)} %, floor ${least.get(one.name)} %`)
}
