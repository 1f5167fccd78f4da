import { fold } from "./Fold.ts"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord, lettersOf } from "./Vocabulary.ts"

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
}

const labels = new Set(
  (
    "pros cons price prices pricing cost costs features feature overview summary verdict conclusion tip tips note notes caution " +
    "warning best budget overall value design performance display battery camera storage memory processor weight size comfort " +
    "durability quality support integration integrations security usability specs specifications highlights why who what how " +
    "where when key considerations drawbacks strengths weaknesses advantages disadvantages limitations benefits ideal rating " +
    "ratings reviews warranty material materials availability alternatives recommendation recommendations introduction final " +
    "other others also most top example examples step steps source sources website location hours address phone use uses " +
    "downsides downside upside strength weakness sound fit style type types category options option criteria tool brand brands " +
    "name company product products rank provider model models premium luxury beginners professionals important however first " +
    "second third fourth fifth lastly finally additionally yes no affordability flavor texture ingredients free paid"
  ).split(" ")
)
const award = /\b(?:best|top|pick|overall|runner|winner|choice|favou?rite|budget|value|premium|upgrade|alternative|mention)/i

const wordsOf = (name: string): ReadonlyArray<string> => fold(name).text.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []

/** Whether a phrase names something, as against a heading in ordinary words. */
export const isNameLike = (name: string): boolean => {
  const words = wordsOf(name)
  if (words.length === 0 || words.length > 12) return false
  if (isKnownBrand(words.join(""))) return true
  if (!/\p{Lu}|[^\p{Script=Latin}\P{L}]/u.test(name)) return false
  const telling = words.filter((word) => !isOrdinaryWord(word) && !/^\d|^\w$/.test(word))
  if (telling.length > 0) return true
  return words.length === 1 && !labels.has(words[0] ?? "") && !/^\d+$/.test(words[0] ?? "")
}

/** What identifies the brand of a name: its well-known first words, its first uncommon word, or all of it. */
export const brandKey = (name: string): string => {
  const words = wordsOf(name)
  for (let count = 3; count >= 1; count--) {
    const key = words.slice(0, count).join("")
    if (words.length >= count && isKnownBrand(key)) return key
  }
  const first = words[0] ?? ""
  return first.length > 2 && !isDictionaryWord(first) ? first : lettersOf(words.join(""))
}

const isOneOf = (characters: string, text: string, at: number): boolean =>
  at < text.length && characters.includes(text.charAt(at))

const skip = (characters: string, text: string, at: number, to: number): number => {
  let here = at
  while (here < to && isOneOf(characters, text, here)) here++
  return here
}

const numeral = /^(\d{1,3})(?:[.)]|\ufe0f?\u20e3)(?=[\s*_\])]|$)|^(?:#|No\. ?)(\d{1,3})(?=[\s:.)*_–—-])/
const nameEnd = /:|\s[–—-]\s|\s?[(|–—]|[.,;!?](?=\s)|\*\*|__|\]|$/

interface Line {
  readonly level: number
  readonly number: number | undefined
  readonly at: number
  readonly isHeading: boolean
}

/** The list or heading mark that opens the line `[from, to)`, or undefined for prose. */
const markOf = (text: string, from: number, to: number): Line | undefined => {
  let at = skip(" \t>", text, from, to)
  const indent = at - from
  const afterHashes = skip("#", text, at, to)
  const isHeading = afterHashes > at && isOneOf(" ", text, afterHashes)
  if (isHeading) at = afterHashes
  const isBullet = isOneOf("-*+•–·‣◦▪●○✅✔➤", text, at) && isOneOf(" \t\ufe0f", text, at + 1)
  if (isBullet) at += 2
  at = skip(" \t*_[\"“", text, at, to)
  const numbered = numeral.exec(text.slice(at, Math.min(to, at + 8)))
  if (numbered !== null) at += numbered[0].length
  if (!isHeading && !isBullet && numbered === null) return undefined
  const number = numbered === null ? undefined : Number(numbered[1] ?? numbered[2])
  return { level: isHeading ? 0 : (isBullet ? 2 : 1) + indent, number, at, isHeading }
}

const longestName = 90
// Markup, medals and other signs before a name.
const longestLead = 24

/** The name that begins at `at`; an award before a colon ("Best overall: Acme") gives way to what follows it. */
const headAt = (text: string, at: number, to: number, number: number | undefined): Head => {
  const from = at + (/^[^\p{L}\p{N}|]*/u.exec(text.slice(at, Math.min(to, at + longestLead)))?.[0].length ?? 0)
  const rest = text.slice(from, Math.min(to, from + longestName))
  const length = rest.search(nameEnd)
  const name = rest.slice(0, length < 0 ? rest.length : length).trim()
  const head = { name, from, to: from + name.length, number, isName: isNameLike(name) }
  if (head.isName || !award.test(name) || !/^[*_\])]*\s*(?::|[–—-]\s)/.test(text.slice(head.to, head.to + 8))) return head
  return head.to < to ? headAt(text, head.to, to, number) : head
}

