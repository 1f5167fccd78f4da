import { isRule } from "@sightline/domain/text/TableRule"

// How much of a table is read for a name at the head of a column: rows, and UTF-16 units.
const mostRows = 40
const mostRead = 8000

// What a cell says where nothing is known: a dash, "n/a", "no data found", "none found".
const empty =
  /^[\s*_]*(?:[–—?-]*|n\/?a|unknown|unclear|unverified|not (?:found|available|known|verifiable|listed|disclosed)|(?:no|none|nothing|0)\b[^|]{0,30}?(?:\b(?:found|located|available|known|match(?:es)?|data|info(?:rmation)?|results?|entry|entries|records?|listing|reviews?)\b[^|]*)?)[\s*_.[\]\d]*$/u
const says = /[a-z]/u

/** Whether a name heads a column of a table whose cells are all empty or say that nothing is known, at least one of them in words. */
export const isEmptyColumn = (text: string, start: number): boolean => {
  const from = text.lastIndexOf("\n", start - 1) + 1
  const end = text.indexOf("\n", start)
  if (start - from > mostRead || end < 0 || !text.slice(from, end).includes("|")) return false
  const [head = "", second = "", ...rows] = text.slice(from, from + mostRead).split("\n", mostRows + 2)
  if (!head.includes("|") || !isRule(second)) return false
  const column = text.slice(from, start).split("|").length - 1
  const below = rows.findIndex((row) => !row.includes("|"))
  const cells = rows.slice(0, below < 0 ? rows.length : below).map((row) => row.split("|")[column] ?? "")
  return cells.every((cell) => empty.test(cell)) && cells.some((cell) => says.test(cell))
}
