import { endOfSources, headsSources } from "@sightline/domain/text/Asides"
import { cellsOf, type Columns, columnsOf, rowBelow } from "./Columns.ts"
import { inContext } from "./HeadContext.ts"
import { type Head, headAt, isAdvice, longestName, named } from "./Head.ts"
import {
  hasKnownBrand,
  isAward,
  isEmphasis,
  isLabelNonEnglish,
  isTitle,
  wordsOf
} from "@sightline/domain/mention/Naming"
import { hanNumerals, isDigit, unitsOf } from "@sightline/domain/text/Letters"
import { isHeader, isRule } from "@sightline/domain/text/TableRule"
import { isGuidance } from "./Guidance.ts"
import { kindsIn } from "./Kinds.ts"
import { isSubjectBefore } from "@sightline/domain/mention/Subjects"
import { numeralAt } from "./Numeral.ts"
import { isIncumbent } from "./Incumbent.ts"
import { headerHeads, rowHeads } from "./TableHeads.ts"
import { headsWithin } from "./WithinLine.ts"

const blanks = unitsOf(" \t")
const hashes = unitsOf("#")
const opensLine = unitsOf(" \t>")
const bullets = unitsOf("-*+•–·‣◦▪●○・")
const followsBullet = unitsOf(" \t\ufe0f")
const opensName = unitsOf('*_["“')
const opensItem = unitsOf(' \t*_["“(【')
// Invisible characters of copied texts: direction marks and others without width.
const unseen = unitsOf("\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufeff")

const skip = (units: ReadonlySet<number>, text: string, at: number, to: number): number => {
  let here = at
  while (here < to && units.has(text.charCodeAt(here))) here++
  return here
}

/** Whether a unit begins an emoji, or is a sign such as ⚡, ★ or → that may serve as a bullet. */
const isSign = (unit: number): boolean =>
  (unit >= 0xd83c && unit <= 0xd83e) || (unit >= 0x2190 && unit < 0x2400) || (unit >= 0x2600 && unit < 0x2c00)

interface Mark {
  /** The nesting depth of the line: headings, then numbered lines, then bullets. */
  readonly level: number
  readonly number: number | undefined
  readonly at: number
  readonly isHeading: boolean
}

/** The list or heading mark that opens the line `[from, to)`, or undefined for prose. */
const markOf = (text: string, from: number, to: number): Mark | undefined => {
  let at = skip(opensLine, text, from, to)
  const indent = at - from
  const afterHashes = skip(hashes, text, at, to)
  const isHeading = afterHashes > at && text.charAt(afterHashes) === " "
  if (isHeading) at = afterHashes
  const unit = text.charCodeAt(at)
  // A medal is a number.
  const isSignBullet = isSign(unit) && numeralAt(text, at, to).number === undefined
  const width = isSignBullet ? (unit < 0xd800 ? 1 : 2) : bullets.has(unit) ? 1 : 0
  // The Japanese bullet needs no space after it.
  const isBullet = width > 0 && (text.charAt(at) === "・" || followsBullet.has(text.charCodeAt(at + width)))
  if (isBullet) at += text.charAt(at) === "・" ? width : width + 1
  at = skip(opensItem, text, at, to)
  const numbered = numeralAt(text, at, to)
  if (!isHeading && !isBullet && numbered.number === undefined) return undefined
  // 一、 numbers sections, and items such as 1. are nested below them.
  const isSection = hanNumerals.includes(text.charAt(at))
  return { level: isHeading ? 0 : (isBullet ? 2 : isSection ? 0.5 : 1) + indent, ...numbered, isHeading }
}

const longestLoneNumber = 5

/** A number alone on a line after an empty one, with its name on the next line: "1\nAcme". */
const loneNumber = (text: string, from: number, to: number): number | undefined => {
  if (to - from > longestLoneNumber || !isDigit(text.charCodeAt(from))) return undefined
  if (from > 0 && text.charAt(from - 2) !== "\n") return undefined
  const found = /^(\d{1,3})[.)]?\s*$/.exec(text.slice(from, to))
  return found === null ? undefined : Number(found[1])
}

