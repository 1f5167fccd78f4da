/**
 * How an answer may number a brand, and say its place in words.
 *
 * Planted faults, each seen red here: letters, Roman and circled numerals read as text; a capital and a full stop taken for a
 * number; Roman numerals read up to ten; places in words not read; what only looks like one taken for it; whom an
 * item is for not read over, or read over to advice; a label of another language taken for a name; an award only behind a bullet, also a
 * longer remark, or only one that is no winner; the first cell of every row, the second wherever it is bold, the first were it a brand.
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
      ["❹", "❺", 5],
      ["٨.", "٩.", 9],
      ["۱۱)", "۱۲)", 12]
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

  it("is that of its item also where the item, row or line first says for whom or for what it is", () => {
    const lists = [
      "1. For small teams: **Quillon**\n2. For large ones: **Velmora**",
      "1. **For small teams:** Quillon is easy\n2. **For enterprises:** Velmora scales",
      "- If you are alone: Quillon\n- If you need speed: Velmora",
      "* **For teams:** the [Quillon Go](https://quillon.com)\n* **For one:** the [Velmora S2](https://velmora.com)",
      "1. Für kleine Teams: **Quillon**\n2. Wenn es schnell gehen soll: **Velmora**",
      "- Le meilleur choix : Quillon\n- Pour les pros : Velmora",
      "1. **Mejor en general:** Quillon\n2. **Para empresas:** Velmora",
      "| Need | Pick |\n|---|---|\n| Speed | **Quillon** |\n| Scale | **Velmora** |",
      "Best overall: Quillon Go\nRunner-up: Velmora S2",
      "Winner: Quillon\n\nBest budget: Velmora"
    ]
    for (const text of lists) {
      assert.strictEqual(rankIn(text, "Quillon"), 1, text)
      assert.strictEqual(rankIn(text), 2, text)
    }
  })

  it("is not that of advice beside it, of a remark or of a bold word", () => {
    const texts = [
      [
        "- For beginners: start small with Trask\n- For experts: invest more\n\nWe like Quillon, Velmora and Quillon.",
        2
      ],
      ["Trask: it is free.\nBest of all: it is free.\n\nWe like Quillon, Velmora and Quillon.", 2],
      ["**Best overall**: Quillon, **Best budget**: Trask, **Best value**: Velmora", 3],
      ["- Für Profis: 20 €\n- Quillon\n- Velmora", 2],
      ["| Tool | Speed |\n|---|---|\n| Quillon | **Trask Go** |\n| Ozmara | **Trask S** |\n| Velmora | **Fast** |", 3],
      ["| Tool | Speed |\n|---|---|\n| Price | **Cheap** |\n| Quillon | **Fast** |\n| Velmora | **Slow** |", 2],
      ["| Tool | Speed |\n|---|---|\n| Quillon | **Fast** |\n| Apple | **Quillon Go** |\n| Velmora | **Slow** |", 3]
    ] as const
    for (const [text, rank] of texts) assert.strictEqual(rankIn(text), rank, text)
  })
})
