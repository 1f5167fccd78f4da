/**
 * The order of brands that a sentence of prose states: by an ordinal before or after each brand ("first Zorvane, second Quellix"), or
 * by listing them after a word such as "order" or "ranking".
 *
 * Planted and seen red:
 * - an order is read from the same place given twice, from places that leave a gap too wide, or from one place alone
 * - two listed names are taken for an order
 * - one of the two forms is not read
 * - an order is read beyond its last name
 * - German "vor" ("before"), a full stop inside a name, or the end of a Chinese sentence is overlooked
 * - 是 is taken for a part of a name
 * - a Portuguese article is kept in the name where it opens the sentence, or dropped from a name inside a sentence
 * - an ordinal before the noun it counts is taken for a place
 * - the last sentence that states an order is used instead of the first
 * - two brands both keep the same place
 * - the numbers of a list override a verdict in prose, or are lost where the verdict agrees with them
 * - what a list item says about the place of another brand is read
 * - a name with "The" and the same name without it are taken for two brands
 * - the last link of a chain is lost because its words are ordinary
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

/** The brands of a text with the rank of each when it is asked for. */
const ranked = (text: string): ReadonlyArray<readonly [name: string, rank: number | null]> =>
  brandsIn({ text, brandEntities: [] }).map((brand) => [brand, findBrand({ text, brandEntities: [] }, brand).rank])

/** Brands with the ranks that follow from their order. */
const inOrder = (...names: ReadonlyArray<string>) => names.map((name, place) => [name, place + 1] as const)

/** Prose that names three brands in another order than the verdict after them. */
const told = (verdict: string): string =>
  `Plutivo makes shoes. Quellix offers socks. Zorvane sells both. ${verdict} You get what you pay for with all of them, and the rest.`

const asStated = inOrder("Zorvane", "Quellix", "Plutivo")
const asTold = inOrder("Plutivo", "Quellix", "Zorvane")

describe("a sentence that gives its brands ordinals", () => {
  for (const verdict of [
    "I'd put Zorvane first, Quellix second and Plutivo third.",
    "Zorvane comes first, Quellix is second, Plutivo third.",
    "Put **Zorvane** first, **Quellix** second and **Plutivo** third.",
    "First Zorvane, second Quellix, third: Plutivo."
  ])
    it(`ranks them: ${verdict}`, () => {
      assert.deepStrictEqual(ranked(told(verdict)), asStated)
    })

  it("gives the brands that it does not name the places that remain", () => {
    assert.deepStrictEqual(ranked(told("I would rank Zorvane first, Quellix second.")), asStated)
    assert.deepStrictEqual(ranked(told("Zorvane is second, Plutivo third.")), inOrder("Quellix", "Zorvane", "Plutivo"))
  })

  it("wins over a later sentence that states another order", () => {
    assert.deepStrictEqual(
      ranked(told("Of these I rank Zorvane first, Quellix second.\nA friend has Quellix first, Zorvane second.")),
      asStated
    )
    assert.deepStrictEqual(
      ranked(told("Of these I rank Zorvane first, Quellix second. A friend has Quellix first, Zorvane second.")),
      asStated
    )
  })

  it("is read to its end, past a full stop inside a name", () => {
    assert.deepStrictEqual(ranked(told("I'd put Zorvane first, Quellix.io second, and Plutivo third.")), asStated)
  })
})

describe("a sentence that states an order", () => {
  for (const verdict of [
    "My order would be Zorvane, Quellix, Plutivo.",
    "So my order for you is Zorvane, then Quellix, and finally Plutivo.",
    "My personal ranking of what you can have is **Zorvane**, **Quellix** and **Plutivo**."
  ])
    it(`ranks the names it lists: ${verdict}`, () => {
      assert.deepStrictEqual(ranked(told(verdict)), asStated)
    })

  it("states no order where it lists no names, or only two", () => {
    for (const verdict of [
      "My order is Grip, weight, looks and Zorvane.",
      "My order would be the Zorvane, Quellix, Plutivo.",
      "My order would be Zorvane and Quellix.",
      "In order to know more, ask Zorvane, Quellix, Plutivo."
    ])
      assert.deepStrictEqual(ranked(told(verdict)), asTold)
  })

  it("ends at the first part that is no name", () => {
    assert.deepStrictEqual(
      ranked(told("My order would be Zorvane, Quellix, Plutivo, with what is left, Marnwick.")),
      asStated
    )
  })
})

