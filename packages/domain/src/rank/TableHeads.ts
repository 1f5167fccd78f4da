import { areLetters, type Cell, type Columns, isUnusual, placeIn } from "./Columns.ts"
import { type Head, headAt, named } from "./Head.ts"
import { isEmphasis, isMeasure, isNameLike, isTitle, wordsOf } from "@sightline/domain/mention/Naming"
import { isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

/** Whether a row begins with ordinary words ("Speed") and continues with a name in bold. */
const isNeed = ([need, pick]: ReadonlyArray<Cell>): boolean => {
  const name = /^\s*\*\*([^*]+)\*\*\s*$/.exec(pick?.[0] ?? "")?.[1]
  if (need === undefined || name === undefined || need[0].includes("**")) return false
  const words = wordsOf(need[0])
  return isNameLike(name) && !isEmphasis(name) && words.every(isOrdinaryWord) && !isKnownBrand(words.join(""))
}

/** The heads in a table's header: the brands in it, where it does not say what its columns contain. */
export const headerHeads = (
  text: string,
  cells: ReadonlyArray<Cell>,
  { names, place, areBrands, areAcross }: Columns
): ReadonlyArray<Head> => {
  if (names.length > 0 || place > 0 || areBrands || areLetters(cells)) return []
  const heads = cells.slice(1).map(([cell, at]) => headAt(text, at, at + cell.length, undefined))
  const written = heads.filter(({ name }) => !isMeasure(name))
  return areAcross ? written.map(named) : written.filter(({ name }) => isUnusual(name))
}

// What a cell says that names nothing.
const noneThere = /^\s*(?:none|n\/a|same)\s*$/i

/** The heads of a table row: those in the columns of names, else its first cell, or its second where the first is a number or a need. */
export const rowHeads = (
  text: string,
  cells: ReadonlyArray<Cell>,
  columns: Columns | undefined
): ReadonlyArray<Head> => {
  if (columns?.areAcross === true) return []
  const first = placeIn(cells[0])
  const place = columns === undefined || columns.place < 0 ? undefined : placeIn(cells[columns.place])
  const declared = columns?.names ?? []
  const names = declared.length > 0 ? declared : [first === undefined && !isNeed(cells) ? 0 : 1]
  // A cell in a column of names is a name even if its words are ordinary.
  const isDeclared = columns !== undefined && (declared.length > 0 || columns.areBrands)
  // In a row of several names the number belongs to the row, and not to a name.
  const isPlaced = names.length === 1
  return names.flatMap((name) => {
    const cell = cells[name]
    if (cell === undefined || (name > 0 && noneThere.test(cell[0]))) return []
    const written = headAt(text, cell[1], cell[1] + cell[0].length, isPlaced ? (place ?? first) : undefined)
    const head = isDeclared && (isTitle(written.name) || isUnusual(written.name)) ? named(written) : written
    return [place === undefined || columns === undefined || !isPlaced ? head : { ...head, table: columns.table }]
  })
}
