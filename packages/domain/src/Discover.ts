import { Option, Schema } from "effect"

/** Questions to find: those that people put to AI engines and that a brand would want to be named in. */
export interface Discovery {
  readonly brand: string
  readonly industry?: string
  readonly count: number
  readonly language: string
}

/** What somebody who asks a question is after. Source: decisions U2. */
export const Intent = Schema.Literals(["informational", "commercial", "comparison", "transactional"])
export type Intent = typeof Intent.Type

/** One question worth asking. `score` is from 0 to 1: how many engines suggest it, and how early. */
export const Candidate = Schema.Struct({
  query: Schema.String,
  intent: Intent,
  score: Schema.Finite,
  rationale: Schema.String
})
export type Candidate = typeof Candidate.Type

/** A question as one engine suggested it. */
export interface Suggestion {
  readonly query: string
  readonly intent: Intent
}

const quoted = (text: string): string => JSON.stringify(text)

/** What an engine is asked. Its wording is the cache key's: another word is another question. */
export const promptFor = ({ brand, industry, count, language }: Discovery): string =>
  [
    `List ${count} different questions that people ask an AI assistant when they are looking for something that ${quoted(brand)} offers`,
    industry === undefined ? "." : ` in the industry ${quoted(industry)}.`,
    ` Most of them should not name ${quoted(brand)}. Write them in the language with the code ${quoted(language)}.`,
    ` Answer with nothing but a JSON array of objects with the fields "query" and "intent",`,
    ` where intent is one of ${Intent.literals.map(quoted).join(", ")}.`
  ].join("")

const queryMax = 480
const suggestionsMax = 200
const isIntent = Schema.is(Intent)

const cues: ReadonlyArray<readonly [Intent, RegExp]> = [
  ["comparison", /\b(?:vs|versus|compared?|comparison|alternatives?|better than|difference between)\b/i],
  ["transactional", /\b(?:buy|order|book|sign up|coupon|discount|deal|price of|cost of|near me|for sale)\b/i],
  ["commercial", /\b(?:best|top|cheapest|recommend|review|worth|which|should i)\b/i]
]

/** The intent of a question by its words, where an engine did not say it. */
const guessIntent = (query: string): Intent => cues.find(([, cue]) => cue.test(query))?.[0] ?? "informational"

const cleaned = (text: string): Option.Option<string> => {
  const plain = text
    // Joiners are letters' own in Persian and in scripts of India, and hold an emoji together.
    .replace(/[\p{Cf}--[\u200c\u200d]]+/gv, "")
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
  return plain === "" || Array.from(plain).length > queryMax || !plain.isWellFormed()
    ? Option.none()
    : Option.some(plain)
}

const suggestion = (query: string, intent: unknown): ReadonlyArray<Suggestion> =>
  Option.match(cleaned(query), {
    onNone: () => [],
    onSome: (plain) => [{ query: plain, intent: isIntent(intent) ? intent : guessIntent(plain) }]
  })

const decodeListed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))
const isObject = Schema.is(Schema.Struct({ query: Schema.String, intent: Schema.optionalKey(Schema.Unknown) }))
const isQuestion = (text: string): boolean => /[?？؟]\s*$/u.test(text)

/** An item of a list by itself: an odd one takes no other with it. */
const asItem = (item: unknown): ReadonlyArray<Suggestion> => {
  if (typeof item === "string") return isQuestion(item) ? suggestion(item, undefined) : []
  return isObject(item) ? suggestion(item.query, item.intent) : []
}

/** The end of the last whole item in the list that begins at `from`. */
const lastWhole = (text: string, from: number): number => {
  let [depth, end, inString] = [0, from, false]
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (inString && character === "\\") at++
    else if (character === '"') {
      inString = !inString
      if (!inString && depth === 1) end = at + 1
    } else if (inString) continue
    else if (character === "[" || character === "{") depth++
    else if (character === "]" || character === "}") {
      depth--
      if (depth === 0) break
      if (depth === 1) end = at + 1
    }
  }
  return end
}

/** Closes the list after its last whole item, so that an answer that was cut off still counts for what it has. */
const asJson = (text: string, listStart: RegExp): ReadonlyArray<Suggestion> => {
  const from = text.search(listStart)
  const listed = from === -1 ? Option.none() : decodeListed(`${text.slice(from, lastWhole(text, from))}]`)
  return Option.getOrElse(listed, () => []).flatMap(asItem)
}

// After a number a script without capitals may have no space.
const listLine = /^\s{0,8}(?:[-*•]\s+|\p{Nd}{1,3}(?:[.)]\s+|[.)](?=\p{Lo})|[、．）]\s*))["“*]{0,3}([^\n"”*]{3,600})/u

const asLines = (text: string): ReadonlyArray<Suggestion> =>
  text
    .split("\n")
    .map((line) => listLine.exec(line)?.[1] ?? "")
    .filter(isQuestion)
    .flatMap((line) => suggestion(line, undefined))

const readings: ReadonlyArray<(text: string) => ReadonlyArray<Suggestion>> = [
  (text) => asJson(text, /\[\s*\{/),
  (text) => asJson(text, /\[\s*"/),
  asLines
]

/** The questions of an engine's answer: the JSON it was asked for, or a list of questions where it wrote one instead. */
export const suggestionsIn = (text: string): ReadonlyArray<Suggestion> => {
  for (const read of readings) {
    const found = read(text)
    if (found.length > 0) return found.slice(0, suggestionsMax)
  }
  return []
}

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
 * Laws: scores are from 0 to 1 and never rise; no question stands twice; a question that every engine put first has the
 * score 1; the order of engines is irrelevant.
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
