import { cellsOf } from "@sightline/domain/rank/Columns"
import { isRule } from "@sightline/domain/text/TableRule"
import { labelAt, type Line, lineAround, lineFrom, linesRead, type Passage } from "./SentimentLines.ts"

const isRow = (text: string, line: Line): boolean => text.slice(line.from, line.to).trimStart().startsWith("|")

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
  const own = cellsOf(text, line.from, line.to)
  const column = own.findLastIndex(([, start]) => start <= from)
  const [under, ...rows] = rowsBelow(text, line)
  if (under !== undefined && isRule(text.slice(under.from, under.to))) {
    return rows.map((row) => {
      const cells = cellsOf(text, row.from, row.to)
      return { text: cells[column]?.[0] ?? "", goesOn: true, label: labelAt(cells[0]?.[0] ?? "") }
    })
  }
  const header = headerOf(text, line)
  const titles = header === line ? [] : cellsOf(text, header.from, header.to)
  return own.map(([cell], index) => ({
    text: cell,
    goesOn: index !== column && column < 2,
    label: index === column ? undefined : labelAt(titles[index]?.[0] ?? "")
  }))
}