/** The mark of a name whose number is alone on the line above. */
const markBelow = (text: string, from: number, to: number, number: number | undefined): Mark | undefined =>
  number === undefined || to - from > longestName
    ? undefined
    : { level: 1, number, at: skip(opensName, text, from, to), isHeading: false }

/** The end of the list of sources that a line heads; the end of the line where it heads none. */
const sourcesUntil = (text: string, from: number, to: number): number =>
  headsSources(text, from, to) ? endOfSources(text, to + 1) - 1 : to

// "Garden of Life", "Second Summit": small words join names, and ordinals open them.
const besideTitle = /(?<=\S )(?:of|the|and|de|in|on|to) |^(?:First|Second|Third|Fifth) /g

/**
 * Whether a bold run in ordinary words is written as a title and is the subject of a sentence: "**Our Place** is good at what it promises".
 */
const isTitledSubject = (text: string, { name, to }: Head): boolean =>
  isTitle(name.replace(besideTitle, "")) && isSubjectBefore(text, to)

// More than a line of any answer has; the bound limits the cost of a hostile one.
const mostBold = 400

const boldHeads = (text: string, from: number, to: number, isKind: (head: Head) => boolean): ReadonlyArray<Head> => {
  const found: Array<Head> = []
  const line = text.slice(from, to)
  let open = line.indexOf("**")
  while (open >= 0 && found.length < mostBold) {
    const close = line.indexOf("**", open + 2)
    if (close < 0) break
    const { number, at } = numeralAt(text, from + open + 2, to)
    const head = headAt(text, at, to, number)
    const isOther = isEmphasis(head.name) || isAdvice(head.name) || isKind(head) || isIncumbent(text, head)
    found.push({
      ...head,
      isName: head.isName && !isOther,
      isSaid: !isOther && isTitledSubject(text, head),
      isRun: true
    })
    open = line.indexOf("**", close + 2)
  }
  return found
}

// A heading is a title more often than a name, unless it is short, a link, or begins with a brand.
const isNameAsHeading = (text: string, head: Head): boolean =>
  (wordsOf(head.name).length <= 4 && !isAward(head.name) && !isLabelNonEnglish(head.name)) ||
  text.charAt(head.from - 1) === "[" ||
  hasKnownBrand(head.name)

/** A line with lists below it. Where it owns them, their items are no heads. */
interface Owner {
  readonly level: number
  readonly owns: boolean
}

// A heading of advice owns all lists up to the next heading.
const guideHeading: Owner = { level: 0, owns: true }
// A line of advice owns all bullets up to a numbered item or a line that introduces other lists.
const guide: Owner = { level: 1.5, owns: true }

/** Whether a line that is no item says that advice is listed below it. */
const guides = (line: string): boolean => isGuidance(line) && /^\*\*|[:：?？][*_\s]*$/.test(line)

// "**Also worth considering**".
const leadsOn = /^\*\*(?=[^*\n]*\b(?:also|others?|more|further|additional|honou?rable|runners)\b)[^*\n]*\*\*[\s:]*$/i

/** The owners of the lists below a line that is no item and no advice. */
const ownersBelow = (line: string, owners: Array<Owner>): Array<Owner> => {
  if (leadsOn.test(line)) return owners.filter((owner) => owner === guideHeading)
  if (/:[*_\s]*$/.test(line.slice(-6))) return owners.filter((owner) => owner === guideHeading)
  return line.startsWith("**") ? owners.filter((owner) => owner !== guide) : owners
}

const hasBar = (text: string, from: number, to: number): boolean =>
  text.slice(from, Math.min(to, from + longestName)).includes("|")

// Items further apart than this are not of one list.
const furthestHead = 4096

/** An answer with at least this many named heads is a structured one; its running text names no further rivals. */
export const structured = 2

