/**
 * Names that are recognised only by what stands beside them: other names, titles, sentences, the lines and columns of an answer.
 *
 * Planted and seen red:
 * - one name, or any number of them, is enough to make titles names
 * - titles above text, of another depth, with a range after them, or with a value in the same bold are made names
 * - items before colons, text on the line below, and names in lower case are not looked at
 * - a name that recurs at the head of a sentence, or is one bold word, is taken for one inside a sentence
 * - titles are taken for kinds because of one list, because of no sure name, because of the attributes of each, before a colon, above
 *   the products of a known brand, or when not in bold
 * - "also" is not read, or any title is taken for it
 * - bars anywhere make a table, or bars only in its header do
 * - unmarked advice, labels in another language, single letters, and what letters stand for are taken for names; known, unmarked or
 *   tabulated names are taken for advice
 * - titles in columns are not read, or one name across is enough
 * - each form of a line is not read, two lines or no sure name are enough, and titles around sure names are taken for names
 * - pronouns and other pointing words, one dictionary word, a single subject, another language, an article and a remark in prose are
 *   read as names
 * - German nouns, words that open sentences (however long, or anywhere) and "I'd" are taken for names
 * - names of five words, "First:" and "am besten" are not recognised
 * - a product beside its brand is taken for another brand
 * - brackets in a chain are counted, or names are lost where the whole chain stands in brackets
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

/** The brands found in each text, and the brands expected in each. */
const each = (texts: ReadonlyArray<string>, brands: ReadonlyArray<string>) =>
  [texts.map(said), texts.map(() => brands)] as const

describe("names in ordinary words", () => {
  it("are recognised where most items in the same position are names", () => {
    const brands = ["Zentra", "Rocket Money", "Corvane"]
    assert.deepStrictEqual(
      ...each(
        [
          "- **Zentra** – one.\n- **Rocket Money** – two.\n- **Corvane** – three.",
          "- [Zentra](https://z.example): one\n- [Rocket Money](https://r.example): two\n- [Corvane](https://c.example): three",
          "**Zentra** is one. **Rocket Money** makes two. **Corvane** has three.",
          "**Zentra.** One of them.\n\n**Rocket Money.** Two of them.\n\n**Corvane** is the third.",
          "## Zentra\nOne.\n\n## Rocket Money\nTwo.\n\n## Corvane\nThree."
        ],
        brands
      )
    )
    assert.deepStrictEqual(
      ...each(
        [
          "- **Rocket Money** – one.\n- **Zentra** – two.\n- **Corvane** – three.",
          "### Rocket Money\n**Good:** one\n\n### Zentra\n**Good:** two\n\n### Corvane\n**Good:** three"
        ],
        ["Rocket Money", "Zentra", "Corvane"]
      )
    )
  })

  it("are not recognised beside too few sure names, or in another position than those", () => {
    assert.deepStrictEqual(said("- **Zentra** – one.\n- **Long Time** – two.\n- **Big Room** – three."), ["Zentra"])
    const titles = ["Long Time", "Big Room", "Small House", "Warm Water", "Cold Day"]
    const names = "- **Zentra** – one.\n- **Corvane** – two.\n"
    assert.deepStrictEqual(said(names + titles.map((title) => `- **${title}** – more.\n`).join("")), [
      "Zentra",
      "Corvane"
    ])
    assert.deepStrictEqual(said(`${names}- **Battery Life:** three.\n- **Ages 3–6**\n`), ["Zentra", "Corvane"])
    // A heading above text is just as often the opening or the close of an answer.
    assert.deepStrictEqual(said("## Zentra\nOne.\n\n## Corvane\nTwo.\n\n## Buying Guide\nThree."), [
      "Zentra",
      "Corvane"
    ])
  })

  it("may open a list whose names stand before colons", () => {
    assert.deepStrictEqual(said("- **Rocket Money:** one.\n- **Zentra:** two.\n- **Corvane:** three."), [
      "Rocket Money",
      "Zentra",
      "Corvane"
    ])
  })

  it("are not recognised where a value follows in the same bold", () => {
    const text = "- **Zentra: 5**\n- **Power Output: 100W**\n- **Corvane: 6**"
    assert.deepStrictEqual(said(text), ["Zentra", "Corvane"])
  })

  it("are not recognised in headings of another depth, nor as one bold word", () => {
    const names = ["Zentra", "Corvane"]
    assert.deepStrictEqual(said("## Zentra\nOne.\n\n#### Long Time\nTwo.\n\n## Corvane\nThree."), names)
    assert.deepStrictEqual(said("- **Zentra** – one.\n- **Corvane** – two.\n\nIt comes in **Black**\n"), names)
  })

  it("are recognised where a sentence has them with capitals too", () => {
    assert.deepStrictEqual(
      ...each(
        [
          "**Patchwork**\n✅ cheap\n\n**Zentra**\n✅ exact\n\n**Corvane**\n✅ free\n\nOtherwise, Patchwork will do.",
          "**Patchwork** for taste. **Zentra**: for tests. **Corvane**\n\nYou will like Patchwork."
        ],
        ["Patchwork", "Zentra", "Corvane"]
      )
    )
    assert.deepStrictEqual(
      said("**Patchwork**\n✅ cheap\n\n**Zentra**\n✅ exact\n\n**Corvane**\n✅ free\n\nPatchwork will do."),
      ["Zentra", "Corvane"]
    )
  })

  it('may have five words, and may follow a place or the German "am besten"', () => {
    const words = "High Mowing Organic Garden Seeds"
    assert.deepStrictEqual(said(`- **Zentra** – one.\n- **${words}** – two.\n- **Corvane** – three.`)[1], words)
    assert.deepStrictEqual(said("First: Zentra 5. One.\nSecond: Corvane 6. Two."), ["Zentra", "Corvane"])
    const best = "1. **Am besten für Reisende – Zentra:** gut.\n2. **Am besten mit Depot – Corvane:** gut."
    assert.deepStrictEqual(said(best), ["Zentra", "Corvane"])
  })

  it("may be one lower-case word that no dictionary has", () => {
    assert.deepStrictEqual(said("- **Zentra** – one.\n- **tasklark** – two.\n- **Corvane** – three."), [
      "Zentra",
      "tasklark",
      "Corvane"
    ])
    assert.deepStrictEqual(said("- **Zentra** – one.\n- **cheap** – two.\n- **Corvane** – three."), [
      "Zentra",
      "Corvane"
    ])
  })

  it("may stand in bold after the colon of an item", () => {
    assert.deepStrictEqual(
      said("- Light users (maps): **Nomad**. Fine.\n- About €9: the **Zentra** Mini.\n- Longer stays: **Corvane**."),
      ["Nomad", "Zentra", "Corvane"]
    )
  })
})

