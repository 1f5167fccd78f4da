import { Option, Schema } from "effect"
import { cellsOf } from "./rank/Columns.ts"
import { isRule } from "./text/TableRule.ts"
import { Intent, type Suggestion } from "./Discover.ts"

const queryMax = 480
const suggestionsMax = 200
// How much of a table is read: rows, and UTF-16 units of a row.
const rowsRead = 500
const rowMax = 2000
const isIntent = Schema.is(Intent)

const cues: ReadonlyArray<readonly [Intent, RegExp]> = [
  ["comparison", /\b(?:vs|versus|compared?|comparison|alternatives?|better than|difference between)\b/i],
  ["transactional", /\b(?:buy|order|book|sign up|coupon|discount|deal|price of|cost of|near me|for sale)\b/i],
  ["commercial", /\b(?:best|top|cheapest|recommend|review|worth|which|should i)\b/i]
]

/** The intent of a question by its words, where an engine did not say it. */
const guessIntent = (query: string): Intent => cues.find(([, cue]) => cue.test(query))?.[0] ?? "informational"

const cleaned = (text: string): Option.Option<string> => {
  const plain = text
    // Joiners are part of words in Persian and in scripts of India, and hold emoji together.
    .replace(/[\p{Cf}--[\u200c\u200d]]+/gv, "")
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
  return plain === "" || Array.from(plain).length > queryMax || !plain.isWellFormed()
    ? Option.none()
    : Option.some(plain)
}

const suggestion = (query: string, intent: unknown): ReadonlyArray<Suggestion> =>
  Option.match(cleaned(query), {
    onNone: () => [],
    onSome: (plain) => {
      const said = typeof intent === "string" ? intent.trim().toLowerCase() : intent
      return [{ query: plain, intent: isIntent(said) ? said : guessIntent(plain) }]
    }
  })

const decodeListed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))
const isObject = Schema.is(Schema.Struct({ query: Schema.String, intent: Schema.optionalKey(Schema.Unknown) }))
const isQuestion = (text: string): boolean => /[?？؟]\s*$/u.test(text)

/** The suggestion in one item of a list. Items are decoded one by one, so that an unusable one does not discard the others. */
const asItem = (item: unknown): ReadonlyArray<Suggestion> => {
  if (typeof item === "string") return isQuestion(item) ? suggestion(item, undefined) : []
  return isObject(item) ? suggestion(item.query, item.intent) : []
}

/** The end of the last whole item in the list that begins at `from`, and whether the list is closed. */
const lastWhole = (text: string, from: number): { readonly end: number; readonly isClosed: boolean } => {
  let [depth, end, inString] = [0, from, false]
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (inString && character === "\\") at++
    else if (character === '"') {
      inString = !inString
      if (!inString && depth === 1) end = at + 1
    } else if (inString) continue
    else if (character === "[" || character === "{") depth++
    else if (character === "]" || character === "}") {
      depth--
      if (depth === 0) return { end, isClosed: true }
      if (depth === 1) end = at + 1
    }
  }
  return { end, isClosed: false }
}

// An answer with more lists than this has lists of something else.
const listsRead = 16

/**
 * The items of every list. Each list is closed after its last whole item, so that a truncated answer still counts. A first list of one item
 * repeats the format that was asked for, where a longer list follows it.
 */
const asLists = (text: string, listStart: RegExp): ReadonlyArray<Suggestion> => {
  const lists: Array<ReadonlyArray<Suggestion>> = []
  const starts = new RegExp(listStart, "g")
  for (let count = 0; count < listsRead; count++) {
    const from = starts.exec(text)?.index
    if (from === undefined) break
    const { end, isClosed } = lastWhole(text, from)
    const items = Option.getOrElse(decodeListed(`${text.slice(from, end)}]`), () => []).flatMap(asItem)
    if (items.length > 0) {
      lists.push(items)
      starts.lastIndex = end
    }
    if (!isClosed) break
  }
  const [first, second] = lists
  return (first?.length === 1 && (second?.length ?? 0) > 1 ? lists.slice(1) : lists).flat()
}

/** Objects without a list around them, as JSON lines have them. */
const asObjects = (text: string): ReadonlyArray<Suggestion> => {
  const from = text.search(/\{\s*"query"/)
  if (from === -1) return []
  const found: Array<Suggestion> = []
  let [depth, start, inString] = [0, from, false]
  for (let at = from; at < text.length && found.length < suggestionsMax; at++) {
    const character = text.charAt(at)
    if (inString && character === "\\") at++
    else if (character === '"') inString = depth > 0 && !inString
    else if (inString) continue
    else if (character === "{") {
      if (depth === 0) start = at
      depth++
    } else if (character === "}" && depth > 0) {
      depth--
      if (depth > 0) continue
      found.push(...Option.getOrElse(decodeListed(`[${text.slice(start, at + 1)}]`), () => []).flatMap(asItem))
    }
  }
  return found
}

const bare = (cell: string): string => cell.replace(/^[\s"“*_]+|[\s"”*_]+$/gu, "")

/** The questions in the rows of a table: the cell that is a question, or the cell in the column whose title says so. */
const asTable = (text: string): ReadonlyArray<Suggestion> => {
  const rows = text
    .split("\n")
    .flatMap((line) => (line.trimStart().startsWith("|") ? [line.trim().slice(0, rowMax)] : []))
    .slice(0, rowsRead)
  let column = -1
  return rows.flatMap((row, at) => {
    const cells = cellsOf(row, 0, row.length).map(([cell]) => bare(cell))
    if (isRule(rows[at + 1] ?? "")) {
      column = cells.findIndex((cell) => /^(?:query|question|prompt)s?$/i.test(cell))
      return []
    }
    const query = cells.find(isQuestion) ?? (isRule(row) ? undefined : cells[column])
    return query === undefined
      ? []
      : suggestion(
          query,
          cells.find((cell) => isIntent(cell.toLowerCase()))
        )
  })
}

// After a number a script without capitals may have no space.
const listLine =
  /^\s{0,8}(?:[-*•]\s+|\p{Nd}{1,3}(?:[.)]\s+|[.)](?=\p{Lo})|[、．）]\s*))["“*]{0,3}([^\n"”*]{3,600})(.{0,60})/u
// What may stand after a question: sources, and the intent.
const tail = new RegExp(
  String.raw`(?<=[?？؟])[\s)"”*_]{0,9}(?:\[\d{1,3}\] ?){0,9}[(\[–—:*_ -]{0,9}(?:intent[:=*_ ]{1,4})?(${Intent.literals.join("|")})?[)\]*_.\s]{0,9}$`,
  "iu"
)

/** A line of a list: a question, with the intent where it stands after it. */
const asLine = (line: string): ReadonlyArray<Suggestion> => {
  const [, start = "", rest = ""] = listLine.exec(line) ?? []
  const intent = tail.exec(start + rest)?.[1]
  const query = isQuestion(start) ? start : start.replace(tail, "")
  return isQuestion(query) ? suggestion(query, intent) : []
}

const readings: ReadonlyArray<(text: string) => ReadonlyArray<Suggestion>> = [
  (text) => asLists(text, /\[\s*\{/),
  asObjects,
  (text) => asLists(text, /\[\s*"/),
  asTable,
  (text) => text.split("\n").flatMap(asLine)
]

/** The questions of an engine's answer: the JSON it was asked for, or a list or table of questions where it wrote one instead. */
export const suggestionsIn = (text: string): ReadonlyArray<Suggestion> => {
  for (const read of readings) {
    const found = read(text)
    if (found.length > 0) return found.slice(0, suggestionsMax)
  }
  return []
}
