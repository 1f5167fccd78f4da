import { Schema } from "effect"

/** A request for questions that people put to AI engines, and in whose answers a brand would want to be named. */
export interface Discovery {
  readonly brand: string
  readonly industry?: string
  readonly count: number
  readonly language: string
}

/** The intention behind a question. Source: decisions U2. */
export const Intent = Schema.Literals(["informational", "commercial", "comparison", "transactional"])
export type Intent = typeof Intent.Type

/** One question worth asking. */
export const Candidate = Schema.Struct({
  query: Schema.String,
  intent: Intent,
  score: Schema.Finite.annotate({ description: "0 to 1: how many engines suggest the question, and how early." }),
  rationale: Schema.String
})
export type Candidate = typeof Candidate.Type

/** A question as one engine suggested it. */
export interface Suggestion {
  readonly query: string
  readonly intent: Intent
}

const quoted = (text: string): string => JSON.stringify(text)

/** The prompt for an engine. Its wording is part of the cache key: a changed word makes a different question. */
export const promptFor = ({ brand, industry, count, language }: Discovery): string =>
  [
    `List ${count} different questions that people ask an AI assistant when they are looking for something that ${quoted(brand)} offers`,
    industry === undefined ? "." : ` in the industry ${quoted(industry)}.`,
    ` Most of them should not name ${quoted(brand)}. Write them in the language with the code ${quoted(language)}.`,
    ` Answer with nothing but a JSON array of objects with the fields "query" and "intent",`,
    ` where intent is one of ${Intent.literals.map(quoted).join(", ")}.`
  ].join("")

const sameness = (query: string): string =>
  query
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+#]+/gu, " ")
    .trim()

const precedes = (one: Suggestion, other: Suggestion): boolean =>
  one.query < other.query || (one.query === other.query && one.intent < other.intent)

// Weights are whole thousandths: a sum of fractions would depend on the order of the engines.
const thousand = 1000

interface Tally extends Suggestion {
  readonly engines: number
  readonly weight: number
  readonly best: number
}

const rationaleOf = ({ engines, best }: Tally, asked: number): string =>
  `Suggested by ${engines} of ${asked} ${asked === 1 ? "engine" : "engines"}, at best in place ${best}.`

/**
 * The questions of all engines as one list.
 *
 * Laws: scores are from 0 to 1 and never rise; no question occurs twice; a question that every engine put first has the score 1; the order
 * of engines is irrelevant.
 */
export const merge = (lists: ReadonlyArray<ReadonlyArray<Suggestion>>, count: number): ReadonlyArray<Candidate> => {
  const tallies = new Map<string, Tally>()
  for (const list of lists) {
    const seen = new Set<string>()
    for (const [index, { query, intent }] of list.entries()) {
      const key = sameness(query)
      if (key === "" || seen.has(key)) continue
      seen.add(key)
      const before = tallies.get(key)
      const first = before === undefined || precedes({ query, intent }, before) ? { query, intent } : before
      tallies.set(key, {
        query: first.query,
        intent: first.intent,
        engines: (before?.engines ?? 0) + 1,
        weight: (before?.weight ?? 0) + Math.round(((list.length - index) / list.length) * thousand),
        best: Math.min(before?.best ?? Number.POSITIVE_INFINITY, index + 1)
      })
    }
  }
  return [...tallies.values()]
    .map((one) => ({
      query: one.query,
      intent: one.intent,
      score: Math.round(one.weight / lists.length) / thousand,
      rationale: rationaleOf(one, lists.length)
    }))
    .sort((a, b) => b.score - a.score || (a.query < b.query ? -1 : 1))
    .slice(0, count)
}
