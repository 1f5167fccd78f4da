/**
 * Names that only what stands beside them tells: other names, titles, sentences, the lines and columns of an answer.
 *
 * Planted and seen red: one name, or any number, enough to make titles names; titles above text, of another depth or with a range behind
 * them, or with a value in the same bold, made names; items before colons, what stands on the line below and words in small letters not looked at; a name that recurs at
 * the head of a sentence, or in bold as one word, for one within; kinds by one list, by no sure name, by what is told of each, before a
 * colon, above a known brand's products or not in bold; "also" not read, or any title for it; bars anywhere for a table, or only in its header; advice
 * without a mark, labels of another language, letters, and what they measure for names, and known, unmarked or tabled names for advice; titles
 * in columns not read, or one name across enough; each form of a line not read, two lines or none sure enough, and titles around sure ones
 * named; what points, one word of the dictionary, one subject, another language, an article and a remark in prose; German nouns, openers of
 * sentences however long or wherever, "I'd"; five words, "First:" and "am besten" not known; a product beside its brand for another; brackets in a chain
 * counted, or lost where the chain stands in them.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

/** What is said of texts, beside what is to be said of each of them. */
const each = (texts: ReadonlyArray<string>, brands: ReadonlyArray<string>) =>
  [texts.map(said), texts.map(() => brands)] as const

