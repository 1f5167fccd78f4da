import { brandKey } from "./mention/Naming.ts"
import { withoutLegalForm } from "./mention/LegalForm.ts"

/** A spelling of a brand in answers, and how many of them have it. */
export interface NameCount {
  readonly name: string
  readonly answers: number
}

/** A brand's share of the namings in answers. Units: `share` 0 to 1. */
export interface BrandShare extends NameCount {
  readonly own: boolean
  readonly share: number
}

const keyOf = (name: string): string => brandKey(withoutLegalForm(name))

const sumOf = (namings: ReadonlyArray<NameCount>): number => namings.reduce((sum, { answers }) => sum + answers, 0)

/** Namings of one spelling added up, such as those of several platforms. */
const spellingsIn = (namings: ReadonlyArray<NameCount>): ReadonlyArray<NameCount> =>
  [...Map.groupBy(namings, ({ name }) => name)].map(([name, same]) => ({ name, answers: sumOf(same) }))

/** The spellings of one brand added up, under the most frequent one. */
const merged = (spellings: ReadonlyArray<NameCount>): NameCount => {
  const [commonest = { name: "", answers: 0 }] = spellings.toSorted(before)
  return { name: commonest.name, answers: sumOf(spellings) }
}

const before = (a: NameCount, b: NameCount): number => b.answers - a.answers || (a.name < b.name ? -1 : 1)

/**
 * How the namings in answers are divided among brands, the most named first.
 *
 * Shape: `own` is the tracked brand and the number of answers that name it, as the detector found; entries of `namings` for it are left
 * out. At most `most` brands, always with the own one, under its tracked name. `further` is the number of namings of other brands that are
 * not listed one by one.
 * Laws: namings of the same name add up; spellings that differ in case, accents or legal form are one brand; the shares of all brands, with
 * those of `further`, add up to 1.
 */
export const shareOfVoice = (
  own: NameCount,
  namings: ReadonlyArray<NameCount>,
  most: number,
  further = 0
): ReadonlyArray<BrandShare> => {
  const brands = Map.groupBy(spellingsIn(namings), ({ name }) => keyOf(name))
  brands.delete(keyOf(own.name))
  const others = Array.from(brands.values(), merged)
  const total = own.answers + sumOf(others) + further
  const voice = (naming: NameCount): BrandShare => ({
    ...naming,
    own: naming === own,
    share: total === 0 ? 0 : naming.answers / total
  })
  const all = [own, ...others].sort(before)
  const shown = all.slice(0, most)
  return (shown.includes(own) ? shown : [...shown.slice(0, -1), own]).map(voice)
}
