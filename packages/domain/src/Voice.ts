import { brandKey } from "./Naming.ts"
import { withoutLegalForm } from "./Needle.ts"

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

/** The spellings of one brand as one, under the commonest. */
const merged = (namings: ReadonlyArray<Naming>): ReadonlyArray<Naming> => {
  const brands = new Map<string, Array<Naming>>()
  for (const naming of namings) {
    const key = keyOf(naming.name)
    const spellings = brands.get(key)
    if (spellings === undefined) brands.set(key, [naming])
    else spellings.push(naming)
  }
  return [...brands.values()].map((spellings) => {
    const [commonest = { name: "", answers: 0 }] = spellings.toSorted(before)
    return { name: commonest.name, answers: spellings.reduce((sum, { answers }) => sum + answers, 0) }
  })
}

const before = (a: Naming, b: Naming): number => b.answers - a.answers || (a.name < b.name ? -1 : 1)

/**
 * How the answers' namings of brands are divided among them, the most named first.
 *
 * Shape: `own` is the followed brand and the number of answers that name it, as the detector found; what else `namings` hold
 * of it is left out. At most `most`, and always the own one, under the name it is followed by.
 * Laws: spellings that differ in case, accents or legal form are one brand; the shares of all brands add up to 1.
 */
export const voices = (own: Naming, namings: ReadonlyArray<Naming>, most: number): ReadonlyArray<Voice> => {
  const key = keyOf(own.name)
  const others = merged(namings.filter(({ name }) => keyOf(name) !== key))
  const total = others.reduce((sum, { answers }) => sum + answers, own.answers)
  const voice = (naming: Naming): Voice => ({
    ...naming,
    own: naming === own,
    share: total === 0 ? 0 : naming.answers / total
  })
  const all = [own, ...others].sort(before)
  const shown = all.slice(0, most)
  return (shown.includes(own) ? shown : [...shown.slice(0, -1), own]).map(voice)
}
