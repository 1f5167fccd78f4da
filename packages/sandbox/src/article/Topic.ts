import type { Dice } from "@sightline/sandbox/Dice"
import { generic, type Topic, topics } from "./Topics.ts"

const fillers = new Set(
  (
    "a an the is are was do does did can could should would will i me my we our you your it its they what which who where " +
    "when why how of in on at to for from with by about and or vs versus between than that this these those there best top " +
    "good great better leading popular recommended recommend suggest cheapest cheap affordable reliable tell give list find " +
    "need want looking compare use buy get please most really any some right now today actually people have has not"
  ).split(" ")
)
const cue =
  /\b(?:best|top(?: \d+)?|good|great|leading|popular|recommended|cheapest|affordable|reliable)\s+(?:rated\s+)?([\p{L}\p{N}'’ -]+)/iu
const boundary = /\s(?:for|in|under|with|near|that|to|on|of|from|who|which|when|below|around|at|and|or|vs|versus)\s.*$/i

/** The product that is asked for, in the question's own words: "best vegan protein powder for runners" → "vegan protein powder". */
const nounOf = (question: string): string => {
  const named = cue.exec(question)?.[1]?.replace(boundary, "")
  const words = (named ?? question)
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’-]+/u)
    .filter((word) => word !== "" && !fillers.has(word))
  return words.slice(0, 3).join(" ") || "options"
}

const heads =
  "Nor Vel Lum Tar Bri Kel Ost Pla Mar Hal Quo Sil Fen Ald Cor Dra Eon Zim Bel Rov Tas Wil Ard Sol Pen Cas Hav Jun".split(
    " "
  )
const tails =
  "vara iva nest field ora via wick mont crest path loop dale grove ster lume stead ista qo mira well ton elle".split(
    " "
  )
const shapes = [
  (head: string, tail: string) => `${head}${tail}`,
  (head: string, tail: string) => `${head}${tail}`,
  (head: string, tail: string) => `${head}${tail}`,
  (head: string, tail: string) => `${head}${tail} & Co`,
  (head: string) => `Maison ${head}é`,
  (head: string, tail: string) => `${head} ${tail.charAt(0).toUpperCase()}${tail.slice(1)}`
] as const

/** Plausible brand names that belong to no known company, all different. */
export const inventBrands = (dice: Dice, count: number): ReadonlyArray<string> =>
  dice
    .shuffle(heads)
    .slice(0, count)
    .map((head) => dice.pick(shapes)(head, tails[dice.below(tails.length)] ?? ""))

/**
 * The topic of a question: a known one whose words it uses, else a known one whose brands it names, else one made of the
 * question's own words with invented brands.
 */
export const topicOf = (question: string, named: ReadonlyArray<string>, market: (noun: string) => Dice): Topic => {
  const known =
    topics.find(({ words }) => words.test(question)) ??
    topics.find(({ brands }) => brands.some((brand) => named.includes(brand)))
  if (known !== undefined) return known
  const noun = nounOf(question)
  return { noun, words: /$^/, brands: inventBrands(market(noun), 10), ...generic }
}

const openers = new Set(
  (
    "What Which Who Where When Why How Is Are Do Does Did Can Could Should Would Will I I'm I’m My We The A An Best Top Give List Tell " +
    "Find Compare Recommend Suggest Please Looking Help Name CRM SEO AI TV US USA UK EU EV VPN B2B SaaS API PC IT HR USD"
  ).split(" ")
)
const capitalised =
  /(?<!\b(?:in|near|from|at)\s)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.&+-]*(?:\s(?:&\s)?\p{Lu}[\p{L}\p{N}'’.&+-]*)*/gu

/** The brands that a question itself names, at most four: capitalised runs of words that are neither opening words nor places. */
export const brandsNamed = (question: string): ReadonlyArray<string> => {
  const words = question.split(/\s+/)
  // In a headline every word is capitalised, so capitals do not mark brands.
  if (words.length > 4 && words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length * 0.7) return []
  const runs = Array.from(question.matchAll(capitalised), ([run]) =>
    run
      .split(" ")
      .filter((word) => !openers.has(word.replace(/[.?!,]+$/, "")))
      .join(" ")
      .replace(/[.'’-]+$|['’]s$/u, "")
  )
  return Array.from(new Set(runs.filter((run) => run.length > 1))).slice(0, 4)
}
