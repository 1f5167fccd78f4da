import type { Answer } from "./Answer.ts"
import { brandsInProse } from "./BrandsInProse.ts"
import { brandsMax, firstMentions, type KeyedHead, type NamedBrand, type RankedBrand } from "./NamedBrand.ts"
import { Asides } from "./text/Asides.ts"
import { type Folded, fold } from "./text/Fold.ts"
import { chainHeads } from "./rank/Chain.ts"
import { colonHeads } from "./rank/ColonHeads.ts"
import type { Head } from "./rank/Head.ts"
import { headsOf, structured } from "./rank/Heads.ts"
import { lineHeads } from "./rank/LineHeads.ts"
import { htmlAsMarkdown } from "./text/HtmlAsMarkdown.ts"
import { brandKey, brandNameIn, namings, wordsOf } from "./mention/Naming.ts"
import { type Needle, needleOf } from "./mention/Needle.ts"
import { rankingList } from "./rank/Ordinal.ts"
import { statedPlaces } from "./rank/StatedPlaces.ts"
import { isIncumbent } from "./rank/Incumbent.ts"
import { verdictHeads } from "./rank/Verdict.ts"

const longestBrand = 100

// Many times the length of an answer, in UTF-16 units: text further below is about something else.
export const furthestRead = 64 * 1024

/** The surface's own entities that its text names, each once, the shortest first. */
const onSurface = ({ text, origin }: Folded, names: ReadonlyArray<string>): ReadonlyArray<NamedBrand> => {
  const entities = new Map(names.map((name) => [fold(name).text.trim(), name.trim()] as const).toReversed())
  return [...entities]
    .flatMap(([whole, name]) => {
      const at = namings(text, whole).next().value
      return at === undefined ? [] : [{ key: brandKey(name), name, from: origin(at) }]
    })
    .toSorted((a, b) => a.name.length - b.name.length)
}

