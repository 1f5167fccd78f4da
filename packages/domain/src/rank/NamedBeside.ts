import { type Head, isUnknownInSmall } from "./Head.ts"
import { isIncumbent } from "./Incumbent.ts"
import { isTitle } from "@sightline/domain/mention/Naming"
import { isLetter, unitsOf } from "@sightline/domain/text/Letters"

// Which of the heads in ordinary words are names, as the heads beside them or other places in the text show.

/** The depth of a heading; 0 for a head that is none. */
export const depthOf = (text: string, { from }: Head): number =>
  /^[\s>]*(#*)/.exec(text.slice(text.lastIndexOf("\n", from) + 1, from))?.[1]?.length ?? 0

// Marks that close a head, and the greatest length of the address or remark in brackets after it.
const closes = unitsOf("*_)]")
const longestLink = 200
// "**Pros:**" on the line below.
const labelBelow = /\n\s*((?:[-*•]\s+)?\*\*[^*\n]{2,24})/uy

const line = "line"
const colon = "colon"
const value = "value"
const dash = "dash"
const sentence = "sentence"

/** The end of a head, after its closing marks and a link's address or a remark in brackets. */
const closeOf = (text: string, { to }: Head): number => {
  let at = to
  while (closes.has(text.charCodeAt(at))) at++
  const bracket = text.charAt(at) === " " ? at + 1 : at
  if (text.charAt(bracket) !== "(") return at
  const length = text.slice(bracket, bracket + longestLink).indexOf(")") + 1
  if (length === 0) return at
  at = bracket + length
  while (closes.has(text.charCodeAt(at))) at++
  return at
}

/**
 * How the text continues after a head: in the same sentence, with a dash, a colon or another mark, or on the next line, and with which
 * label there.
 */
const continuation = (text: string, head: Head): string => {
  const close = closeOf(text, head)
  const at = text.charAt(close) === " " ? close + 1 : close
  const next = text.charAt(at)
  if (next === "\n" || next === "") {
    labelBelow.lastIndex = at
    return labelBelow.exec(text)?.[1] ?? line
  }
  // "**Power Output: 100 W**" is an attribute with its value, "**Power Output:** …" may be an item.
  if (next === ":")
    return text.charAt(head.from - 1) === "*" && at === head.to && text.charAt(at + 1) !== "*" ? value : colon
  if ("–—-".includes(next)) return text.charAt(at + 1) === " " ? dash : next
  return isLetter(next.charCodeAt(0)) || ".,;!".includes(next) ? sentence : next
}

/** The form of a head: how the text continues after it, its level and depth, and whether it is numbered and marked up. */
const formOf = (text: string, head: Head): string => {
  const opening = text.charAt(head.from - 1)
  const isMarked = opening === "*" || opening === "["
  const depth = head.level === 0 ? depthOf(text, head) : ""
  return `${continuation(text, head)} ${head.level} ${depth} ${head.number === undefined} ${isMarked}`
}

/** Whether a head that is taken for a title may be a name all the same: "Tally Go", "clockodo". */
const mayBeName = ({ name, isName }: Head): boolean => !isName && (isTitle(name) || isUnknownInSmall(name))

// More than any answer has; the bounds limit the cost of a hostile one.
const mostLookedFor = 24
const mostAppearances = 32
const mostHeads = 400

const midSentence = /[\p{Ll},;] $/u
// One word in bold may have its capital for emphasis.
const boldMidSentence = /[\p{Ll},;:] \*\*$/u

/** Whether a name occurs within a sentence with the capitals of its head, where an ordinary word would be in lower case. */
export const recursWithin = (text: string, name: string): boolean => {
  let at = text.indexOf(name)
  for (let seen = 0; at >= 0 && seen < mostAppearances; seen++, at = text.indexOf(name, at + 1)) {
    if (isLetter(text.charCodeAt(at + name.length))) continue
    const before = text.slice(Math.max(0, at - 4), at)
    if (midSentence.test(before) || (name.includes(" ") && boldMidSentence.test(before))) return true
  }
  return false
}

/** Whether a head is a heading or an item, and no bold run within prose. */
const isOfLine = ({ level }: Head): boolean => level !== undefined

/** Whether a head is a bold run in a sentence of prose about it: "**Tally Go** is the best overall." */
const isToldOf = (text: string, head: Head): boolean => !isOfLine(head) && continuation(text, head) === sentence

/** Whether a head is an item of a list, and no heading. */
export const isItem = ({ level }: Head): boolean => (level ?? 0) > 0

/** Whether a head begins the text of a link. */
const isLinked = (text: string, { from }: Head): boolean => /\[[*_]{0,3}$/.test(text.slice(Math.max(0, from - 4), from))

/**
 * The titles among heads of one form that are names because others of that form are: at least two, and half as many as there are titles.
 * Where the text of a head is on the next line or after a colon, a title before the first or after the last of those names counts only as
 * an item or a link, because it may be a title above text.
 */
const namedAlike = (
  text: string,
  alike: ReadonlyArray<Head>,
  isUnsure: (head: Head) => boolean,
  form: string
): ReadonlyArray<Head> => {
  const [first, last] = [alike.findIndex(({ isName }) => isName), alike.findLastIndex(({ isName }) => isName)]
  const names = alike.filter(({ isName }) => isName).length
  const titles = alike.filter(isUnsure)
  if (names < 2 || 2 * names < titles.length || form.startsWith(value)) return []
  const areSaidAtOnce = !form.startsWith(line) && !form.startsWith(colon)
  return areSaidAtOnce
    ? titles
    : alike.filter((head, at) => isUnsure(head) && ((at > first && at < last) || isItem(head) || isLinked(text, head)))
}

/**
 * The titles that are names, whatever is said below them: because a numbered item before or after is a name ("Tally Go" beside "Corvane
 * Lite"), because many heads of the same form are names, or because a sentence has them as names, be it one that is about them in bold.
 */
export const namedBeside = (
  text: string,
  heads: ReadonlyArray<Head>,
  isKind: (head: Head) => boolean
): ReadonlySet<Head> => {
  if (!heads.some(mayBeName)) return new Set()
  const numbered = heads.filter(({ number }) => number !== undefined)
  const isNameBeside = ({ number }: Head, other: Head | undefined): boolean =>
    other?.isName === true && Math.abs((other.number ?? 0) - (number ?? 0)) === 1
  const isNamed = (head: Head, at: number): boolean =>
    mayBeName(head) && (isNameBeside(head, numbered[at - 1]) || isNameBeside(head, numbered[at + 1]))
  const named = numbered.filter(isNamed)
  const unsure = new Set(
    heads.slice(0, mostHeads).filter((head) => mayBeName(head) && !isKind(head) && !isIncumbent(text, head))
  )
  if (unsure.size === 0) return new Set(named)
  const names = new Set(Array.from(unsure, ({ name }) => name))
  const recurring = new Set([...names].slice(0, mostLookedFor).filter((name) => recursWithin(text, name)))
  const told = new Set(Array.from(unsure).flatMap((head) => (isToldOf(text, head) ? [head.name] : [])))
  const listed = new Set(Array.from(unsure).flatMap((head) => (isOfLine(head) ? [head.name] : [])))
  for (const head of unsure)
    if (recurring.has(head.name) || (told.has(head.name) && listed.has(head.name))) named.push(head)
  for (const [form, alike] of Map.groupBy(heads.slice(0, mostHeads), (head) => formOf(text, head)))
    named.push(...namedAlike(text, alike, (head) => unsure.has(head), form))
  return new Set(named)
}
