import { withoutSources } from "./text/Asides.ts"
import { capitalsIn } from "./text/Capitals.ts"
import { byLanguage, isEnglish, languageAt, passagesOf } from "./text/PassageLanguage.ts"
import { type Folded, fold } from "./text/Fold.ts"
import { isHomonym, isWordNonEnglish, type Name, recurringNames } from "./mention/Names.ts"
import { brandKey, brandNameIn, hasKnownBrand } from "./mention/Naming.ts"
import { namesBefore } from "./mention/Series.ts"
import { areSeveral, subjectsIn } from "./mention/Subjects.ts"
import { languageOf, subjectsOfLanguage } from "./mention/SubjectsByLanguage.ts"
import { subjectsEuropean, withoutArticle } from "./mention/SubjectsEuropean.ts"
import { brandsMax, firstMentions, type KeyedHead, type NamedBrand } from "./NamedBrand.ts"
import { isReviewer, isUbiquitous, lettersOf, makerOf } from "./text/Vocabulary.ts"

// Names are left out only where at least this many others are left.
const fewestOthers = 2

/** Brands, with products counted as their maker where that is named as well, from the first mention of either: "Samsung … the Galaxy". */
const withMakers = (named: ReadonlyArray<NamedBrand>): ReadonlyArray<NamedBrand> => {
  const names = new Map(named.map(({ key, name }) => [key, name] as const).toReversed())
  return firstMentions(
    named.map((one) => {
      const maker = makerOf(one.key) ?? ""
      const name = names.get(maker)
      return name === undefined ? one : { key: maker, name, from: one.from }
    })
  )
}

const isOfReviewer = ({ key, name }: NamedBrand): boolean =>
  isReviewer(key) || isReviewer(lettersOf(fold(name.replace(/^The /, "")).text))

/** Brands without those that test or judge the others, except for the keys in `apart`, which the answer lists itself. */
const withoutReviewers = (named: ReadonlyArray<NamedBrand>, apart: ReadonlySet<string>): ReadonlyArray<NamedBrand> => {
  const judged = named.filter((one) => apart.has(one.key) || !isOfReviewer(one))
  return judged.length < fewestOthers ? named : judged
}

/**
 * Names without the ubiquitous brands that occur only once, and in no series with another brand. `said` are the keys of brands that are
 * counted in any case.
 */
const withoutUbiquitous = (
  names: ReadonlyArray<Name>,
  text: string,
  said: ReadonlySet<string>
): ReadonlyArray<Name> => {
  const isBeside = ({ key, from, to }: Name): boolean =>
    isUbiquitous(key) &&
    !text.includes(text.slice(from, to), to) &&
    namesBefore(text, from).every((one) => isUbiquitous(one.key))
  const others = names.filter((name) => !isBeside(name))
  return new Set([...others.map(({ key }) => key), ...said]).size < fewestOthers ? names : others
}

/**
 * The names of running text: those that recur or are well known, those in a series with one of them, and those that its sentences are
 * about.
 */
export const brandsInProse = (
  text: string,
  folded: Folded,
  heads: ReadonlyArray<KeyedHead>
): ReadonlyArray<NamedBrand> => {
  const prose = withoutSources(text)
  const capitals = capitalsIn(prose)
  const passages = passagesOf(folded, prose.length)
  const inEnglish = (at: number): boolean => languageAt(passages, at) === "english"
  const { meant, all } = recurringNames(prose, capitals, inEnglish)
  const isKnown = ({ from, to }: Name): boolean => hasKnownBrand(prose.slice(from, to))
  const besideBrands = heads.length > 0 || meant.some(isKnown)
  const language = isEnglish(folded.text) ? undefined : languageOf(prose)
  const within = byLanguage(passages, capitals)
  const found =
    language === undefined
      ? [
          ...subjectsIn(prose, within.get("english") ?? []),
          ...(["german", "european"] as const).flatMap((european) =>
            subjectsEuropean(prose, within.get(european) ?? [], besideBrands)
          )
        ]
      : subjectsOfLanguage(prose, language, besideBrands)
  const subjects = areSeveral(found) ? found : []
  const said = new Set([...heads, ...subjects].map(({ key }) => key))
  const isWithin = (name: Name): boolean =>
    subjects.some(({ from, to }) => from <= name.from && name.to <= to && to - from > name.to - name.from)
  // In "A Zentra oferece" the article is no part of the name.
  const hasArticle = (name: Name): boolean => {
    const written = prose.slice(name.from, name.to)
    const own = withoutArticle(written)
    return own !== written && said.has(brandKey(own))
  }
  const isWord = (name: Name): boolean => {
    const spoken = languageAt(passages, name.from)
    if (spoken === "english") return false
    // German capitalises all nouns.
    const isNoun = spoken === "german" && !said.has(name.key) && (!isKnown(name) || isHomonym(prose, name))
    return isNoun || isWordNonEnglish(prose, name) || hasArticle(name)
  }
  const recurring = firstMentions(meant.length + said.size > 0 ? meant : all()).filter(
    (name, at) =>
      !isWithin(name) &&
      !(said.size > 0 && language?.isNone?.(prose, name) === true) &&
      (at >= brandsMax || !isWord(name))
  )
  const names = withoutUbiquitous(recurring, prose, said)
  const inSeries = names.slice(0, brandsMax).flatMap(({ from }) => namesBefore(text, from))
  const written = [...names, ...inSeries, ...subjects].map(({ key, from, to }) => ({
    key,
    name: text.slice(from, to).trim(),
    from
  }))
  const brands = withoutReviewers(firstMentions([...heads, ...written]), new Set(heads.map(({ key }) => key)))
  return withMakers(brands).map(({ key, name, from }) => ({ key, name: brandNameIn(name), from }))
}