describe("an order in another language", () => {
  const elsewhere: ReadonlyArray<readonly [about: string, verdict: string]> = [
    [
      "Plutivo tiene suelas que son para la ciudad. Quellix ofrece más. Zorvane es la más ligera.",
      "Primero Zorvane por el precio, segundo Quellix y tercero Plutivo."
    ],
    [
      "Plutivo tiene suelas que son para la ciudad. Quellix ofrece más. Zorvane es la más ligera.",
      "Mi orden sería: Zorvane, Quellix y, por último, Plutivo."
    ],
    [
      "A Plutivo tem solas que são para a cidade. A Quellix oferece mais, mas não é leve. A Zorvane é a mais leve de uma cidade.",
      "A Zorvane seria a primeira, a Quellix a segunda opção, e a Plutivo, a terceira."
    ],
    [
      "A Plutivo tem solas que são para a cidade. A Quellix oferece mais, mas não é leve. A Zorvane é a mais leve de uma cidade.",
      "A minha ordem seria esta: Zorvane, Quellix e, por fim, Plutivo."
    ],
    [
      "Plutivo propose de bonnes semelles pour la ville. Quellix est moins cher. Zorvane reste la plus légère.",
      "Je mettrais Zorvane en premier, Quellix en deuxième position et Plutivo en troisième."
    ],
    [
      "Plutivo ha suole per la città che non costano. Quellix costa meno. Zorvane resta la più leggera.",
      "Il mio ordine sarebbe Zorvane, poi Quellix e infine Plutivo."
    ],
    [
      "Plutivo hat Sohlen für die Stadt. Quellix ist leicht und billig. Zorvane bietet das meiste.",
      "Erstens Zorvane, zweitens Quellix, drittens Plutivo."
    ],
    [
      "Plutivo hat Sohlen für die Stadt. Quellix ist leicht und billig. Zorvane bietet das meiste.",
      "Meine Reihenfolge wäre Zorvane vor Quellix und dann Plutivo."
    ]
  ]
  for (const [about, verdict] of elsewhere)
    it(`ranks: ${verdict}`, () => {
      assert.deepStrictEqual(ranked(`${about} ${verdict}`), asStated)
    })

  it("ranks in Chinese", () => {
    assert.deepStrictEqual(
      ranked("沁园便宜,小米方便,美的耐用。我的排序:第一小米,第二沁园,第三美的。").map(([name]) => name),
      ["小米", "沁园", "美的"]
    )
    assert.deepStrictEqual(ranked("美的耐用。第一是沁园，第二是美的。"), inOrder("沁园", "美的"))
    assert.deepStrictEqual(
      ranked("沁园便宜。美的耐用。小米方便。第一沁园,第二美的。第一沁园最好。"),
      inOrder("沁园", "美的")
    )
  })

  it("keeps an article that belongs to a name inside a sentence, but not the article that opens a sentence", () => {
    const about = "O Plutivo tem solas que são para a cidade. A Quellix oferece mais, mas não é leve."
    assert.deepStrictEqual(
      ranked(`${about} A minha ordem seria esta: O Afonso, Quellix e, por fim, Plutivo.`),
      inOrder("O Afonso", "Quellix", "Plutivo")
    )
  })
})

describe("a place that a sentence gives", () => {
  for (const verdict of [
    "Zorvane is first in price.",
    "Zorvane is second to none, Quellix first to sell.",
    "Quellix launched its second shoe, Plutivo the first shop.",
    "Socks are a second need, shoes the first.",
    "Buyers care for grip first, price second.",
    "Zorvane was second in tests, Quellix third in sales."
  ])
    it(`is not part of an order: ${verdict}`, () => {
      assert.deepStrictEqual(ranked(told(verdict)), asTold)
    })

  it("belongs to the brand that gets it first, and the other brands take the places between", () => {
    assert.deepStrictEqual(ranked(told("Zorvane is first, Quellix fourth.")), inOrder("Zorvane", "Plutivo", "Quellix"))
    assert.deepStrictEqual(
      ranked(told("Zorvane comes first, Quellix first, Plutivo second.")),
      inOrder("Zorvane", "Plutivo", "Quellix")
    )
    assert.deepStrictEqual(ranked(told("Zorvane is third, Quellix fourth, Plutivo fifth.")), asTold)
  })

  it("is ignored where a chain states the order", () => {
    const verdict = "I'd put Zorvane first, Quellix second and Plutivo third."
    assert.deepStrictEqual(ranked(`My ranking: Plutivo > Quellix > Zorvane.\n\n${verdict}`), asTold)
  })
})

describe("a place that prose gives above or below a numbered list", () => {
  const list = "1. Plutivo – fair.\n2. Quellix – light.\n3. Zorvane – dear."

  it("wins over the numbers, which give the order of appearance", () => {
    for (const verdict of ["I'd put Zorvane first, Quellix second.", "Zorvane is our top pick.", "#1: Zorvane."])
      for (const text of [`${list}\n\n${verdict}`, `${verdict}\n\n${list}`])
        assert.strictEqual(ranked(text)[0]?.[0], "Zorvane", text)
    assert.deepStrictEqual(
      ranked(`${list}\n\nI'd put Zorvane first, Quellix second.`),
      inOrder("Zorvane", "Quellix", "Plutivo")
    )
  })

  it("leaves the numbers as they are where it agrees with them, even where they leave a gap", () => {
    const gap = "1. Plutivo One\n2. Plutivo Two\n3. Quellix\n4. Zorvane"
    assert.deepStrictEqual(ranked(`${gap}\n\nPlutivo comes first.`), [
      ["Plutivo", 1],
      ["Quellix", 3],
      ["Zorvane", 4]
    ])
  })

  it("is not read inside the list", () => {
    assert.deepStrictEqual(
      ranked("1. Plutivo – fair.\nZorvane comes first elsewhere.\n2. Quellix – light.\n3. Zorvane – dear."),
      asTold
    )
  })
})

describe("a name with an article in one place and without it in another", () => {
  it("is one brand", () => {
    const about =
      "If you want food with real meat, start with Ollimar. The Tanner's Dog offers more. Quellix makes dry food."
    assert.deepStrictEqual(
      ranked(`${about}\n\nMy ranking: Quellix, Ollimar, The Tanner's Dog.`),
      inOrder("Quellix", "Ollimar", "Tanner's Dog")
    )
  })
})

describe("a chain", () => {
  it("may have a link of ordinary words where all other links are names", () => {
    assert.deepStrictEqual(
      ranked(
        "Plutivo has the best paint. Farrow & Ball is dear. Quellix is fair.\n\nRanked by value: Plutivo, then Quellix, then Farrow & Ball, then Zorvane."
      ),
      inOrder("Plutivo", "Quellix", "Farrow & Ball", "Zorvane")
    )
  })
})
