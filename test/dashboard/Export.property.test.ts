/**
 * Tables as files: what engines wrote stays text in each of them.
 *
 * Planted and seen red:
 * - the guard looks at the first character only (blanks before `=`), or at the beginning of a text only
 * - quotes are not doubled
 * - the `|` in a Markdown cell is not escaped
 * - addresses in a Markdown cell, of one kind or of all, are not broken
 * - every header stands over the first value of a row
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type Plain, type Sheet, toCsv, toJsonLines, toMarkdown } from "@sightline/dashboard/table/Export"

const hostile = fc.constantFrom(
  "=",
  "+",
  "-",
  "@",
  "＝",
  "\t",
  "\r",
  "\n",
  " ",
  '"',
  ",",
  ";",
  "|",
  "\\",
  "[",
  "](",
  "!",
  "<",
  "'"
)
const text = fc
  .array(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(""))
const plain: fc.Arbitrary<Plain> = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null)
)

const sheets: fc.Arbitrary<Sheet> = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    headers: fc.uniqueArray(fc.string({ unit: "grapheme-ascii", minLength: 1 }), {
      minLength: width,
      maxLength: width
    }),
    rows: fc.array(fc.array(plain, { minLength: width, maxLength: width }), { maxLength: 5 })
  })
)

/** A reader of RFC 4180, the inverse of the writer. */
const readCsv = (csv: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = [[""]]
  let quoted = false
  for (let at = 0; at < csv.length; at++) {
    const row = rows.at(-1) ?? []
    const [letter, next] = [csv[at] ?? "", csv[at + 1]]
    if (letter === '"' && quoted && next === '"') {
      row[row.length - 1] += '"'
      at++
    } else if (letter === '"') quoted = !quoted
    else if (quoted) row[row.length - 1] += letter
    else if (letter === ",") row.push("")
    else if (letter === "\r" && next === "\n") {
      rows.push([""])
      at++
    } else row[row.length - 1] += letter
  }
  return rows.slice(0, -1)
}

const unguarded = (cell: string) => cell.replaceAll(/(?<=^|[;\t\r\n])'+(?=[^;]*[=+\-@＝＋－＠])|^'+(?=[\t\r\n])/gu, "")
const written = (value: Plain) => (value === null ? "" : String(value))

describe("CSV", () => {
  it("is read back as the same cells: unguarded(read(toCsv(sheet))) = sheet", () =>
    fc.assert(
      fc.property(sheets, (sheet) => {
        const [, ...rows] = readCsv(toCsv(sheet))
        assert.deepEqual(
          rows.map((row, n) => row.map((cell, m) => (typeof sheet.rows[n]?.[m] === "string" ? unguarded(cell) : cell))),
          sheet.rows.map((row) =>
            row.map((value) => (typeof value === "string" ? unguarded(written(value)) : written(value)))
          )
        )
      })
    ))

  it("contains no text that a spreadsheet would run", () =>
    fc.assert(
      fc.property(sheets, (sheet) => {
        const [, ...rows] = readCsv(toCsv(sheet))
        rows.forEach((row, n) =>
          row.forEach((cell, m) => {
            if (typeof sheet.rows[n]?.[m] === "string") assert.notMatch(cell, /^[\t\r\n]|^\s*[=+\-@＝＋－＠]/u)
          })
        )
      })
    ))

  /** The value of a cell in a file: it may be quoted from its start to the next quote that is not doubled. */
  const valueOf = (cell: string) => cell.replaceAll(/^"((?:[^"]|"")*)"?/g, "$1").replaceAll('""', '"')

  it("contains no text to run even for a spreadsheet that splits cells at semicolons, tabs and every line break", () =>
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const csv = toCsv({ headers: texts.map(() => "text"), rows: [texts] })
        for (const cell of csv.split(/[;\t\r\n]/)) assert.notMatch(valueOf(cell), /^\s*[=+\-@＝＋－＠]/u)
      })
    ))

  it("disarms a formula after a semicolon", () => {
    const texts = [["Nike;=HYPERLINK(A1)", 'a; "=1+1;b']]
    assert.strictEqual(toCsv({ headers: ["a", "b"], rows: texts }), `a,b\r\n"Nike;'=HYPERLINK(A1)","a;' ""=1+1;b"\r\n`)
  })

  it("leaves numbers unchanged, even negative ones", () => {
    assert.strictEqual(toCsv({ headers: ["n"], rows: [[-1.5]] }), "n\r\n-1.5\r\n")
  })
})

describe("JSONL", () => {
  it("has one object per row, with each value under its header", () =>
    fc.assert(
      fc.property(sheets, (sheet) => {
        const lines = toJsonLines(sheet).split("\n").slice(0, -1)
        assert.deepEqual(
          lines.map((line) => JSON.parse(line)),
          sheet.rows.map((row) =>
            JSON.parse(JSON.stringify(Object.fromEntries(sheet.headers.map((header, n) => [header, row[n]]))))
          )
        )
      })
    ))
})

describe("Markdown", () => {
  it("has one cell per column in each line, whatever the cells contain", () =>
    fc.assert(
      fc.property(sheets, (sheet) => {
        const lines = toMarkdown(sheet).split("\n").slice(0, -1)
        assert.strictEqual(lines.length, sheet.rows.length + 2)
        for (const line of lines) {
          const bars = line.replaceAll(/\\./gu, "").split("|").length - 1
          assert.strictEqual(bars, sheet.headers.length + 1)
        }
      })
    ))

  it("turns no text of an engine into a link, image or tag", () => {
    assert.strictEqual(
      toMarkdown({ headers: ["a"], rows: [["![x](http://evil.example/p.png) <b>"]] }).split("\n")[2],
      String.raw`| \!\[x\](http:/<!-- -->/evil.example/p.png) \<b\> |`
    )
  })

  it("contains no address that GitHub's Markdown would link, neither of the web nor of mail", () => {
    const address = fc.constantFrom(
      "https://",
      "HTTP://",
      "ftp://",
      ":",
      "/",
      "www.",
      "WWW.",
      "a@b.example",
      "mailto:",
      "xmpp:",
      "@"
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(address, text), { maxLength: 8 }), (parts) => {
        const [, , line] = toMarkdown({ headers: ["a"], rows: [[parts.join("")]] }).split("\n")
        assert.notMatch(line ?? "", /\/\/|www\.|@(?!<!-- -->)/i)
      })
    )
  })

  it("shows addresses unchanged: the markup that breaks them is invisible", () => {
    const addresses = "https://evil.example www.evil.example a@evil.example xmpp:a@evil.example/b"
    const [, , line] = toMarkdown({ headers: ["a"], rows: [[addresses]] }).split("\n")
    assert.strictEqual(line?.replaceAll("<!-- -->", ""), `| ${addresses} |`)
    assert.strictEqual(
      line,
      "| https:/<!-- -->/evil.example www<!-- -->.evil.example a@<!-- -->evil.example xmpp:a@<!-- -->evil.example/b |"
    )
  })
})