/** Whether the last two heads count down and have not reached 1 yet: only a list that reaches 1 ranks. */
const areCountingDown = (heads: ReadonlyArray<Head>): boolean => {
  const last = heads.at(-1)?.number ?? 0
  return last > 1 && heads.at(-2)?.number === last + 1
}

/**
 * The heads of an answer in order: list items, numbered headings, first table cells and bold runs. They are read from `since` to `until`
 * and one head beyond, or as many as continue a countdown. What is nested below a named item describes it, and what is nested below advice
 * is advice: neither is a head. After `first` the bold runs of a structured answer are left out, because neither its rivals nor its numbers
 * are read from them.
 */
export const headsOf = (text: string, since: number, first: number, until: number): ReadonlyArray<Head> => {
  const heads: Array<Head> = []
  const isKind = kindsIn(text)
  const anyBar = text.includes("|")
  let owners: Array<Owner> = []
  let columns: Columns | undefined
  let names = 0
  let from = since
  let beyond = 0
  let numberAbove: number | undefined
  let list = 0
  while (from < text.length && beyond < 1 && from < until + furthestHead) {
    const next = text.indexOf("\n", from)
    const to = next < 0 ? text.length : next
    const count = heads.length
    const opening = skip(unseen, text, from, to)
    const start = skip(blanks, text, opening, to)
    const isRow =
      text.charAt(start) === "|" || (anyBar && hasBar(text, start, to) && (columns !== undefined || isHeader(text, to)))
    const sources = sourcesUntil(text, start, to)
    if (sources > to) {
      from = sources + 1
      continue
    }
    const alone = loneNumber(text, start, to)
    if (alone !== undefined) {
      numberAbove = alone
      from = to + 1
      continue
    }
    const mark =
      start === to || isRow ? undefined : (markOf(text, opening, to) ?? markBelow(text, start, to, numberAbove))
    numberAbove = undefined
    if (mark === undefined ? start < to : mark.isHeading) list++
    if (!isRow) columns = undefined
    if (mark !== undefined) {
      // Each owner is deeper than the one before it.
      while ((owners.at(-1)?.level ?? -1) >= mark.level) owners.pop()
      if (!owners.some(({ owns }) => owns)) {
        const head = headAt(text, mark.at, to, mark.number)
        const isGuide = mark.isHeading && isGuidance(text.slice(mark.at, to))
        const isNameHere =
          mark.number !== undefined || ((!mark.isHeading || isNameAsHeading(text, head)) && !isKind(head))
        const isName = head.isName && !isGuide && isNameHere
        heads.push({ ...head, isName, list: mark.isHeading ? 0 : list, level: mark.level })
        owners.push(isGuide ? guideHeading : { level: mark.level, owns: isName })
      }
    } else if (isRow) {
      const end = Math.min(to, until + furthestHead)
      const cells = isRule(text.slice(from, Math.min(end, from + longestName))) ? [] : cellsOf(text, from, end)
      if (cells.length > 0 && isHeader(text, to)) {
        columns = columnsOf(cells, rowBelow(text, to), from)
        heads.push(...headerHeads(text, cells, columns))
      } else heads.push(...rowHeads(text, cells, columns))
    } else if (start < to && guides(text.slice(start, to))) owners = [guide]
    else if (start < to) {
      const isRead = from < first || from >= until || names < structured
      const end = Math.min(to, until + furthestHead)
      const within = isRead ? headsWithin(text, start, end) : []
      if (isRead) heads.push(...(within.length > 0 ? within : boldHeads(text, from, end, isKind)))
      owners = ownersBelow(text.slice(start, to), owners)
    }
    for (let index = count; index < heads.length; index++) if (heads[index]?.isName === true) names++
    if (from >= until && heads.length > count && !areCountingDown(heads)) beyond++
    from = to + 1
  }
  const inProse = heads.filter(({ isName, isRun }) => isName && isRun !== true).length < structured
  return inContext(text, inProse ? heads.map((head) => (head.isSaid === true ? named(head) : head)) : heads, isKind)
}
