/**
 * Listing and ranking agree on one order: the ranks of an answer's brands ascend in the order in which the brands are listed.
 *
 * Planted and seen red: the words beside a name are read only for the requested brand; a number is kept although another brand comes
 * before it; an unnumbered brand is counted by how many come before it, although the last number is larger.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const names = ["Zorvane", "Quellix", "Plutivo", "Marnwick", "Tarnley", "Ozmara"]
const sayings: ReadonlyArray<(a: string, b: string) => string> = [
  (a, b) => `I'd put ${a} first, ${b} second.`,
  (a, b) => `${a} is first, ${b} fourth.`,
  (a) => `${a} comes in second place.`,
  (a) => `The runner-up is ${a}.`,
  (a) => `${a} is our top pick.`,
  (a, b) => `My ranking: ${a} > ${b}`,
  (a, b) => `${a} is third and ${b} is #2.`,
  (a, b) => `Second, ${a}, for its price, and ${b}.`,
  (a) => `Unlike ${a}, all of them ship.`
]
const layouts: ReadonlyArray<(name: string, at: number) => string> = [
  (name, at) => `${at + 1}. **${name}** – the one to have.`,
  (name, at) => `${2 * at + 1}. ${name} is fair.`,
  (name) => `- ${name}: the one to have.`,
  (name, at) => `## ${at + 1}. ${name}\n\nIt is good.`,
  (name) => `${name} makes the one that you have to try.`
]

const answers = fc
  .record({
    listed: fc.shuffledSubarray(names, { minLength: 2 }),
    layout: fc.constantFrom(...layouts),
    said: fc.array(
      fc
        .tuple(fc.constantFrom(...sayings), fc.shuffledSubarray(names, { minLength: 2 }))
        .map(([say, [a = "", b = ""]]) => say(a, b)),
      { maxLength: 3 }
    ),
    isAbove: fc.boolean()
  })
  .map(({ listed, layout, said, isAbove }) => {
    const list = listed.map(layout).join("\n")
    return (isAbove ? [...said, list] : [list, ...said]).join("\n\n")
  })

/** The ranks of a text's brands, in the order of the list. A brand that the text only denies has none. */
const ranksOf = (text: string): ReadonlyArray<number> =>
  brandsIn({ text, brandEntities: [] }).flatMap((brand) => findBrand({ text, brandEntities: [] }, brand).rank ?? [])

const isAscending = (ranks: ReadonlyArray<number>): boolean =>
  ranks.every((rank, place) => rank > (ranks[place - 1] ?? 0))

describe("the ranks of an answer's brands", () => {
  it("ascend in the order of the list, whatever places the answer states", () => {
    fc.assert(
      fc.property(answers, (text) => {
        assert.isTrue(isAscending(ranksOf(text)), text)
      }),
      { numRuns: 300 }
    )
  })

  for (const set of ["answers", "prose", "denials"])
    it(`ascend in the tuning set of ${set}`, () => {
      const lines = readFileSync(join(import.meta.dirname, `../fixtures/detector/${set}.tuned.jsonl`), "utf8").trim()
      for (const line of lines.split("\n")) {
        const { text } = JSON.parse(line)
        assert.isTrue(isAscending(ranksOf(text)), text)
      }
    })
})