describe("names in ordinary words", () => {
  it("are told by most of those that stand as they do", () => {
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

  it("are not told by fewer than two names, by fewer than one for two, or by those that stand otherwise", () => {
    assert.deepStrictEqual(said("- **Zentra** – one.\n- **Long Time** – two.\n- **Big Room** – three."), ["Zentra"])
    const titles = ["Long Time", "Big Room", "Small House", "Warm Water", "Cold Day"]
    const names = "- **Zentra** – one.\n- **Corvane** – two.\n"
    assert.deepStrictEqual(said(names + titles.map((title) => `- **${title}** – more.\n`).join("")), [
      "Zentra",
      "Corvane"
    ])
    assert.deepStrictEqual(said(`${names}- **Battery Life:** three.\n- **Ages 3–6**\n`), ["Zentra", "Corvane"])
    // What stands above text opens or closes an answer as often.
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

  it("are not told where a value follows in the same bold", () => {
    const text = "- **Zentra: 5**\n- **Power Output: 100W**\n- **Corvane: 6**"
    assert.deepStrictEqual(said(text), ["Zentra", "Corvane"])
  })

  it("are not told by headings of another depth, nor by one word in bold", () => {
    const names = ["Zentra", "Corvane"]
    assert.deepStrictEqual(said("## Zentra\nOne.\n\n#### Long Time\nTwo.\n\n## Corvane\nThree."), names)
    assert.deepStrictEqual(said("- **Zentra** – one.\n- **Corvane** – two.\n\nIt comes in **Black**\n"), names)
  })

  it("are told by a sentence that has them in capitals too", () => {
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

  it("may have five words, and stand behind a place or what German is best for", () => {
    const words = "High Mowing Organic Garden Seeds"
    assert.deepStrictEqual(said(`- **Zentra** – one.\n- **${words}** – two.\n- **Corvane** – three.`)[1], words)
    assert.deepStrictEqual(said("First: Zentra 5. One.\nSecond: Corvane 6. Two."), ["Zentra", "Corvane"])
    const best = "1. **Am besten für Reisende – Zentra:** gut.\n2. **Am besten mit Depot – Corvane:** gut."
    assert.deepStrictEqual(said(best), ["Zentra", "Corvane"])
  })

  it("may be one word in small letters that no dictionary has", () => {
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

  it("may be behind the colon of an item, in bold", () => {
    assert.deepStrictEqual(
      said("- Light users (maps): **Nomad**. Fine.\n- About €9: the **Zentra** Mini.\n- Longer stays: **Corvane**."),
      ["Nomad", "Zentra", "Corvane"]
    )
  })
})

describe("titles", () => {
  it("say of which kind those listed below are, two or more of them, in words of any kind", () => {
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

  it("name whom the same is told of", () => {
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

  it("name whose list is the only one, of no sure name, or of what a known brand makes", () => {
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

  it("that lead on to more end what is told of the name above", () => {
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
  it("is what is counted up without a mark beside marked names", () => {
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

  it("is the tag below a name, also where a sentence has it", () => {
    const cards =
      "### [Zentra](https://z.example)\n\n#### Non-Toxic Ceramic\n\n### [Corvane](https://c.example)\n\n#### Long Time\n"
    assert.deepStrictEqual(said(`You want Non-Toxic Ceramic pans.\n\n${cards}`), ["Zentra", "Corvane"])
  })

  it("is what is told of each in words of another language", () => {
    assert.deepStrictEqual(said("### Zentra\n**En contra:** uno\n\n### Corvane\n**En contra:** dos"), [
      "Zentra",
      "Corvane"
    ])
  })

  it("is a letter for what is named elsewhere, and all in the rows below it", () => {
    assert.deepStrictEqual(
      said("**Zentra** and **Corvane**\n\n| | A | B | C |\n|---|---|---|---|\n| LCL rate | 1 | 2 | 3 |"),
      ["Zentra", "Corvane"]
    )
  })

  it("is a noun of German behind an article, or a short word that opens sentences", () => {
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

  it("do not have them across where one column alone is of a name, and need no mark beside marked names", () => {
    const rule = "|---|---|---|"
    assert.deepStrictEqual(said(`| | Zentra | Small House |\n${rule}\n| Source | a | b |\n`), ["Zentra"])
    const marked = "**Zentra** is one, **Corvane** is two.\n\n"
    assert.deepStrictEqual(said(`${marked}| Bank | Fee |\n|---|---|\n| Zentra | 1 |\n| Rocket Money | 2 |`), [
      "Zentra",
      "Corvane",
      "Rocket Money"
    ])
  })

  it("may have no bars around them", () => {
    assert.deepStrictEqual(said("Best for | Pick\n--- | ---\nBack pain | Zentra\nSide | Avocado"), [
      "Zentra",
      "Avocado"
    ])
    assert.deepStrictEqual(said("Brand | Price\n--- | ---\nZentra | 1\nCorvane | 2"), ["Zentra", "Corvane"])
    assert.deepStrictEqual(said("Zentra | one\nCorvane | two"), [])
  })
})

describe("lines of plain text", () => {
  it("begin with names: alone, underlined, as links, before dashes or stops", () => {
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

  it("that stand alone name between those that surely do, as by a dictionary or a sentence", () => {
    const lines = (...names: ReadonlyArray<string>) => names.map((name) => `${name}\nOne of them.\n`).join("\n")
    assert.deepStrictEqual(said(lines("Rocket Money", "Zentra", "Corvane", "Plain Harbor")), ["Zentra", "Corvane"])
    assert.deepStrictEqual(said(`${lines("Jobber", "Zentra", "Corvane")}\nYou will like Jobber.`), [
      "Jobber",
      "Zentra",
      "Corvane"
    ])
  })

  it("do not where fewer than three do, where none is surely a name, or where they go on in small letters", () => {
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
  it("is about those whom its sentences are about, or that they advise", () => {
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

  it("is not about one alone, about what points, or about one word of the dictionary", () => {
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
  it("are one for a brand with its product and without", () => {
    const text =
      "**Segway Navimow i105** is cheap, **Zentra** is not.\n\n| | Price |\n|---|---|\n| Segway | 1 |\n| Corvane | 2 |"
    assert.deepStrictEqual(...each([text], ["Segway Navimow", "Zentra", "Corvane"]))
    assert.strictEqual(findBrand({ text, brandEntities: [] }, "Segway").rank, 1)
  })

  it("are not counted by what brackets hold in a chain", () => {
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