const isRule = (line: string): boolean => /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(line) && line.includes("|")

/** The cells of a table row, each with where it begins. */
const cellsOf = (text: string, from: number, to: number): ReadonlyArray<readonly [string, number]> => {
  const cells: Array<readonly [string, number]> = []
  let at = text.indexOf("|", from) + 1
  while (at > 0 && at < to) {
    const next = text.indexOf("|", at)
    const end = next < 0 || next > to ? to : next
    cells.push([text.slice(at, end), at])
    at = end + 1
  }
  return cells
}

/** The head of a table row: its first cell, or its second where the first only numbers the rows. */
const rowHead = (text: string, from: number, to: number): Head | undefined => {
  const cells = cellsOf(text, from, to)
  const numbered = /^[\s*#]*(\d{1,3})[.)]?[\s*]*$/.exec(cells[0]?.[0] ?? "")
  const cell = cells[numbered === null ? 0 : 1]
  if (cell === undefined) return undefined
  return headAt(text, cell[1], cell[1] + cell[0].length, numbered === null ? undefined : Number(numbered[1]))
}

const boldHeads = (text: string, from: number, to: number): ReadonlyArray<Head> => {
  const found: Array<Head> = []
  let open = text.indexOf("**", from)
  while (open >= 0 && open < to) {
    const close = text.indexOf("**", open + 2)
    if (close < 0 || close > to) break
    const head = headAt(text, open + 2, close, undefined)
    // A single ordinary word in bold prose is emphasis.
    const words = wordsOf(head.name)
    const emphasis = words.length === 1 && isOrdinaryWord(words[0] ?? "") && !isKnownBrand(words[0] ?? "")
    found.push(emphasis ? { ...head, isName: false } : head)
    open = text.indexOf("**", close + 2)
  }
  return found
}

// A heading is a title more often than a name, unless it is short, a link, or begins with a brand.
const isNameAsHeading = (text: string, head: Head): boolean =>
  (wordsOf(head.name).length <= 4 && !award.test(head.name)) || text.charAt(head.from - 1) === "[" || isKnownBrand(brandKey(head.name))

/** The heads of an answer in order: list items, numbered headings, first table cells and bold runs. */
export const headsOf = (text: string): ReadonlyArray<Head> => {
  const heads: Array<Head> = []
  let owners: Array<{ readonly level: number; readonly isName: boolean }> = []
  let from = 0
  while (from < text.length) {
    const next = text.indexOf("\n", from)
    const to = next < 0 ? text.length : next
    if (to > from) {
      const first = text.charAt(skip(" \t", text, from, to))
      const mark = first === "|" ? undefined : markOf(text, from, to)
      if (first === "|") {
        const below = text.slice(to + 1, Math.min(text.length, to + 1 + longestName))
        const isHeader = isRule(below.split("\n", 1)[0] ?? "")
        const row = isHeader || isRule(text.slice(from, Math.min(to, from + longestName))) ? undefined : rowHead(text, from, to)
        if (row !== undefined) heads.push(row)
        if (isHeader) heads.push(...cellsOf(text, from, to).slice(1).map(([cell, at]) => headAt(text, at, at + cell.length, undefined)).filter(({ name }) => wordsOf(name).some((word) => !isOrdinaryWord(word))))
      } else if (mark === undefined) {
        heads.push(...boldHeads(text, from, to))
        if (/:[*_\s]*$/.test(text.slice(Math.max(from, to - 6), to))) owners = []
      } else {
        owners = owners.filter((owner) => owner.level < mark.level)
        const head = headAt(text, mark.at, to, mark.number)
        const isName = head.isName && (!mark.isHeading || mark.number !== undefined || isNameAsHeading(text, head))
        // What stands below a named item describes it.
        if (!owners.some((owner) => owner.isName)) heads.push({ ...head, isName })
        owners.push({ level: mark.level, isName })
      }
    }
    from = to + 1
  }
  return heads
}
