import { type Cell, cellsOf, type Columns, columnsOf, isHeader, isRule, placeIn } from "./Columns.ts"
import {
  brandKey,
  isAward,
  isEmphasis,
  isLabelElsewhere,
  isNameLike,
  isPurpose,
  isStep,
  isTitle,
  wordsOf
} from "./Naming.ts"
import { isLetter } from "./Letters.ts"
import { numeralAt } from "./Numeral.ts"
import { isKnownBrand, isOrdinaryWord } from "./Vocabulary.ts"

/**
 * A place where a structured answer puts the name of what it is about to describe.
 *
 * Units: offsets in the text as written; `number` is the ordinal printed before it, if any.
 */
export interface Head {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly number: number | undefined
  /** False for headings and attributes ("Pros", "Best overall"), which name no brand. */
  readonly isName: boolean
  /** Where the table begins whose column of places has the number. */
  readonly table?: number
}

const isOneOf = (characters: string, text: string, at: number): boolean =>
  at < text.length && characters.includes(text.charAt(at))

const skip = (characters: string, text: string, at: number, to: number): number => {
  let here = at
  while (here < to && characters.includes(text.charAt(here))) here++
  return here
}

// The units that emoji begin with.
const emoji = new Set([0xd83c, 0xd83d, 0xd83e])

interface Mark {
  /** How deep the line stands: headings above numbered lines above bullets. */
  readonly level: number
  readonly number: number | undefined
  readonly at: number
  readonly isHeading: boolean
}

/** The list or heading mark that opens the line `[from, to)`, or undefined for prose. */
const markOf = (text: string, from: number, to: number): Mark | undefined => {
  let at = skip(" \t>", text, from, to)
  const indent = at - from
  const afterHashes = skip("#", text, at, to)
  const isHeading = afterHashes > at && isOneOf(" ", text, afterHashes)
  if (isHeading) at = afterHashes
  // A medal is a number.
  const isEmojiBullet = emoji.has(text.charCodeAt(at)) && numeralAt(text, at, to).number === undefined
  const width = isEmojiBullet ? 2 : isOneOf("-*+•–·‣◦▪●○✅✔➤", text, at) ? 1 : 0
  const isBullet = width > 0 && isOneOf(" \t\ufe0f", text, at + width)
  if (isBullet) at += width + 1
  at = skip(' \t*_["“(【', text, at, to)
  const numbered = numeralAt(text, at, to)
  if (!isHeading && !isBullet && numbered.number === undefined) return undefined
  return { level: isHeading ? 0 : (isBullet ? 2 : 1) + indent, ...numbered, isHeading }
}

const longestName = 90
// Markup, medals and other signs before a name.
const longestLead = 24

/** Where the name that begins at `from` ends: at punctuation, a dash, a bracket or the close of its markup. */
const endOfName = (text: string, from: number, to: number): number => {
  const limit = Math.min(to, from + longestName)
  for (let at = from; at < limit; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 64 && unit < 91) continue
    if (unit > 96 && unit < 123) continue
    if (unit === 32) continue
    const character = text.charAt(at)
    if (":(|–—]".includes(character)) return at
    const next = text.charAt(at + 1)
    if (".,;!?".includes(character) && (next === " " || at + 1 === to)) return at
    if ((character === "*" || character === "_") && next === character) return at
    if (character === "-" && next === " " && text.charAt(at - 1) === " ") return at
  }
  return limit
}

const named = (head: Head): Head => ({ ...head, isName: true })
const unnamed = (head: Head): Head => ({ ...head, isName: false })

const isGivingWay = /^[*_\])]*\s*(?::|[–—-]\s)/

/** Whether a phrase is advice ("start small with Acme") where a name would stand. */
const isAdvice = (phrase: string): boolean =>
  /^(?!the\s)\p{Ll}/u.test(phrase) && isOrdinaryWord(wordsOf(phrase)[0] ?? "")

/** The name that begins at `at`; an award or a purpose before a colon ("Best overall: Acme") gives way to what follows it. */
const headAt = (text: string, at: number, to: number, number: number | undefined): Head => {
  let from = at
  while (from < to && from - at < longestLead && text.charAt(from) !== "|" && !startsName(text, from)) from++
  const name = text.slice(from, endOfName(text, from, to)).trim()
  const head = { name, from, to: from + name.length, number, isName: isNameLike(name) }
  const isElsewhere = isLabelElsewhere(name)
  if (head.to >= to || !(isElsewhere || (!head.isName && (isAward(name) || isPurpose(name))))) return head
  if (!isGivingWay.test(text.slice(head.to, head.to + 8))) return head
  const winner = headAt(text, head.to, to, number)
  if (isElsewhere) return winner.isName ? winner : unnamed(head)
  if (!isAward(name) && isAdvice(winner.name)) return head
  return isTitle(winner.name) ? named(winner) : winner
}

const startsName = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  // Surrogates are emoji here: medals and the like.
  return isLetter(unit) && (unit < 0xd800 || unit > 0xdfff)
}

const longestAward = 40

/** Who has the award that opens a line of prose ("Best overall: Acme"); nothing where a line opens otherwise. */
const awarded = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  const colon = text.slice(from, Math.min(to, from + longestAward)).indexOf(": ")
  if (colon < 0 || !isLetter(text.charCodeAt(from))) return []
  const head = headAt(text, from, to, undefined)
  return head.isName && head.from > from + colon ? [head] : []
}

/** Whether a row begins with ordinary words ("Speed") and goes on with a name in bold. */
const isNeed = ([need, pick]: ReadonlyArray<Cell>): boolean => {
  const name = /^\s*\*\*([^*]+)\*\*\s*$/.exec(pick?.[0] ?? "")?.[1]
  if (need === undefined || name === undefined || need[0].includes("**")) return false
  const words = wordsOf(need[0])
  return isNameLike(name) && !isEmphasis(name) && words.every(isOrdinaryWord) && !isKnownBrand(words.join(""))
}

