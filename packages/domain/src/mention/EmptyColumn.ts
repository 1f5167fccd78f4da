// A table is read so far for what it says of the name at the head of a column.
const mostRows = 40
const longestRow = 1000

const rule = /^[\s|:-]*-[\s|:-]*$/
// What a cell says where nothing is known: a dash, "n/a", "no data found", "none found".
const empty =
  /^[\s*_]*(?:[–—?-]*|n\/?a|unknown|unclear|unverified|not (?:found|available|known|verifiable|listed|disclosed)|(?:no|none|nothing|0)\b[^|]{0,30}?(?:\b(?:found|located|available|known|match(?:es)?|data|info(?:rmation)?|results?|entry|entries|records?|listing|reviews?)\b[^|]*)?)[\s*_.[\]\d]*$/u
const says = /[a-z]/u

const lineAt = (text: string, from: number): string => {
  const end = text.indexOf("\n", from)
  return text.slice(from, Math.min(end < 0 ? text.length : end, from + longestRow))
}

/** Whether a name is the head of a column of a table, none of whose cells knows anything of it and one of them says so in words. */
export const isEmptyColumn = (text: string, start: number): boolean => {
  const from = text.lastIndexOf("\n", start - 1) + 1
  if (start - from > longestRow) return false
  const head = lineAt(text, from)
  if (!head.includes("|")) return false
  let at = from + head.length + 1
  const second = lineAt(text, at)
  if (!rule.test(second) || !second.includes("|")) return false
  const column = text.slice(from, start).split("|").length - 1
  let isSaid = false
  for (let row = 0; row < mostRows; row++) {
    at = at + (row === 0 ? second.length : lineAt(text, at).length) + 1
    const line = lineAt(text, at)
    if (!line.includes("|")) break
    const cell = line.split("|")[column] ?? ""
    if (!empty.test(cell)) return false
    if (says.test(cell)) isSaid = true
  }
  return isSaid
}
