/**
 * Planted faults that turned these red: a word is written twice; there is a third line end; stars surround nothing; depth has no
 * bound; the whole text is written again after each element.
 */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { markdownOf } from "@sightline/platforms/live/Markdown"
import { growthOf } from "../../services/growthOf.ts"
import { nested, soup, word } from "./Soup.ts"

it("never throws, and writes no blank at a line's end and no second empty line: markdownOf(any tags)", () => {
  fc.assert(
    fc.property(soup, (html) => {
      const markdown = markdownOf(html)
      assert.notMatch(markdown.replace(/```[^]*?```/g, "code"), /[ \t]\n|\n{3}|\*{4}|^\s|\s$/)
    }),
    { numRuns: 2000 }
  )
})

it("never throws on a fragment of a page: markdownOf(prefix of html)", () => {
  fc.assert(
    fc.property(soup, fc.nat(), (html, length) =>
      assert.isString(markdownOf(html.slice(0, length % (html.length + 1))))
    ),
    { numRuns: 1000 }
  )
})

it("writes every word once and in order: words(markdownOf(blocks of words)) = words", () => {
  const tag = fc.constantFrom("p", "b", "li", "div", "h3", "i", "ul", "td", "span", "table", "section", "blockquote")
  const block = fc.tuple(tag, fc.array(word, { minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(fc.array(block, { maxLength: 20 }), (blocks) => {
      const html = blocks.map(([name, said]) => `<${name}>${said.join(" ")}</${name}>`).join(" ")
      assert.deepEqual(
        markdownOf(html).match(/[A-Za-zäé]+/g) ?? [],
        blocks.flatMap(([, said]) => said)
      )
    }),
    { numRuns: 500 }
  )
})

describe("is linear in the markup: time(16n) < 4 * 16 time(n)", () => {
  it.each([
    ...nested,
    "<p>a <b>bold</b> word</p>",
    "a<br>",
    "<li>a<a href='/x'>b</a></li>",
    "<tr><td>a</td></tr>",
    "<"
  ])("%s", (unit) => {
    assert.isBelow(
      growthOf(256 * 1024, (size) => void markdownOf(unit.repeat(Math.ceil(size / unit.length)))),
      4
    )
  })
})
