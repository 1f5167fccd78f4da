import { brandKey } from "./mention/Naming.ts"
import { withoutLegalForm } from "./mention/LegalForm.ts"

/** A brand as it is spelled in answers, and how many of them spell it so. */
export interface Naming {
  readonly name: string
  readonly answers: number
}

/** A brand's part in what answers say. Units: `share` 0 to 1. */
export interface Voice extends Naming {
  readonly own: boolean
  readonly share: number
}

const keyOf = (name: string): string => brandKey(withoutLegalForm(name))

const sumOf = (namings: ReadonlyArray<Naming>): number => namings.reduce((sum, { answers }) => sum + answers, 0)

/** Namings of one spelling as one, such as those of several platforms. */
const spellingsIn = (namings: ReadonlyArray<Naming>): ReadonlyArray<Naming> =>
  [...Map.groupBy(namings, ({ name }) => name)].map(([name, same]) => ({ name, answers: sumOf(same) }))

/** The spellings of one brand as one, under the commonest. */
const merged = (spellings: ReadonlyArray<Naming>): Naming => {
  const [commonest = { name: "", answers: 0 }] = spellings.toSorted(before)
  return { name: commonest.name, answers: sumOf(spellings) }
}

const before = (a: Naming, b: Naming): number => b.answers - a.answers || (a.name < b.name ? -1 : 1)

/**
 * How the answers' namings of brands are divided among them, the most named first.
 *
 * Shape: `own` is the followed brand and the number of answers that name it, as the detector found; what else `namings` hold
 * of it is left out. At most `most`, and always the own one, under the name it is followed by. `further` are namings of other
 * brands that are not told apart.
 * Laws: namings of the same name add up; spellings that differ in case, accents or legal form are one brand; the shares of all brands, with those of `further`, add up to 1.
 */
export const voices = (
  own: Naming,
  namings: ReadonlyArray<Naming>,
  most: number,
  further = 0
): ReadonlyArray<Voice> => {
  const brands = Map.groupBy(spellingsIn(namings), ({ name }) => keyOf(name))
  brands.delete(keyOf(own.name))
  const others = Array.from(brands.values(), merged)
  const total = own.answers + sumOf(others) + further
  const voice = (naming: Naming): Voice => ({
    ...naming,
    own: naming === own,
    share: total === 0 ? 0 : naming.answers / total
  })
  const all = [own, ...others].sort(before)
  const shown = all.slice(0, most)
  return (shown.includes(own) ? shown : [...shown.slice(0, -1), own]).map(voice)
}