describe("titles", () => {
  it("are the kinds of the names listed below them where at least two list names, in words of any kind", () => {
    const listed = ["Zentra", "Rocket Money", "Corvane", "Blorf"]
    assert.deepStrictEqual(
      ...each(
        [
          "### Alfama (old, hilly)\n- **Zentra** – one\n- **Rocket Money** – two\n\n### Chiado\n- **Corvane** – three\n- **Blorf** – four",
          "### Alfama\n- **Zentra** – one\n- **Rocket Money** – two\n\n### Chiado\n- **Corvane** – in Alfama\n- **Blorf** – four",
          "🚗 **Vermieter**\n- **Zentra** – eins\n- **Rocket Money** – zwei\n\n🔎 **Vermittler**\n- **Corvane** – drei\n- **Blorf** – vier",
          "**HDPE**\n- Zentra — one\n- Rocket Money — two\n\n**Teak**\n- Corvane — three\n- Blorf — four"
        ],
        listed
      )
    )
    assert.deepStrictEqual(
      said(
        "### Alfama\n- **Zentra** – one\n- **Corvane** – two\n\n### Chiado\n- **Blorf** – three\n- **Quillon** – four\n\n### Baixa\n- **Trask** – five"
      ),
      ["Zentra", "Corvane", "Blorf", "Quillon", "Trask"]
    )
  })

  it("are names where attributes follow each", () => {
    assert.deepStrictEqual(
      ...each(
        [
          "### Alfama\n- **Preisklasse** – one\n- **Zimmer** – two\n\n### Chiado\n- **Preisklasse** – three\n- **Zimmer** – four",
          "### Alfama\n- **Preisklasse:** one\n- **Zimmer:** two\n\n### Chiado\n- **Lage:** three\n- **Frühstück:** four"
        ],
        ["Alfama", "Chiado"]
      )
    )
  })

  it("are names above the only list, above lists without a sure name, and where a known brand's products follow", () => {
    const listed = (...names: ReadonlyArray<string>) => names.map((name) => `- **${name}** – well\n`).join("")
    const two = (first: string, second: string) => `### Alfama\n${first}\n### Chiado\n${second}`
    const brands = ["Alfama", "Chiado"]
    assert.deepStrictEqual(
      ...each(
        [
          two(listed("Zentra", "Corvane"), "One."),
          two(listed("Long Time", "Big Room"), listed("Small House", "Cold Day"))
        ],
        brands
      )
    )
    const made = two(listed("Zentra", "Corvane"), listed("Blorf", "Quillon"))
    assert.deepStrictEqual(said(made.replace("Alfama", "Nike").replace("Chiado", "Asics")), ["Nike", "Asics"])
    assert.deepStrictEqual(said(`${made}\n### Trask\n- **Zimmer:** five`), [
      "Zentra",
      "Corvane",
      "Blorf",
      "Quillon",
      "Trask"
    ])
  })

  it("that introduce more names end the attributes of the name above", () => {
    assert.deepStrictEqual(
      said(
        "1. **Zentra** – one.\n2. **Corvane** – two.\n\n**Also worth considering**\n\n- **Blorf** for three\n- **Quillon** for four"
      ),
      ["Zentra", "Corvane", "Blorf", "Quillon"]
    )
    assert.deepStrictEqual(
      said("1. **Zentra** – one.\n2. **Corvane** – two.\n\n**Verdict**\n\n- **Blorf** for three"),
      ["Zentra", "Corvane"]
    )
  })
})

