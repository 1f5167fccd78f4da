/**
 * Names in a sentence above the list that has them too.
 *
 * Planted and seen red: what is listed below a sentence taken for what is told of the name in it.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })
const ranks = (text: string, names: ReadonlyArray<string>) =>
  names.map((brand) => findBrand({ text, brandEntities: [] }, brand).rank)

describe("a list below a sentence", () => {
  const names = ["Zentra", "Rocket Money", "Corvane", "Blorf"]
  const lists: ReadonlyArray<(name: string, number: number) => string> = [
    (name, number) => `${number}. **${name}** – one of them.`,
    (name, number) => `${number}) **${name}** – one of them.`,
    (name, number) => `${number}. ${name} – one of them.`,
    (name, number) => `**${number}. ${name}** – one of them.`,
    (name, number) => `${number}. **${name}**\n   - **Best for:** speed\n   - Cheap to have`
  ]
  const listed = (item: (name: string, number: number) => string) =>
    names.map((name, at) => item(name, at + 1)).join("\n")

  it("has its names at its numbers, though the sentence has one of them in bold, in ordinary words", () => {
    for (const item of lists) {
      const text = `For most people, I would start with **Rocket Money**.\n\n${listed(item)}`
      assert.deepStrictEqual(said(text), names, text)
      assert.deepStrictEqual(ranks(text, names), [1, 2, 3, 4], text)
    }
  })

  it("without numbers has them behind those of the sentence", () => {
    const text = `The best are **Corvane** and **Rocket Money**.\n\n${listed((name) => `- **${name}** – one of them.`)}`
    assert.deepStrictEqual(said(text), ["Corvane", "Rocket Money", "Zentra", "Blorf"])
  })
})
