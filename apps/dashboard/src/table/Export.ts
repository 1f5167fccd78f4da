/** What a table's cell is outside the page. */
export type Plain = string | number | boolean | null

/** A table as it is exported: a header per column, and as many values in each row. */
export interface Sheet {
  readonly headers: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Plain>>
}

// Spreadsheets run a cell that begins so, also after blanks and in the wide letters of East Asian text. Where the comma is the
// decimal sign they separate cells by semicolons or tabs and heed no quotes that begin within one: a text may be several cells there.
const formula = /(?<=^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu

const csvCell = (value: Plain): string => {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  const inert = value.replaceAll(formula, "'")
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/**
 * The sheet as CSV.
 *
 * Laws: no text is a formula to a spreadsheet, whichever separator that goes by; one line per row but for line breaks inside quotes.
 * Source: RFC 4180.
 */
export const toCsv = ({ headers, rows }: Sheet): string =>
  [headers, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("")

/** The sheet as one JSON object a line, by header. */
export const toJsonLines = ({ headers, rows }: Sheet): string =>
  rows
    .map((row) => `${JSON.stringify(Object.fromEntries(headers.map((header, n) => [header, row[n] ?? null])))}\n`)
    .join("")

// Addresses become links without any markup. Some readers look for them in the text that escapes have been made into, so what breaks
// one must itself be markup: a comment, of which nothing is shown.
const linked = /(?<=\/)(?=\/)|(?<=www)(?=\.)|(?<=@)/gi

// What an engine wrote must stay text where the file is shown: no link, no image, no tag, no further cell.
const markdownCell = (value: Plain): string =>
  (value === null ? "" : String(value))
    .replaceAll(/[\\`*_[\]<>!|~&#]/g, String.raw`\$&`)
    .replaceAll(linked, "<!-- -->")
    .replaceAll(/\s+/g, " ")
    .trim()

const markdownLine = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |\n`

/** The sheet as a Markdown table in which nothing of the cells is markup. */
export const toMarkdown = ({ headers, rows }: Sheet): string =>
  markdownLine(headers.map(markdownCell)) +
  markdownLine(headers.map(() => "---")) +
  rows.map((row) => markdownLine(row.map(markdownCell))).join("")

/** The three kinds of file a table is exported as. */
export const exportKinds = [
  { label: "CSV", extension: "csv", type: "text/csv;charset=utf-8", write: toCsv },
  { label: "JSONL", extension: "jsonl", type: "application/jsonl;charset=utf-8", write: toJsonLines },
  { label: "Markdown", extension: "md", type: "text/markdown;charset=utf-8", write: toMarkdown }
] as const

/** A kind of file that a table is exported as. */
export type ExportKind = (typeof exportKinds)[number]
