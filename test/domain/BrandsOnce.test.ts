/**
 * How often the brands of an answer are read.
 *
 * Planted and seen red: nothing is remembered; the memory has no bound.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsNamed } from "@sightline/domain/Brands"

describe("the brands of the current answer", () => {
  const answer = (text: string) => ({ text, brandEntities: [] })
  const listed = (count: number) =>
    answer(Array.from({ length: count }, (_, at) => `${at + 1}. **Velm${at}ora** lasts.`).join("\n"))

  it("are read once for all callers", () => {
    const prose = answer("Zentra leads. Corvane is cheaper, and Zentra lasts longer than Corvane.")
    const brands = brandsNamed(prose)
    assert.strictEqual(findBrand(prose, "Corvane").rank, 2)
    assert.strictEqual(brandsNamed(prose), brands)
    const same = { ...prose }
    assert.strictEqual(findBrand(same, "Corvane").rank, 2)
    assert.deepStrictEqual(brandsNamed(same), brands)
  })

  it("are not remembered where there are more than any answer has", () => {
    for (const [count, isRemembered] of [
      [50, true],
      [51, false]
    ] as const) {
      const long = listed(count)
      const brands = brandsNamed(long)
      assert.lengthOf(brands, count)
      assert.strictEqual(brandsNamed(long) === brands, isRemembered, String(count))
      assert.deepStrictEqual(brandsNamed(long), brands)
    }
  })
})
