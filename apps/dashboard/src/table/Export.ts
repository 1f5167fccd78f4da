/** The value of a table's cell in an export. */
export type Plain = string | number | boolean | null

/** A table as it is exported: a header per column, and as many values in each row. */
export interface Sheet {
  readonly headers: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Plain>>
}

// Spreadsheets evaluate a cell that begins like this, even after blanks and with full-width characters. In locales with a decimal comma
// they separate cells at semicolons or tabs, and ignore quotes that begin inside a cell: there a text may become several cells.
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
 * Laws: no text becomes a formula in a spreadsheet, whatever its separator; one line per row, except for line breaks inside quotes.
 * Source: RFC 4180.
 */
export const toCsv = ({ headers, rows }: Sheet): string =>
  [headers, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("")

/** The sheet as one JSON object a line, by header. */
export const toJsonLines = ({ headers, rows }: Sheet): string =>
  rows
    .map((row) => `${JSON.stringify(Object.fromEntries(headers.map((header, n) => [header, row[n] ?? null])))}\n`)
    .join("")

// Renderers turn plain URLs into links. Some look for them after they have resolved escapes, so a URL must be interrupted by markup that
// shows nothing: a comment.
const linked = /(?<=\/)(?=\/)|(?<=www)(?=\.)|(?<=@)/gi

// The text of an engine must stay text when the file is rendered: no link, no image, no tag, no further cell.
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

/** The three file formats of an export. */
export const exportKinds = [
  { label: "CSV", extension: "csv", type: "text/csv;charset=utf-8", write: toCsv },
  { label: "JSONL", extension: "jsonl", type: "application/jsonl;charset=utf-8", write: toJsonLines },
  { label: "Markdown", extension: "md", type: "text/markdown;charset=utf-8", write: toMarkdown }
] as const

/** A file format of an export. */
export type ExportKind = (typeof exportKinds)[number]
