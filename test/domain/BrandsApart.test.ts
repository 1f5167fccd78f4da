/**
 * Names in a sentence above a list of the same names, names that share their first word, a name with a small word inside ("of"), and
 * headings in ordinary words.
 *
 * Planted and seen red:
 * - a list below a sentence is taken for attributes of the name in that sentence
 * - a word for the kind of many names ("Maison", "Banco") is taken for a brand, or for an ordinary word of a title
 * - the full stop after the title of a person or a saint is taken for the end of a name, or no full stop after a short word ends one
 * - the words after a small word are taken for a name of their own: first in the text, in a series, or after a capital
 * - the bold subject of a sentence, or a link that opens or closes the headings, is not taken for a name
 * - any bold text, or text that no heading has, is taken for a name
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

  it("has its names at its numbers, even where the sentence has one of them in bold and in ordinary words", () => {
    for (const item of lists) {
      const text = `For most people, I would start with **Rocket Money**.\n\n${listed(item)}`
      assert.deepStrictEqual(said(text), names, text)
      assert.deepStrictEqual(ranks(text, names), [1, 2, 3, 4], text)
    }
  })

  it("puts its names after those of the sentence where it has no numbers", () => {
    const text = `The best are **Corvane** and **Rocket Money**.\n\n${listed((name) => `- **${name}** – one of them.`)}`
    assert.deepStrictEqual(said(text), ["Corvane", "Rocket Money", "Zentra", "Blorf"])
  })
})

describe("names that share their first word", () => {
  const forms: ReadonlyArray<(name: string) => string> = [
    (name) => `- **${name}** – one of them.`,
    (name) => `### ${name}\nOne of them.\n`,
    (name) => `| ${name} | one |`
  ]
  const listed = (names: ReadonlyArray<string>, form: (name: string) => string) => names.map(form).join("\n")

  it("are several brands where that word tells their kind, or whose name it is", () => {
    for (const names of [
      ["Maison Lumé", "Zentra", "Maison Solé", "Maison Noré"],
      ["Banco Vexo", "Zentra", "Banco Corvane"],
      ["Dr. Vexo's", "Zentra", "Dr. Corvane", "Mrs. Vexo's", "St. Vexo"],
      ["Electro-Vexo", "Zentra", "Electro-Corvane"],
      ["Blue Apron", "Zentra", "Blue Bottle"]
    ])
      for (const form of forms) {
        const text = listed(names, form)
        assert.deepStrictEqual(said(text), names, text)
        assert.deepStrictEqual(
          ranks(text, names),
          names.map((_, at) => at + 1),
          text
        )
      }
  })

  it("are one brand otherwise, and before a model number", () => {
    for (const form of forms) {
      assert.deepStrictEqual(said(listed(["Samsung Galaxy S24", "Zentra", "Samsung QN90"], form)), [
        "Samsung",
        "Zentra"
      ])
      assert.deepStrictEqual(said(listed(["Corvane Desk", "Zentra", "Corvane Works"], form)), ["Corvane", "Zentra"])
      assert.deepStrictEqual(said(listed(["Electro-Vexo X1", "Zentra", "Electro-Vexo X2"], form)), [
        "Electro-Vexo",
        "Zentra"
      ])
    }
  })

  it("are names in prose too, where their other words are not ordinary", () => {
    const text =
      "Maison Lumé and Maison Solé are good to have. Maison Lumé is the better one, but Maison Solé is cheap."
    assert.deepStrictEqual(said(text), ["Maison Lumé", "Maison Solé"])
  })

  it("end at a full stop after any other word", () => {
    assert.deepStrictEqual(said("- **Ann. Good** for one\n- **Zentra. Good** for two"), ["Ann", "Zentra"])
  })
})

describe("a known name with a small word inside", () => {
  it("is one brand in prose, and its last word is no brand", () => {
    const brands = ["Bank of America", "Chase", "Ally"]
    for (const text of [
      "Top banks include: Bank of America, Chase, Ally.",
      "I would look at Bank of America, Chase and Ally.",
      "Try Bank of America. Chase is good, and so is Ally."
    ])
      assert.deepStrictEqual([said(text), ranks(text, brands)], [brands, [1, 2, 3]], text)
    assert.deepStrictEqual(said("Good ones are Vexo, Bank of America, and Chase."), [
      "Vexo",
      "Bank of America",
      "Chase"
    ])
  })
})

describe("a heading in ordinary words", () => {
  const listed = (names: ReadonlyArray<string>) => names.map((name) => `### ${name}\nOne of them.\n`).join("\n")
  const names = ["Rocket Money", "Zentra", "Corvane"]

  it("is a name where a sentence has it in bold as its subject, even where it is the first heading", () => {
    const text = `**Rocket Money** is the best overall, while **Zentra** is the best value.\n\n${listed(names)}`
    assert.deepStrictEqual(said(text), names)
    assert.deepStrictEqual(ranks(text, names), [1, 2, 3])
  })

  it("is no name where the sentence does not go on after the bold text, and bold text without a heading is no name either", () => {
    assert.deepStrictEqual(said(`**Long Time**: is over.\n\n${listed(["Long Time", "Zentra", "Corvane"])}`), [
      "Zentra",
      "Corvane"
    ])
    assert.deepStrictEqual(said(`**Long Time** is over.\n\n${listed(["Zentra", "Corvane"])}`), ["Zentra", "Corvane"])
  })

  it("is a name where all headings or bold lines are links, even where it is the first or the last of them", () => {
    const linked = ["Copper & Wren", "Zentra", "Corvane", "Rocket Money"]
    for (const form of [
      (name: string) => `### [${name}](https://x.example)\nOne of them.\n`,
      (name: string) => `**[${name}](https://x.example)**\nOne of them.\n`,
      (name: string) => `[**${name}**](https://x.example)\nOne of them.\n`
    ]) {
      const text = linked.map(form).join("\n")
      assert.deepStrictEqual([said(text), ranks(text, linked)], [linked, [1, 2, 3, 4]], text)
    }
    assert.deepStrictEqual(said(listed(linked)), ["Zentra", "Corvane"])
  })
})
