import type { LiveSurface } from "@sightline/domain/Platform"
import { writeArticle } from "@sightline/sandbox/article/Article"
import { type Market, marketOf } from "@sightline/sandbox/article/Market"
import { queriesOf, slug, type Source, sourcesOf } from "@sightline/sandbox/article/Source"
import { cutTo, plain, type Span, textOf } from "@sightline/sandbox/article/Span"
import { inventBrands } from "@sightline/sandbox/article/Topic"
import { placeIn } from "@sightline/sandbox/Composition"
import { type Dice, dice } from "@sightline/sandbox/Dice"
import { laidOut } from "./Layout.ts"

/** A page that the answer cites. */
export type LiveSource = Pick<Source, "url" | "host" | "title" | "snippet" | "date" | "brand">

/** A brand that the surface marks up; `domain` if the surface knows it. */
interface Entity {
  readonly name: string
  readonly domain?: string
  readonly category: string
}

/** An advert beside the answer; `rendered` is false for an advert that was served but not shown. */
export interface Advert {
  readonly advertiser: string
  readonly title: string
  readonly body: string
  readonly url: string
  readonly domain: string
  readonly rendered: boolean
}

/**
 * The answer of a simulated surface, before it is put into a page or a vendor's format.
 *
 * Shape: `markdown` is the joined texts of `spans`, without citation marks. The `cites` of a span are indices into
 * `sources`, which are in order of first use and all used. `fanOut` are related questions on Perplexity and searches on
 * ChatGPT. `model` is "" if the surface does not state it.
 */
export interface LiveAnswer {
  readonly markdown: string
  readonly spans: ReadonlyArray<Span>
  readonly sources: ReadonlyArray<LiveSource>
  readonly fanOut: ReadonlyArray<string>
  readonly entities: ReadonlyArray<Entity>
  readonly adverts: ReadonlyArray<Advert>
  readonly model: string
}

/** What is asked, of which surface and from where. `country` is ISO 3166-1 alpha-2; `question` is without directives. */
export interface LiveAsked {
  readonly seed: number
  readonly surface: LiveSurface
  readonly question: string
  readonly country: string
}

const models: Partial<Record<LiveSurface, string>> = {
  chatgpt_live: "gpt-5-6",
  gemini_live: "gemini-3.8-flash",
  perplexity_live: "turbo"
}

/** The share of questions for which a surface shows an answer, where that is not all of them. */
const shares: Partial<Record<LiveSurface, number>> = { ai_overview: 2 / 3, bing_copilot: 2 / 3 }

/** Whether the surface shows an answer to a question without directives. */
export const showsAnswer = ({ seed, surface, question, country }: LiveAsked): boolean =>
  dice(seed, "shown", surface, country, question).chance(shares[surface] ?? 1)

/** The spans and sources, renumbered by first use. A source that no span cites is added to the last span that has citations. */
const inOrderOfUse = (spans: ReadonlyArray<Span>, found: ReadonlyArray<Source>) => {
  const last = spans.findLastIndex(({ cites }) => cites.length > 0)
  const used = new Set(spans.flatMap(({ cites }) => cites))
  const idle = found.flatMap((_source, index) => (used.has(index) ? [] : [index]))
  const all = spans.map((span, at) => (at === last ? { ...span, cites: [...span.cites, ...idle] } : span))
  const order = Array.from(new Set(all.flatMap(({ cites }) => cites)))
  return {
    spans: all.map(({ text, cites }) => ({ text, cites: cites.map((index) => order.indexOf(index)) })),
    sources: order.flatMap((index) => found.slice(index, index + 1))
  }
}

