/**
 * Tables on screens of every width.
 *
 * Planted and seen red: names are cut where they are widest; other columns are not cut at all, or as if names took no space; names are
 * kept whole only in the first column.
 */
import { displayWidth } from "effect/cli/CliOutput"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { table } from "@sightline/cli/Table"

/** The width that a column keeps when it is cut. */
const kept = 11

const widthOf = (lines: ReadonlyArray<string>) => Math.max(...lines.map(displayWidth))

const word = fc.string({ unit: fc.constantFrom("x", "é", "顧", "-"), minLength: 1, maxLength: 50 })

/** A screen and the lines of a table, titles first; the columns in `whole` hold what a next command needs. */
interface Drawn {
  readonly columns: number
  readonly whole: ReadonlyArray<number>
  readonly lines: ReadonlyArray<ReadonlyArray<string>>
}

const drawn: fc.Arbitrary<Drawn> = fc.integer({ min: 1, max: 7 }).chain((width) =>
  fc.record({
    columns: fc.integer({ min: 1, max: 200 }),
    whole: fc.subarray(Array.from({ length: width }, (_, at) => at)),
    lines: fc
      .tuple(
        fc.uniqueArray(word, { minLength: width, maxLength: width }),
        fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 })
      )
      .map(([titles, rows]) => Array.of<ReadonlyArray<string>>(titles).concat(rows))
  })
)

const draw = ({ columns, whole, lines: [titles = [], ...rows] }: Drawn) =>
  table(
    { columns, bold: false },
    titles,
    rows,
    whole.map((at) => titles[at] ?? "")
  ).split("\n")

it("never cuts the columns that a next command needs, in any position", () =>
  fc.assert(
    fc.property(drawn, (one) => {
      for (const [n, line] of draw(one).entries()) {
        const cells = line.split(/ +/)
        for (const at of one.whole) assert.strictEqual(cells[at], one.lines[n]?.[at])
      }
    })
  ))

it("is at most as wide as the screen, or as the whole columns and eleven characters of each other column", () =>
  fc.assert(
    fc.property(drawn, (one) => {
      const wanted = one.lines[0]?.map((_, at) => widthOf(one.lines.map((line) => line[at] ?? ""))) ?? []
      const least = wanted.map((width, at) => (one.whole.includes(at) ? width : Math.min(width, kept)))
      const narrowest = least.reduce((sum, width) => sum + width, 2 * (least.length - 1))
      assert.isAtMost(widthOf(draw(one)), Math.max(one.columns, narrowest))
    })
  ))

it("cuts nothing where the screen has room", () =>
  fc.assert(
    fc.property(drawn, (one) => {
      assert.notInclude(draw({ ...one, columns: Infinity }).join("\n"), "…")
    })
  ))

it("platforms with the same prefix are distinct on forty columns", () => {
  const rows = ["perplexity", "perplexity_live"].map((name) => [name, "degraded", "99.9 %", 12_000, 1000])
  const lines = table({ columns: 40, bold: false }, ["platform", "status", "success", "p95 ms", "captures"], rows)
  assert.match(lines, /^perplexity +degraded/m)
  assert.match(lines, /^perplexity_live +degraded/m)
})
