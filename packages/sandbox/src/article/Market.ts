import { type Dice, dice } from "@sightline/sandbox/Dice"
import type { Asked } from "@sightline/sandbox/Inquiry"
import { brandsNamed, inventBrands, topicOf } from "./Topic.ts"
import type { Topic } from "./Topics.ts"

/** The brands that one answer is about, best first, and those of them that the question named. */
export interface Market {
  readonly topic: Topic
  readonly picks: readonly [string, ...Array<string>]
  readonly named: ReadonlyArray<string>
}

/** How far an engine's taste moves a brand from its place by fame; a larger value gives more variety. */
const taste = 5

const byTaste = (brands: ReadonlyArray<string>, draw: Dice): ReadonlyArray<string> =>
  brands
    .map((brand, fame) => ({ brand, score: fame * 0.55 + draw.next() * taste }))
    .sort((left, right) => left.score - right.score)
    .map(({ brand }) => brand)

/**
 * Chooses the brands of an answer.
 *
 * Laws: brands that the question names are always among them; the order depends on the seed, the vendor, the model, the
 * country, the city and the question; the small brands of a market are the same for every vendor.
 */
export const marketOf = (seed: number, asked: Asked): Market => {
  const { question, vendor, model, country, city } = asked
  const draw = dice(seed, "market", vendor, model, country, city, question)
  const mentioned = brandsNamed(question)
  const topic = topicOf(question, mentioned, (noun) => dice(seed, "brands", noun))
  const newcomers = inventBrands(dice(seed, "newcomers", topic.noun), 2)
  const pool = [...topic.brands, ...newcomers]
  const named = mentioned.map((name) => pool.find((brand) => brand.toLowerCase() === name.toLowerCase()) ?? name)
  const others = byTaste(pool, draw).filter((brand) => !named.includes(brand))
  const [first = topic.noun, ...rest] =
    named.length > 1 ? [...draw.shuffle(named), ...others.slice(0, 2 + draw.below(3))] : withNamed(others, named, draw)
  return { topic, picks: [first, ...rest], named }
}

const withNamed = (others: ReadonlyArray<string>, named: ReadonlyArray<string>, draw: Dice): ReadonlyArray<string> => {
  const picks = others.slice(0, 6 + draw.below(3))
  return picks.toSpliced(draw.below(3), 0, ...named)
}