describe("what is no name", () => {
  it("is an unmarked list item beside names that are marked", () => {
    const names = "- **Zentra** – eins\n- **Corvane** – twee\n\n"
    assert.deepStrictEqual(said(`${names}**Handig**\n\n1. De toeristenbelasting kost geld.\n2. Boek musea vooruit.`), [
      "Zentra",
      "Corvane",
      "Handig"
    ])
    assert.deepStrictEqual(said(`${names}1. Blorf\n2. Nike for runners`), ["Blorf", "Nike", "Zentra", "Corvane"])
    assert.deepStrictEqual(said("1. De toeristenbelasting kost geld.\n2. Boek musea vooruit."), [
      "De toeristenbelasting kost geld",
      "Boek"
    ])
  })

  it("is the tag below a name, even where a sentence has it too", () => {
    const cards =
      "### [Zentra](https://z.example)\n\n#### Non-Toxic Ceramic\n\n### [Corvane](https://c.example)\n\n#### Long Time\n"
    assert.deepStrictEqual(said(`You want Non-Toxic Ceramic pans.\n\n${cards}`), ["Zentra", "Corvane"])
  })

  it("is an attribute label in another language", () => {
    assert.deepStrictEqual(said("### Zentra\n**En contra:** uno\n\n### Corvane\n**En contra:** dos"), [
      "Zentra",
      "Corvane"
    ])
  })

  it("is a letter that stands for a name given elsewhere, and every label in the rows below it", () => {
    assert.deepStrictEqual(
      said("**Zentra** and **Corvane**\n\n| | A | B | C |\n|---|---|---|---|\n| LCL rate | 1 | 2 | 3 |"),
      ["Zentra", "Corvane"]
    )
  })

  it("is a German noun after an article, or a short word that opens sentences", () => {
    assert.deepStrictEqual(said("Vexo gefällt, weil die Geräte und alle Geräte von Vexo lange halten."), ["Vexo"])
    assert.deepStrictEqual(said("Si viajas mucho, Zentra ayuda. Si no viajas, Zentra también."), ["Zentra"])
    assert.deepStrictEqual(said("Zentra ayuda. Zentra dura."), ["Zentra"])
  })
})

describe("tables", () => {
  it("have names in ordinary words across, in bold below a kind, and in bold beside what they are best for", () => {
    assert.deepStrictEqual(
      said("| Feature | Zentra | Momentous | Corvane |\n|---|---|---|---|\n| Source | a | b | c |"),
      ["Zentra", "Momentous", "Corvane"]
    )
    assert.deepStrictEqual(
      said("| Anbieter | Gebühr | Sparpläne |\n|---|---|---|\n| **Trade Republic** | 1 | 2 |\n| **Zentra** | 3 | 4 |"),
      ["Trade Republic", "Zentra"]
    )
    assert.deepStrictEqual(said("| Best for | Account |\n|---|---|\n| Taxes | **Found** |\n| Savings | **Relay** |"), [
      "Found",
      "Relay"
    ])
  })

  it("have none across where only one column is a name, and need no mark in tables where names are marked elsewhere", () => {
    const rule = "|---|---|---|"
    assert.deepStrictEqual(said(`| | Zentra | Small House |\n${rule}\n| Source | a | b |\n`), ["Zentra"])
    const marked = "**Zentra** is one, **Corvane** is two.\n\n"
    assert.deepStrictEqual(said(`${marked}| Bank | Fee |\n|---|---|\n| Zentra | 1 |\n| Rocket Money | 2 |`), [
      "Zentra",
      "Corvane",
      "Rocket Money"
    ])
  })

  it("may lack outer bars", () => {
    assert.deepStrictEqual(said("Best for | Pick\n--- | ---\nBack pain | Zentra\nSide | Avocado"), [
      "Zentra",
      "Avocado"
    ])
    assert.deepStrictEqual(said("Brand | Price\n--- | ---\nZentra | 1\nCorvane | 2"), ["Zentra", "Corvane"])
    assert.deepStrictEqual(said("Zentra | one\nCorvane | two"), [])
  })
})