/** The heads of a table's header: brands across it, where it does not say what its columns hold. */
const headerHeads = (text: string, cells: ReadonlyArray<Cell>, { name, place }: Columns): ReadonlyArray<Head> => {
  if (name > 0 || place > 0) return []
  const heads = cells.slice(1).map(([cell, at]) => headAt(text, at, at + cell.length, undefined))
  return heads.filter(({ name }) => wordsOf(name).some((word) => !isOrdinaryWord(word) || isKnownBrand(word)))
}

/** The head of a table row: in the column of names, else its first cell, or its second where the first numbers or says for what. */
const rowHeads = (text: string, cells: ReadonlyArray<Cell>, columns: Columns | undefined): ReadonlyArray<Head> => {
  const number = placeIn(cells[0])
  const place = columns === undefined || columns.place < 0 ? undefined : placeIn(cells[columns.place])
  const name =
    columns === undefined || columns.name <= 0 ? (number === undefined && !isNeed(cells) ? 0 : 1) : columns.name
  const cell = cells[name]
  if (cell === undefined) return []
  const head = headAt(text, cell[1], cell[1] + cell[0].length, place ?? number)
  return [place === undefined || columns === undefined ? head : { ...head, table: columns.table }]
}

const boldHeads = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  const found: Array<Head> = []
  const line = text.slice(from, to)
  let open = line.indexOf("**")
  while (open >= 0) {
    const close = line.indexOf("**", open + 2)
    if (close < 0) break
    const { number, at } = numeralAt(text, from + open + 2, to)
    const head = headAt(text, at, to, number)
    found.push(isEmphasis(head.name) ? unnamed(head) : head)
    open = line.indexOf("**", close + 2)
  }
  return found
}

// A heading is a title more often than a name, unless it is short, a link, or begins with a brand.
const isNameAsHeading = (text: string, head: Head): boolean =>
  (wordsOf(head.name).length <= 4 && !isAward(head.name)) ||
  text.charAt(head.from - 1) === "[" ||
  isKnownBrand(brandKey(head.name))

// "Tally Go" is a name because "Corvane Lite" is the item beside it.
const isNamedByCompany = (head: Head, before: Head | undefined, after: Head | undefined): boolean =>
  !head.isName &&
  head.number !== undefined &&
  isTitle(head.name) &&
  [before, after].some((other) => other?.isName === true && Math.abs((other.number ?? 0) - (head.number ?? 0)) === 1)

// "Choose Acme" names nothing beside "Open settings".
const isStepBeside = (head: Head, before: Head | undefined, after: Head | undefined): boolean =>
  head.number !== undefined &&
  isStep(head.name) &&
  [before, after].some((other) => other !== undefined && isStep(other.name))

// A list whose next item lies further below than this is not one list.
const furthestHead = 4096

/** An answer with at least this many named heads is a structured one; its running text names no further rivals. */
export const structured = 2

/**
 * The heads of an answer in order from `since` to `until` and one head beyond: list items, numbered headings, first
 * table cells and bold runs. What stands below a named item describes it and is no head. Past `first`, the bold runs of
 * a structured answer are left out, as neither its rivals nor its numbers are read from them.
 */
export const headsOf = (text: string, since: number, first: number, until: number): ReadonlyArray<Head> => {
  const heads: Array<Head> = []
  let owners: Array<{ readonly level: number; readonly isName: boolean }> = []
  let columns: Columns | undefined
  let names = 0
  let from = since
  let beyond = 0
  while (from < text.length && beyond < 1 && from < until + furthestHead) {
    const next = text.indexOf("\n", from)
    const to = next < 0 ? text.length : next
    const count = heads.length
    const start = skip(" \t", text, from, to)
    const isRow = text.charAt(start) === "|"
    const mark = start === to || isRow ? undefined : markOf(text, from, to)
    if (!isRow) columns = undefined
    if (mark !== undefined) {
      owners = owners.filter((owner) => owner.level < mark.level)
      if (!owners.some((owner) => owner.isName)) {
        const head = headAt(text, mark.at, to, mark.number)
        const isName = head.isName && (!mark.isHeading || mark.number !== undefined || isNameAsHeading(text, head))
        heads.push(isName === head.isName ? head : { ...head, isName })
        owners.push({ level: mark.level, isName })
      }
    } else if (isRow) {
      const end = Math.min(to, until + furthestHead)
      const cells = isRule(text.slice(from, Math.min(end, from + longestName))) ? [] : cellsOf(text, from, end)
      if (cells.length > 0 && isHeader(text, to)) {
        columns = columnsOf(cells, from)
        heads.push(...headerHeads(text, cells, columns))
      } else heads.push(...rowHeads(text, cells, columns))
    } else if (start < to) {
      const isRead = from < first || from >= until || names < structured
      const end = Math.min(to, until + furthestHead)
      const winners = isRead ? awarded(text, start, end) : []
      if (isRead) heads.push(...(winners.length > 0 ? winners : boldHeads(text, from, end)))
      if (/:[*_\s]*$/.test(text.slice(Math.max(from, to - 6), to))) owners = []
    }
    for (let index = count; index < heads.length; index++) if (heads[index]?.isName === true) names++
    if (from >= until && heads.length > count) beyond++
    from = to + 1
  }
  return heads.map((head, index) => {
    if (isStepBeside(head, heads[index - 1], heads[index + 1])) return unnamed(head)
    return isNamedByCompany(head, heads[index - 1], heads[index + 1]) ? named(head) : head
  })
}
