import { labelAt, type Line, lineAround, lineFrom, linesRead, type Passage } from "./SentimentLines.ts"

const isRow = (text: string, line: Line): boolean => text.slice(line.from, line.to).trimStart().startsWith("|")

const cellsOf = (text: string, line: Line): ReadonlyArray<string> =>
  text
    .slice(line.from, line.to)
    .replace(/^\s*\|/, "")
    .split("|")

const isRule = (line: string): boolean => /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(line)

/** The first row of the table that a row belongs to, or the row itself. */
const headerOf = (text: string, row: Line): Line => {
  let header = row
  for (let count = 0; count < linesRead && header.from > 0; count++) {
    const above = lineAround(text, header.from - 1, header.from - 1)
    if (!isRow(text, above)) break
    header = above
  }
  return header
}

const rowsBelow = (text: string, row: Line): ReadonlyArray<Line> => {
  const rows: Array<Line> = []
  for (let from = lineFrom(text, row.to).next; from < text.length && rows.length < linesRead;) {
    const { line, next } = lineFrom(text, from)
    if (!isRow(text, line)) break
    rows.push(line)
    from = next
  }
  return rows
}

/** The cells beside the brand in its row, or those below it where it heads a column; undefined outside tables. */
export const tablePassages = (text: string, line: Line, from: number): ReadonlyArray<Passage> | undefined => {
  if (!isRow(text, line)) return undefined
  const column = cellsOf(text, { from: line.from, to: from }).length - 1
  const [under, ...rows] = rowsBelow(text, line)
  if (under !== undefined && isRule(text.slice(under.from, under.to))) {
    return rows.map((row) => {
      const cells = cellsOf(text, row)
      return { text: cells[column] ?? "", goesOn: true, label: labelAt(cells[0] ?? "") }
    })
  }
  const header = headerOf(text, line)
  const titles = header === line ? [] : cellsOf(text, header)
  return cellsOf(text, line).map((cell, index) => ({
    text: cell,
    goesOn: index !== column && column < 2,
    label: index === column ? undefined : labelAt(titles[index] ?? "")
  }))
}
