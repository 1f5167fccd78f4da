import { CliOutput } from "effect/cli"
import { plain, prose } from "./Plain.ts"

/** Where text is shown: how many columns a line may have, and whether it may be bold. A pipe has no limit. */
export interface Screen {
  readonly columns: number
  readonly bold: boolean
}

/** What a cell may hold. A column of numbers is aligned to the right. */
export type Cell = string | number | boolean | null | undefined

// A time that is cut keeps its date.
const columnMin = 11

const gap = "  "

const text = (cell: Cell): string => {
  if (cell === null || cell === undefined) return "-"
  if (typeof cell === "boolean") return cell ? "yes" : "no"
  return plain(String(cell))
}

const width = CliOutput.displayWidth

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** As much of the text as fits, with `…` for the rest. */
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

/** Takes from the widest column until a line fits, or no column can give more. */
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
 * Rows under their titles, aligned by what a terminal shows.
 *
 * Laws: every cell is `plain`; the columns titled as one of `whole`, which say what a row is and what the next command asks for, are never
 * cut; no line is wider than the screen while each other column keeps eleven places. One that still is wraps.
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

/** One thing, a line per field; what is not there has no line. */
export const fields = (entries: Readonly<Record<string, Cell>>): string => {
  const known = Object.entries(entries).filter(([, cell]) => cell !== undefined)
  const label = Math.max(...known.map(([name]) => width(name)))
  return known.map(([name, cell]) => `${fill(name, label, false)}${gap}${text(cell)}`).join("\n")
}

/** Parts of an answer, with an empty line between those that say something. */
export const parts = (...texts: ReadonlyArray<string>): string => texts.filter((one) => one !== "").join("\n\n")

/** An answer in full, line by line, below what is known of it. */
export const spoken = (about: Readonly<Record<string, Cell>>, answer: string): string =>
  parts(fields(about), prose(answer))

/** How the next page of a list is asked for; nothing at its end. */
export const more = (cursor: string | null): string => (cursor === null ? "" : `more: --cursor ${cursor}`)
