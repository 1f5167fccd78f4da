/**
 * Planted and seen red: the surface's entities ignored; running text read beside a structured answer; a brand shown as it is written
 * last; the folded key shown for the name; no bound.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string, ...names: ReadonlyArray<string>) =>
  brandsIn({ text, brandEntities: names.map((name) => ({ name })) })

describe("the brands of an answer", () => {
  it("are the names of its list, once each, as they are written and in their order", () => {
    const text =
      "1. **HubSpot CRM** – free to begin with.\n2. **Zoho** – cheap. Unlike Salesforce.\n3. **HUBSPOT Sales Hub** – more."
    assert.deepStrictEqual(said(text), ["HubSpot", "Zoho"])
  })

  it("are in running text those that recur or that the world knows", () => {
    assert.deepStrictEqual(said("Most people like Nike. Corvane is lighter, and Corvane lasts; Blorf is not bad."), [
      "Nike",
      "Corvane"
    ])
  })

  it("keep their accents and capitals", () => {
    assert.deepStrictEqual(said("1. **Nestlé** is big.\n2. **L’Oréal** is bigger.")[0], "Nestlé")
  })

  it("are the surface's own entities where it marks any up, as far as the text names them", () => {
    assert.deepStrictEqual(said("Try Globex before Acme, or Hooli.", "Acme", "Globex", "Initech"), ["Globex", "Acme"])
  })

  it("are none in an answer that names none", () => {
    assert.deepStrictEqual(said("It depends on what you need. Prices vary."), [])
    assert.deepStrictEqual(said(""), [])
  })

  it("are 50 at most", () => {
    const text = Array.from({ length: 80 }, (_, n) => `${n + 1}. **Zzq${"abcdefghij"[n % 10]}${n}x** – fine.`).join(
      "\n"
    )
    assert.lengthOf(said(text), 50)
  })

  it("stand in the order by which a rank is counted", () => {
    const text = "1. **Globex** leads.\n2. **Initech** is next.\n3. **Acme** is cheap.\n4. **Hooli** is not."
    const brands = said(text)
    for (const [place, name] of brands.entries())
      assert.strictEqual(findBrand({ text, brandEntities: [] }, name).rank, place + 1)
    assert.lengthOf(brands, 4)
  })
})
