/**
 * How an answer may number a brand, and say its place in words.
 *
 * Planted faults, each seen red here: letters, Roman and circled numerals read as text; a capital and a full stop taken for a
 * number; Roman numerals read up to ten; places in words not read; what only looks like one taken for it; whom an
 * item is for not read over, or read over to advice.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const rankIn = (text: string, brand = "Velmora"): number | null => findBrand({ text, brandEntities: [] }, brand).rank

describe("the rank", () => {
  it("is the letter, the Roman or the circled number of its item", () => {
    const numerals = [
      ["a)", "b)", 2],
      ["A)", "B)", 2],
      ["(a)", "(b)", 2],
      ["a.", "b.", 2],
      ["i.", "ii.", 2],
      ["I.", "II.", 2],
      ["iv)", "v)", 5],
      ["xii.", "xiii.", 13],
      ["①", "②", 2],
      ["❹", "❺", 5]
    ] as const
    for (const [one, two, rank] of numerals)
      assert.strictEqual(rankIn(`Like Velmora:\n\n${one} **Quillon** – fair\n${two} **Velmora** – big`), rank, two)
    assert.strictEqual(rankIn("D. **Quillon** – fair\nC. **Velmora** – big"), 2)
  })

  it("is the place that words give it", () => {
    const texts = [
      "Quillon wins. Velmora is third on the list.",
      "Quillon wins. Third on the list is Velmora.",
      "Quillon wins. My third choice would be Velmora.",
      "Quillon wins. Velmora is the third-best option.",
      "Quillon wins. Velmora (3rd place) is cheap.",
      "Quillon wins. Velmora (ranked third) is cheap.",
      "Quillon wins. Trask is second. Velmora is third."
    ]
    for (const text of texts) assert.strictEqual(rankIn(text), 3, text)
    for (const text of ["Velmora is the third best-selling one.", "Velmora is third-party software."])
      assert.strictEqual(rankIn(text), 1, text)
  })

  it("is that of its item also where the item first says for whom it is", () => {
    const lists = [
      "1. For small teams: **Quillon**\n2. For large ones: **Velmora**",
      "1. **For small teams:** Quillon is easy\n2. **For enterprises:** Velmora scales",
      "- If you are alone: Quillon\n- If you need speed: Velmora",
      "* **For teams:** the [Quillon Go](https://quillon.com)\n* **For one:** the [Velmora S2](https://velmora.com)"
    ]
    for (const text of lists) {
      assert.strictEqual(rankIn(text, "Quillon"), 1, text)
      assert.strictEqual(rankIn(text), 2, text)
    }
  })

  it("is not that of advice beside it", () => {
    const text =
      "- For beginners: start small with Trask\n- For experts: invest more\n\nWe like Quillon, Velmora and Quillon."
    assert.deepStrictEqual([rankIn(text, "Quillon"), rankIn(text)], [1, 2])
  })
})