/** The heads, each with the key of its brand's shortest name among them: "Segway Navimow" beside "Segway" is of that brand. */
const shortest = (heads: ReadonlyArray<KeyedHead>): ReadonlyArray<KeyedHead> => {
  const keys = new Set(heads.filter(({ key, name }) => key === wordsOf(name)[0]).map(({ key }) => key))
  return heads.map((head) => {
    const [first = ""] = wordsOf(head.name)
    // A name with a sign is a different one: Disney+.
    return head.key !== first && keys.has(first) && !/[+#]/.test(head.name) ? { ...head, key: first } : head
  })
}

/** The brands that heads name, each from where the answer itself first mentions it by that name. */
const inStructure = (text: string, folded: Folded, heads: ReadonlyArray<KeyedHead>): ReadonlyArray<NamedBrand> => {
  const asides = new Asides(folded.text)
  const appearance = (name: string, from: number): number => {
    const form = fold(name).text
    for (const at of namings(folded.text, form)) {
      const earlier = folded.origin(at)
      if (earlier >= from) break
      if (text.startsWith(name, earlier) && asides.hiddenUntil(at, at + form.length) === 0) return earlier
    }
    return from
  }
  return firstMentions(shortest(heads)).map(({ key, name, from }, place) => {
    const brand = brandNameIn(name)
    return { key, name: brand, from: place < brandsMax ? appearance(brand, from) : from }
  })
}

// A single further name may belong to a feature of the last bold brand, or to what it is compared with.
const fewestFurther = 2

/**
 * The brands of an answer whose heads name two or more, and of its chain. Where all but one of the heads are bold runs in prose, the brands
 * are those of the prose instead, if it names two or more after the last head, or more than twice as many as the heads.
 */
const inHeads = (
  text: string,
  folded: Folded,
  heads: ReadonlyArray<KeyedHead>,
  all: ReadonlyArray<KeyedHead>
): ReadonlyArray<NamedBrand> => {
  if (heads.filter(({ isRun }) => isRun !== true).length < structured) {
    const written = brandsInProse(text, folded, all)
    const stressed = Math.max(...heads.map(({ to }) => to))
    const further = written.filter(({ from }) => from > stressed).length
    if (further >= fewestFurther || written.length > 2 * firstMentions(shortest(heads)).length) return written
  }
  return inStructure(text, folded, all)
}

/** Brands in the order of their first mentions, without those that are too long for a name. */
const inOrder = (brands: ReadonlyArray<NamedBrand>): ReadonlyArray<NamedBrand> =>
  brands.toSorted((a, b) => a.from - b.from).filter(({ name }) => name.length <= longestBrand)

/** The brands of running text, incumbents after the others: "Alternatives to Acme include Bolt." */
const incumbentsLast = (text: string, brands: ReadonlyArray<NamedBrand>): ReadonlyArray<NamedBrand> => {
  const incumbents = new Set(brands.filter(({ name, from }) => isIncumbent(text, { from, to: from + name.length })))
  return [...brands.filter((brand) => !incumbents.has(brand)), ...incumbents]
}

/** The numbers of heads by their brands. */
const numbersOf = (heads: ReadonlyArray<KeyedHead>): ReadonlyMap<string, number> =>
  new Map(heads.flatMap(({ key, number }) => (number === undefined ? [] : [[key, number] as const])).toReversed())

/** Brands in their order, but moved to their numbers. Those without a number fill the places between. */
const inPlaces = (
  brands: ReadonlyArray<NamedBrand>,
  numbers: ReadonlyMap<string, number>
): ReadonlyArray<NamedBrand> => {
  const numberOf = ({ key }: NamedBrand): number => numbers.get(key) ?? 0
  const others = brands.filter((brand) => numberOf(brand) === 0)
  const placed: Array<NamedBrand> = []
  for (const brand of brands.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(others.length))
    placed.push(...others.splice(0, numberOf(brand) - placed.length - 1), brand)
  return [...placed, ...others]
}

/**
 * Brands in their order with the place of each: the printed or stated one if it is after the place before or is printed for both, else the
 * next one.
 */
const withPlaces = (
  brands: ReadonlyArray<NamedBrand>,
  printed: ReadonlyMap<string, number>,
  stated: ReadonlyMap<string, number>
): ReadonlyArray<RankedBrand> => {
  let [place, shared] = [0, 0]
  return brands.map((brand) => {
    const said = stated.get(brand.key)
    const number = said ?? printed.get(brand.key) ?? 0
    place = said === undefined && number > 0 && number === shared ? place : Math.max(number, place + 1)
    shared = said === undefined && number === place ? number : 0
    return { ...brand, place }
  })
}

/** The part of an answer that its brands are read from. */
export type AnswerText = Pick<Answer, "text" | "brandEntities">

const readIn = ({ text: whole, brandEntities }: AnswerText, folded: Folded): ReadonlyArray<RankedBrand> => {
  const text = htmlAsMarkdown(whole.slice(0, furthestRead))
  const surfaceNames = brandEntities.map(({ name }) => name)
  const keyed = (head: Head): KeyedHead => Object.assign({ key: brandKey(head.name) }, head)
  const heads = headsOf(text, 0, text.length, text.length).map(keyed)
  const named = heads.filter(({ isName }) => isName)
  if (surfaceNames.length === 0 && named.length < structured)
    named.push(...[...lineHeads(text), ...colonHeads(text)].map(keyed))
  const list = rankingList(heads)
  const chain = chainHeads(text, list.length > 0).map(keyed)
  const verdict = chain.length > 0 || list.length > 0 ? [] : verdictHeads(text).map(keyed)
  const all = [...named, ...chain, ...verdict]
  const brands =
    surfaceNames.length > 0
      ? inOrder(onSurface(folded, surfaceNames))
      : named.length >= structured
        ? inOrder(inHeads(text, folded, named, all))
        : incumbentsLast(text, inOrder(brandsInProse(text, folded, all)))
  const printed = numbersOf(list)
  const stated =
    chain.length > 0
      ? numbersOf(chain)
      : verdict.length > 0
        ? new Map([...statedPlaces(text, brands.slice(0, brandsMax), false), ...numbersOf(verdict)])
        : statedPlaces(text, brands.slice(0, brandsMax), list.length > 0)
  return withPlaces(inPlaces(inPlaces(brands, printed), stated), printed, stated)
}

const remembered = new WeakMap<AnswerText, ReadonlyArray<RankedBrand>>()

/**
 * The brands that an answer names, each once, in the order of their ranks.
 *
 * Shape: the surface's own entities that its text names; without any, the names where a structured answer puts them, and in running text
 * the names that recur or are well known. Read from the first 64 Ki units of a text; `folded` is all of it folded, where the caller has it.
 * Laws: the same whichever brand was asked for, so they are cached for as long as the answer is in memory, if they are at most 50.
 * Source: decisions C5.
 */
export const brandsNamed = (answer: AnswerText, folded?: Folded): ReadonlyArray<RankedBrand> => {
  const known = remembered.get(answer)
  if (known !== undefined) return known
  const brands = readIn(answer, folded ?? fold(answer.text))
  if (brands.length <= brandsMax) remembered.set(answer, brands)
  return brands
}

/** The brands of an answer in the order of their ranks, as they are written at their first mention. At most 50. */
export const brandsIn = (answer: AnswerText): ReadonlyArray<string> =>
  brandsNamed(answer)
    .slice(0, brandsMax)
    .map(({ name }) => name)

/** The index of a brand among brands, by its whole name or else by the brand in it; -1 where it is not among them. */
export const placeAmong = (
  brands: ReadonlyArray<Pick<NamedBrand, "key" | "name">>,
  { names, key }: Needle["called"]
): number => {
  const place = brands.findIndex(({ name }) => names.includes(fold(name).text.trim()))
  return place >= 0 || key === "" ? place : brands.findIndex((brand) => brand.key === key)
}

/**
 * The brands of an answer, with a brand that was found at a rank moved or added there.
 * Laws: no other brand is lost; the brand is the `rank`-th, or the last where fewer are named.
 */
export const brandsWith = (brands: ReadonlyArray<string>, brand: string, rank: number): ReadonlyArray<string> => {
  const place = placeAmong(
    brands.map((name) => ({ key: brandKey(name), name })),
    needleOf(brand).called
  )
  return brands.filter((_, index) => index !== place).toSpliced(rank - 1, 0, brands[place] ?? brand)
}