describe("lines of plain text", () => {
  it("begin with names: alone, underlined, as links, before dashes or before full stops", () => {
    assert.deepStrictEqual(
      ...each(
        [
          "Zentra\nOne of them.\n\nRocket Money\nTwo of them.\n\nCorvane\nThree of them.",
          "Zentra\n-----\nPros: one\n\nRocket Money\n-----\nPros: two\n\nCorvane\n-----\nPros: three",
          "[Zentra](https://z.example) – one.\n\n[Rocket Money](https://r.example) – two.\n\n[Corvane](https://c.example) – three.",
          "Zentra — one.\n\nRocket Money — two.\n\nCorvane — three.",
          "Zentra. One of them.\n\nRocket Money. Two of them.\n\nCorvane. Three of them."
        ],
        ["Zentra", "Rocket Money", "Corvane"]
      )
    )
  })

  it("that stand alone are names only between sure names, which a dictionary or a sentence confirms", () => {
    const lines = (...names: ReadonlyArray<string>) => names.map((name) => `${name}\nOne of them.\n`).join("\n")
    assert.deepStrictEqual(said(lines("Rocket Money", "Zentra", "Corvane", "Plain Harbor")), ["Zentra", "Corvane"])
    assert.deepStrictEqual(said(`${lines("Jobber", "Zentra", "Corvane")}\nYou will like Jobber.`), [
      "Jobber",
      "Zentra",
      "Corvane"
    ])
  })

  it("are not names where fewer than three stand so, where none is surely a name, or where they go on in lower case", () => {
    assert.deepStrictEqual(
      ...each(
        [
          "Zentra — one.\n\nDirect Line — two.",
          "Rocket Money — one.\n\nDirect Line — two.\n\nPlain Harbor — three.",
          "Zentra as it was\nOne.\n\nQuick rule of thumb\nTwo.\n\nCorvane as it is\nThree."
        ],
        []
      )
    )
  })
})

describe("English prose", () => {
  it("names the subjects of its sentences, and whatever it advises", () => {
    assert.deepStrictEqual(
      ...each(
        [
          "Start with Zentra, which is cheap to have; Kind Reply is nicer, and that is it; Corvane hosts everything.",
          "Zentra covers sports. If you are from here, Kind Reply is worth it and the price. Finally, Corvane from Seattle offers that."
        ],
        ["Zentra", "Kind Reply", "Corvane"]
      )
    )
    assert.deepStrictEqual(
      said(
        "The Zentra Pro is the one to have. Canyon Coolers, fourth, is small. The Farmer Dog made it, and that is it."
      ),
      ["Zentra", "Canyon Coolers", "The Farmer Dog"]
    )
  })

  it("has no name in contractions", () => {
    assert.deepStrictEqual(
      said("I'd like that, and I'd say it is the one to have. Nothing beats Zentra; Zentra lasts."),
      ["Zentra"]
    )
  })

  it("names nothing from a single subject, a pointing word or one dictionary word", () => {
    assert.deepStrictEqual(
      ...each(
        [
          "Zentra is the only one that is sold here, and it has all that you need to have.",
          "Coverage is thin, and the price is high. Its 50QT Elite has latches. That New One is good.",
          "Coverage is thin, and the price is high. Shipping is slow, and that is it.",
          "Zentra is goed. Corvane is beter.",
          "New York has it all. San Francisco is worth it, and the same to you."
        ],
        []
      )
    )
  })
})

describe("places", () => {
  it("are shared by a brand with its product and without it", () => {
    const text =
      "**Segway Navimow i105** is cheap, **Zentra** is not.\n\n| | Price |\n|---|---|\n| Segway | 1 |\n| Corvane | 2 |"
    assert.deepStrictEqual(...each([text], ["Segway Navimow", "Zentra", "Corvane"]))
    assert.strictEqual(findBrand({ text, brandEntities: [] }, "Segway").rank, 1)
  })

  it("do not count what brackets hold in a chain", () => {
    const texts = [
      "Top tier: Zentra (one, two), Corvane (three, four), Blorf",
      "My ranking (Zentra > Corvane > Blorf) is final."
    ]
    for (const text of texts) {
      const rankOf = (brand: string) => findBrand({ text, brandEntities: [] }, brand).rank
      assert.deepStrictEqual(["Zentra", "Corvane", "Blorf"].map(rankOf), [1, 2, 3], text)
    }
  })
})
