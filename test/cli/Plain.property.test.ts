/**
 * Laws of untrusted text before a terminal sees it.
 *
 * Planted and seen red: format characters are let through, in text and in JSON; a line is cut one column too late, or two too early.
 */
import { displayWidth } from "effect/cli/CliOutput"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { plain, plainJson, prose } from "@sightline/cli/Plain"
import { table } from "@sightline/cli/Table"
import { version } from "@sightline/cli/Version"
import manifest from "../../apps/cli/package.json" with { type: "json" }

/** Text with many special characters. */
const strange = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      ..."\u0000\u0007\u0008\t\n\r\u001b\u007f\u0085\u009b\u00ad\u061c\u200b\u200d\u200e\u2028\u202e\u2066\ufeff".split(
        ""
      ),
      "\ud800",
      "\udc00",
      "\u{e0041}",
      "👩‍💻",
      "顧",
      "e\u0301"
    )
  ),
  maxLength: 40
})

const obeyed = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

describe("plain", () => {
  it("removes everything that a terminal interprets: plain(x) has no control, format or surrogate", () =>
    fc.assert(fc.property(strange, (text) => assert.notMatch(plain(text), obeyed))))

  it("plain(plain(x)) = plain(x)", () =>
    fc.assert(fc.property(strange, (text) => assert.strictEqual(plain(plain(text)), plain(text)))))

  it("leaves text without such characters: plain(x) = x", () =>
    fc.assert(
      fc.property(
        strange.map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")),
        (text) => assert.strictEqual(plain(text), text)
      )
    ))

  it("prose keeps line breaks and nothing else: each line of prose(x) is plain", () =>
    fc.assert(
      fc.property(strange, (text) =>
        prose(text)
          .split("\n")
          .forEach((line) => assert.strictEqual(plain(line), line))
      )
    ))
})

it("plainJson is the same document: parse(plainJson(stringify(x))) = x", () =>
  fc.assert(
    fc.property(fc.record({ a: strange, b: fc.array(strange) }), (value) => {
      const json = plainJson(JSON.stringify(value, undefined, 1))
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)))
      assert.notMatch(json, /(?![\n])[\p{Cc}\p{Cf}]/u)
    })
  ))

it("no line of a table is wider than its screen while each column that may be cut has eleven characters", () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }).chain((count) =>
        fc.record({
          titles: fc.constant(Array.from({ length: count }, (_, at) => `title ${at}`)),
          rows: fc.array(fc.tuple(...Array.from({ length: count }, () => strange)), { minLength: 1, maxLength: 4 }),
          columns: fc.integer({ min: 13 * count, max: 120 })
        })
      ),
      ({ titles, rows, columns }) => {
        const lines = table({ columns, bold: false }, titles, rows, []).split("\n")
        assert.strictEqual(lines.length, rows.length + 1)
        for (const line of lines) assert.isAtMost(displayWidth(line), columns)
      }
    )
  ))

it("a table as wide as its screen is not cut: table(its width) = table(any width)", () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(strange, strange), { minLength: 1, maxLength: 4 }), (cells) => {
      const titles = ["one title", "another title", "the last, no narrower than what is below it"]
      const rows = cells.map((two) => [...two, "below"])
      const whole = table({ columns: Infinity, bold: false }, titles, rows)
      const columns = displayWidth(whole.split("\n", 1)[0] ?? "")
      assert.strictEqual(table({ columns, bold: false }, titles, rows), whole)
    })
  ))

it("the version is the package's", () => {
  assert.strictEqual(version, manifest.version)
})
