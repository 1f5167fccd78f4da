import { writeArticle } from "./article/Article.ts"
import { marketOf } from "./article/Market.ts"
import { requestedQuestions, writeQuestions } from "./article/Questions.ts"
import { queriesOf, type Source, sourcesOf } from "./article/Source.ts"
import { cutTo, plain, type Span, textOf } from "./article/Span.ts"
import { type Dice, dice } from "./Dice.ts"
import type { Inquiry } from "./Inquiry.ts"

/**
 * How an answer turns out: complete; cut by the token budget; a refusal in words; a refusal without words; or empty,
 * because reasoning used up the budget.
 */
export type Outcome = "answer" | "truncated" | "refusal" | "silent_refusal" | "empty"

/** Token counts as vendors bill them: the question, the results of a search, and the output including the reasoning. */
interface Tokens {
  readonly asked: number
  readonly found: number
  readonly output: number
  readonly reasoning: number
}

/**
 * The content of one answer, before a vendor's format is applied.
 *
 * Shape: `spans` is empty when there is no text; `queries` is empty exactly when nothing was searched.
 * Units: `createdAt` seconds since the epoch.
 */
export interface Composition {
  readonly finish: "stop" | "length" | "refusal"
  readonly spans: ReadonlyArray<Span>
  readonly sources: ReadonlyArray<Source>
  readonly queries: ReadonlyArray<string>
  readonly commentary: string | undefined
  readonly createdAt: number
  readonly tokens: Tokens
  /** Whether the vendor may add a detour of its own before this answer, such as a pause; never when the outcome was forced. */
  readonly detours: boolean
  /** The random choices for ids and for what only one vendor has. */
  readonly draw: Dice
}

const places: Partial<Record<string, string>> = {
  GB: " in the UK",
  CA: " in Canada",
  AU: " in Australia",
  DE: " in Germany",
  FR: " in France"
}

/** The words with which an answer names the reader's country; "" for the United States and for countries that are not listed here. */
export const placeIn = (country: string): string => places[country] ?? ""

/** Characters per token of English prose. */
const charactersPerToken = 4

/** One question in forty is refused, and one in sixty is cut short. */
const outcomeFor = (draw: Dice): Outcome => {
  const value = draw.next()
  if (value < 1 / 40) return value < 1 / 120 ? "silent_refusal" : "refusal"
  return value < 1 / 40 + 1 / 60 ? "truncated" : "answer"
}

const spansFor = (outcome: Outcome, article: ReadonlyArray<Span>, draw: Dice): ReadonlyArray<Span> => {
  if (outcome === "truncated") return cutTo(article, 200 + draw.below(400))
  if (outcome === "refusal") return [plain("I’m sorry, but I can’t help with that request.")]
  return outcome === "answer" ? article : []
}

const finishes = {
  answer: "stop",
  truncated: "length",
  refusal: "refusal",
  silent_refusal: "refusal",
  empty: "length"
} as const satisfies Record<Outcome, Composition["finish"]>

/**
 * Answers an inquiry.
 *
 * Laws: the same seed and inquiry give the same composition. `forced` overrides chance, and a forced answer searches
 * whenever a search was offered. Otherwise one question in twelve is answered without the search that was offered.
 */
export const compose = (seed: number, inquiry: Inquiry, forced: Outcome | undefined): Composition => {
  const { vendor, model, country, city, question } = inquiry
  const draw = dice(seed, "answer", vendor, model, country, city, question)
  const chosen = outcomeFor(draw)
  const idle = draw.chance(1 / 12)
  const talks = draw.chance(1 / 6)
  const outcome = forced ?? chosen
  const refused = finishes[outcome] === "refusal"
  const searched =
    !refused && (inquiry.search === "forced" || (inquiry.search === "offered" && (forced !== undefined || !idle)))
  const wanted = requestedQuestions(question)
  const market = marketOf(seed, wanted === undefined ? inquiry : { ...inquiry, question: wanted.about })
  const sources = sourcesOf(market, country, draw)
  const place = city === "" ? placeIn(country) : ` around ${city}`
  const article =
    wanted === undefined ? writeArticle({ ...market, sources, place, draw }) : writeQuestions(wanted, market, draw)
  const reasoning = inquiry.reasons && !refused ? 40 + draw.below(200) : 0
  const budget = Math.max(0, inquiry.maxTokens - reasoning) * charactersPerToken
  const due = spansFor(outcome, article, draw)
  const cut = textOf(due).length > budget
  const spans = (cut ? cutTo(due, budget) : due).map((span) => (searched ? span : plain(span.text)))
  return {
    finish: cut ? "length" : finishes[outcome],
    spans,
    sources: searched ? sources : [],
    queries: searched ? queriesOf(market, draw) : [],
    commentary: talks && searched && forced === undefined ? "I will look up current reviews first." : undefined,
    createdAt: 1_795_255_200 + draw.below(2_592_000),
    tokens: {
      asked: Math.ceil(question.length / charactersPerToken) + 20,
      found: searched ? 3_000 + draw.below(6_000) : 0,
      output: Math.min(inquiry.maxTokens, reasoning) + Math.ceil(textOf(spans).length / charactersPerToken),
      reasoning: Math.min(inquiry.maxTokens, reasoning)
    },
    detours: forced === undefined,
    draw
  }
}
