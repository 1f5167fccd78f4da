import { CliOutput } from "effect/cli"
import { plain, prose } from "./Plain.ts"

/** Where text is shown: how many columns a line may have, and whether bold is possible. A pipe has no limit. */
export interface Screen {
  readonly columns: number
  readonly bold: boolean
}

/** The value of a cell. A column of numbers is aligned to the right. */
export type Cell = string | number | boolean | null | undefined

// A timestamp that is cut to this width still has its date.
const columnMin = 11

const gap = "  "

const text = (cell: Cell): string => {
  if (cell === null || cell === undefined) return "-"
  if (typeof cell === "boolean") return cell ? "yes" : "no"
  return plain(String(cell))
}

const width = CliOutput.displayWidth

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** As much of the text as fits, followed by `…` if it was cut. */
const cut = (line: string, most: number): string => {
  if (width(line) <= most) return line
  let kept = ""
  let used = 0
  for (const { segment } of graphemes.segment(line)) {
    used += width(segment)
    if (used > most - 1) break
    kept += segment
  }
  return `${kept}…`
}

const fill = (line: string, columns: number, right: boolean): string => {
  const space = " ".repeat(Math.max(0, columns - width(line)))
  return right ? space + line : line + space
}

/** Narrows the widest column, again and again, until a line fits or no column can be narrowed further. */
const fit = (wanted: ReadonlyArray<number>, columns: number): ReadonlyArray<number> => {
  const widths = [...wanted]
  let excess = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1)) - columns
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    const taken = Math.min(excess, (widths[widest] ?? 0) - Math.max(columnMin, second(widths)))
    const given = Math.max(1, taken)
    if ((widths[widest] ?? 0) - given < columnMin) break
    widths[widest] = (widths[widest] ?? 0) - given
    excess -= given
  }
  return widths
}

const second = (widths: ReadonlyArray<number>): number => widths.toSorted((a, b) => b - a)[1] ?? 0

/**
 * Rows under their titles, aligned by their width on a terminal.
 *
 * Laws: every cell is `plain`. The columns whose titles are in `whole` are never cut: they identify a row, and the next
 * command needs them. No line is wider than the screen as long as every other column has eleven places; a line that is
 * wider all the same wraps.
 */
export const table = (
  screen: Screen,
  titles: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  whole: ReadonlyArray<string> = titles.slice(0, 1)
): string => {
  if (rows.length === 0) return "none"
  const right = titles.map((_, at) => rows.every((row) => typeof row[at] === "number" || (row[at] ?? null) === null))
  const lines = [titles, ...rows].map((row) => titles.map((_, at) => text(row[at])))
  const wanted = titles.map((_, at) => Math.max(...lines.map((line) => width(line[at] ?? ""))))
  const isWhole = titles.map((title) => whole.includes(title))
  const left = wanted.reduce((columns, one, at) => (isWhole[at] ? columns - one - gap.length : columns), screen.columns)
  const fitted = fit(
    wanted.filter((_, at) => !isWhole[at]),
    left
  ).values()
  const widths = wanted.map((one, at) => (isWhole[at] ? one : (fitted.next().value ?? one)))
  const drawn = lines.map((line) =>
    line
      .map((cell, at) => fill(cut(cell, widths[at] ?? 0), widths[at] ?? 0, right[at] ?? false))
      .join(gap)
      .trimEnd()
  )
  return [screen.bold ? `\u001b[1m${drawn[0]}\u001b[22m` : drawn[0], ...drawn.slice(1)].join("\n")
}

/** The fields of one object, one per line. Undefined fields have no line. */
export const fields = (entries: Readonly<Record<string, Cell>>): string => {
  const known = Object.entries(entries).filter(([, cell]) => cell !== undefined)
  const label = Math.max(...known.map(([name]) => width(name)))
  return known.map(([name, cell]) => `${fill(name, label, false)}${gap}${text(cell)}`).join("\n")
}

/** Parts of an answer, with an empty line between them. Empty parts are left out. */
export const parts = (...texts: ReadonlyArray<string>): string => texts.filter((one) => one !== "").join("\n\n")

/** An answer in full, line by line, below the fields that describe it. */
export const spoken = (about: Readonly<Record<string, Cell>>, answer: string): string =>
  parts(fields(about), prose(answer))

/** How to ask for the next page of a list; nothing on the last page. */
export const more = (cursor: string | null): string => (cursor === null ? "" : `more: --cursor ${cursor}`)
