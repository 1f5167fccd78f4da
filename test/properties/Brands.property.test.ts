/**
 * Laws of the order of an answer's brands, over generated answers.
 *
 * Planted faults, each seen red here: a brand's own first mention compared with the list positions of the others; brands of a list not
 * ordered by its numbers; a brand left in its place although it is found at another rank.
 */
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn, brandsWith } from "@sightline/domain/Brands"
import { brandKey } from "@sightline/domain/mention/Naming"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const brands = ["Velmora", "Quillon", "Hydrelle", "HubSpot", "Marnwick", "Sony", "Solène", "Corvane Lite"]

const list = fc.subarray(brands, { minLength: 2 }).chain((subset) => fc.shuffledSubarray(subset, { minLength: 2 }))

/** The ways in which an answer lists names. */
const layout = fc.constantFrom(
  (names: ReadonlyArray<string>) => names.map((name, n) => `${n + 1}. **${name}** – good value.`),
  (names: ReadonlyArray<string>) => names.map((name, n) => `${names.length - n}. ${name}: good value.`),
  (names: ReadonlyArray<string>) => names.map((name) => `- **${name}** – easy to clean.`),
  (names: ReadonlyArray<string>) => names.map((name) => `### ${name}\n\nIt is easy to clean.`),
  (names: ReadonlyArray<string>) => names.map((name) => `| ${name} | fine |`),
  (names: ReadonlyArray<string>) => names.map((name) => `**${name}** is easy to clean.`),
  (names: ReadonlyArray<string>) => [
    `Among others, ${names.map((name) => `${name} is light and ${name} lasts`).join(". ")}.`
  ]
)

const sentence = fc
  .tuple(fc.constantFrom(...brands), fc.constantFrom(...brands))
  .chain(([one, other]) =>
    fc.constantFrom(
      `Is ${one} better than ${other}?`,
      `Many people begin with ${one}, and some never leave it.`,
      `Unlike ${other}, **${one}** is sold everywhere.`,
      `Prices change from week to week.`
    )
  )

const answer = fc
  .tuple(fc.array(sentence, { maxLength: 3 }), list, layout, fc.array(sentence, { maxLength: 3 }))
  .map(([before, names, lay, after]) => [...before, "", ...lay(names), "", ...after].join("\n"))

/** A surface marks up all brands or none. If it marked up only some, a printed number would outweigh the place among those. */
const entities = fc
  .shuffledSubarray(brands, { minLength: brands.length })
  .map((names) => names.map((name) => ({ name })))

const named = fc.record({ text: answer, brandEntities: fc.oneof(fc.constant([]), entities) })

describe("the brands of an answer", () => {
  it("rank of the n-th brand = n, so no two share a rank", () =>
    fc.assert(
      fc.property(named, (found) => {
        const ranks = brandsIn(found).map((name) => [name, findBrand(found, name).rank])
        assert.deepStrictEqual(
          ranks,
          brandsIn(found).map((name, place) => [name, place + 1])
        )
      }),
      { numRuns: 1000 }
    ))

  it("brandsWith(brands, brand, rank)[rank - 1] is the brand, for any list, and no other brand is lost", () =>
    fc.assert(
      fc.property(
        named,
        fc.constantFrom(...brands, "Okello", "Lite"),
        fc.string({ unit: "binary" }),
        fc.integer({ min: 1, max: 12 }),
        (found, brand, further, number) => {
          const text = `${found.text}\n#${number} ${brand}${further}`
          const { rank } = findBrand({ ...found, text }, brand)
          if (rank === null) return
          const listed = brandsIn({ ...found, text })
          const whole = brandsWith(listed, brand, rank)
          const there = whole[Math.min(rank, whole.length) - 1] ?? assert.fail("there is none")
          assert.isTrue(there === brand || brandKey(there) === brandKey(brand), there)
          assert.includeMembers([...whole], [...listed])
          assert.isAtMost(whole.length, listed.length + 1)
        }
      )
    ))
})