const relatedQuestions = ({ topic, picks }: Market, draw: Dice): ReadonlyArray<string> => {
  const [first, second = topic.noun, third = second] = picks
  const trait = topic.traits[draw.below(topic.traits.length)] ?? "quality"
  const buyer = topic.buyers[draw.below(topic.buyers.length)] ?? "beginners"
  const questions = [
    `${first} or ${second}?`,
    `Which ${topic.noun} suit ${buyer} best?`,
    `Is ${first} worth its price?`,
    `How important is ${trait} for ${topic.noun}?`,
    `What do owners say about ${third}?`
  ]
  return draw.shuffle(questions).slice(0, 3 + draw.below(3))
}

const fanOutOf = (surface: LiveSurface, market: Market, draw: Dice): ReadonlyArray<string> => {
  if (surface === "perplexity_live") return relatedQuestions(market, draw)
  return surface === "chatgpt_live" ? queriesOf(market, draw) : []
}

const entitiesOf = ({ topic, picks }: Market, sources: ReadonlyArray<Source>): ReadonlyArray<Entity> => {
  const category = /software|tools|apps?\b/.test(topic.noun) ? "software" : "company"
  return picks.slice(0, 5).map((name) => {
    const own = sources.find(({ brand }) => brand === name)
    return own === undefined ? { name, category } : { name, category, domain: own.host }
  })
}

/** The probability that a surface serves adverts, and how many it then serves. All are rendered except ChatGPT's second. */
const advertChances: Partial<Record<LiveSurface, readonly [count: number, chance: number]>> = {
  chatgpt_live: [2, 1],
  ai_mode: [1, 1 / 3],
  bing_copilot: [1, 1 / 3],
  ai_overview: [1, 1 / 10]
}

const advertsOf = ({ surface, seed }: LiveAsked, { topic }: Market, draw: Dice): ReadonlyArray<Advert> => {
  const [count, chance] = advertChances[surface] ?? [0, 0]
  const advertisers = inventBrands(dice(seed, "advertisers", topic.noun), draw.chance(chance) ? count : 0)
  return advertisers.map((name, index) => {
    const domain = `${slug(name)}.example`
    const trait = topic.traits[draw.below(topic.traits.length)] ?? "quality"
    return {
      // Bing's adverts name only their site.
      advertiser: surface === "bing_copilot" ? domain : name,
      title: `${name}: ${topic.noun} with ${trait}`,
      body: `See what ${name} has to offer this month.`,
      url: `https://${domain}/offer`,
      domain,
      rendered: index === 0
    }
  })
}

/**
 * The answer of a surface to a question.
 *
 * Laws: the same seed, surface, question and country give the same answer, whether a page or a vendor shows it.
 */
export const liveAnswer = (asked: LiveAsked): LiveAnswer => {
  const { seed, surface, question, country } = asked
  const market = marketOf(seed, { vendor: surface, model: "", question, country, city: "" })
  const draw = dice(seed, "live", surface, country, question)
  const found = sourcesOf(market, country, draw)
  const article = writeArticle({ ...market, sources: found, place: placeIn(country), draw })
  const { spans, sources } = inOrderOfUse(laidOut(article), found)
  return {
    markdown: textOf(spans),
    spans,
    sources,
    fanOut: fanOutOf(surface, market, draw),
    entities: surface === "chatgpt_live" ? entitiesOf(market, found) : [],
    adverts: advertsOf(asked, market, draw),
    model: models[surface] ?? ""
  }
}

/** The same answer with its second half missing. */
export const cutShort = (answer: LiveAnswer): LiveAnswer => {
  const spans = cutTo(answer.spans, answer.markdown.length >> 1)
  const used = new Set(spans.flatMap(({ cites }) => cites))
  const sources = answer.sources.filter((_source, index) => used.has(index))
  return { ...answer, markdown: textOf(spans), spans, sources }
}

/** The refusal of a surface, in words. */
export const declined = (answer: LiveAnswer): LiveAnswer => {
  const spans = [plain("I’m sorry, but I can’t help with that request.")]
  return { ...answer, markdown: textOf(spans), spans, sources: [], fanOut: [], entities: [], adverts: [] }
}
