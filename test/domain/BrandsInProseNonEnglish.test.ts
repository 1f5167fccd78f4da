/**
 * The brands of running text in European languages other than English: the subjects of its sentences and the names that it advises,
 * and German, which capitalises every noun.
 *
 * Planted and seen red:
 * - names are taken beside no brand although none does what only a company or a product does, or are not taken beside known brands
 * - an apposition introduces a brand where it tells of no product, or introduces none
 * - advice is not read
 * - a country, a day, an article joined to its noun, an adverb or abstract noun, or a place or person of the dictionary is taken for a
 *   name
 * - "gibt es" is read as advice
 * - the first words of a name are lost where it recurs
 * - a recurring German noun is taken for a name
 * - a shop or a location is taken for what the text is about
 * - an article before a known brand is kept
 * - the language of all is told from the start of the text; a line is told by its own words alone
 * - a known brand that German has as a noun, or that opens a sentence of Italian as a word, counts
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

describe("a name that is mentioned once in a text in another language", () => {
  const about: Readonly<Record<string, string>> = {
    Spanish:
      "Zorvane ofrece suelas que son para la ciudad. Quellix, por su parte, destaca por el precio. Para los demás recomiendo Plutivo. Otra alternativa, Marnwick, con un ajuste preciso, pesa menos.",
    Portuguese:
      "A Zorvane também tem solas para a cidade, que não são caras. Quellix (a mais nova) custa menos, mas não pesa. Para uma cidade, eu começaria pela Plutivo. Existe ainda a Marnwick.",
    Italian:
      "Zorvane offre suole per la città che non pesano. Quellix costa meno. Per la pioggia consiglio Plutivo. C'è una scelta di più, Marnwick, che pesa poco.",
    French:
      "Zorvane propose des semelles pour la ville. Quellix n’est pas chère et vous plaira. Je recommande Plutivo pour la pluie. Quant à Marnwick, elle dure.",
    Dutch:
      "Zorvane biedt zolen voor de stad. Quellix kost niet meer dan het moet. Mijn aanrader is Plutivo. Een ander merk, Marnwick, met een goede pasvorm, weegt niet veel.",
    German:
      "Zorvane bietet Sohlen für die Stadt. Quellix kostet weniger und ist leicht. Für den Regen empfehle ich Plutivo. Danach folgt Marnwick.",
    Swedish:
      "Zorvane har sulor som är bra för att det är lätt. Quellix kostar mer. **Plutivo** är dyr och det är Marnwick med: Marnwick säljer mest.",
    Polish:
      "Zorvane oferuje buty, które nie są na deszcz. Quellix kosztuje więcej, ale jest lekki. Plutivo daje się lubić. Marnwick działa na mrozie."
  }
  for (const [language, text] of Object.entries(about))
    it(`is a brand where a sentence in ${language} is about it, or advises it`, () => {
      assert.deepStrictEqual(said(text), ["Zorvane", "Quellix", "Plutivo", "Marnwick"])
      for (const [place, brand] of said(text).entries())
        assert.strictEqual(findBrand({ text, brandEntities: [] }, brand).rank, place + 1)
    })

  it("is a brand where only an apposition describes it", () => {
    assert.deepStrictEqual(
      said("Zorvane es de la ciudad y no pesa. Hay otra que es para la casa, Quellix, con un ajuste preciso."),
      ["Zorvane", "Quellix"]
    )
  })

  it("is not a German noun that recurs", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane baut für die Stadt neue Anlagen. Auf Schnee ist es glatt. Quellix zahlt mehr und ist für alte Anlagen, ob bei Schnee oder nicht."
      ),
      ["Zorvane", "Quellix"]
    )
  })

  it("is not a place or a person that a dictionary has", () => {
    assert.deepStrictEqual(
      said("Zorvane ofrece suelas que son para la ciudad. Madrid ofrece más. Quellix ofrece lo que Madrid no."),
      ["Zorvane", "Quellix"]
    )
  })

  it("keeps its ordinary words, even where it recurs", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane biedt zolen voor de stad. Budget Energie biedt het voor minder. Wie het niet heeft, kiest Budget Energie."
      ),
      ["Zorvane", "Budget Energie"]
    )
  })

  it("is no brand where it is the only one", () => {
    assert.deepStrictEqual(
      said("Zorvane ofrece suelas que son para la ciudad, y no cuestan más que las de la casa."),
      []
    )
  })

  it("is no brand inside a sentence that is not about it", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane ofrece suelas que son para la ciudad. Quellix tiene más. Los de Plutivo tiene la casa, y los que Marnwick dejó."
      ),
      ["Zorvane", "Quellix"]
    )
  })
})

describe("a word that opens a sentence", () => {
  const others: ReadonlyArray<readonly [about: string, openers: ReadonlyArray<string>]> = [
    [
      "Zorvane ofrece suelas que son para la ciudad. Quellix tiene más.",
      [
        "Él tiene la casa.",
        "Usted tiene la casa.",
        "Después está el precio.",
        "También es barata.",
        "Además cuesta menos.",
        "Luego queda la talla.",
        "España tiene más.",
        "Normalmente es así.",
        "Calidad es lo que cuenta."
      ]
    ],
    [
      "A Zorvane tem solas que são para uma cidade, mas não pesam. A Quellix oferece mais.",
      [
        "Depois fica o preço.",
        "Ela tem mais.",
        "Também é boa.",
        "Brasil tem mais.",
        "Geralmente custa menos.",
        "Atenção é tudo."
      ]
    ],
    [
      "Zorvane offre suole per la città che non pesano. Quellix costa meno.",
      ["Dopo è il prezzo.", "Infine resta la taglia.", "Inoltre costa poco.", "Italia ha di più.", "Qualità costa."]
    ],
    [
      "Zorvane propose des semelles pour la ville. Quellix est une marque pour vous.",
      [
        "Elle est bonne.",
        "Ensuite est le prix.",
        "Aujourd’hui est un jour.",
        "France est un pays.",
        "Enfin reste la taille."
      ]
    ],
    [
      "Zorvane biedt zolen voor de stad. Quellix heeft het.",
      [
        "Daarna komt de prijs.",
        "Dit is het.",
        "Een is er.",
        "Nederland heeft meer.",
        "Daarnaast is het licht.",
        "Ook is het licht."
      ]
    ],
    [
      "Zorvane bietet Sohlen für die Stadt. Quellix ist leicht.",
      [
        "Er hat mehr.",
        "Es ist der Preis.",
        "Eine ist leicht.",
        "Dort liegt es.",
        "Danach kommt der Preis.",
        "Dafür ist es leicht.",
        "Preislich liegt es gut.",
        "Qualität hat Preis.",
        "Leistung kostet.",
        "Deutschland hat mehr.",
        "Ebenso gilt das."
      ]
    ],
    ["Zorvane har sulor som är för att gå. Quellix kostar mer och det är det.", ["Sverige har mer.", "Det är allt."]],
    ["Zorvane jest na deszcz, nie na mróz. Quellix oferuje się lepiej.", ["Polska jest zimna.", "To jest to."]]
  ]
  for (const [about, openers] of others)
    it(`is no name: ${openers.join(" ")}`, () => {
      for (const opener of openers) assert.deepStrictEqual(said(`${about} ${opener}`), ["Zorvane", "Quellix"], opener)
    })
})

describe("an article", () => {
  it("is no part of a Portuguese name that recurs after it", () => {
    assert.deepStrictEqual(
      said("A Zorvane tem solas para uma cidade, que não pesam. O Quellix custa mais. A Zorvane também custa menos."),
      ["Zorvane", "Quellix"]
    )
  })

  it("is dropped before a well-known brand, unless it belongs to the brand", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane bietet Sohlen für die Stadt. Quellix ist leicht. Mit dem Rest fährt man gut, sagt wer Der Bosch Turo und Die Makita Flexo mag."
      ),
      ["Zorvane", "Quellix", "Bosch", "Makita"]
    )
    assert.deepStrictEqual(
      said("Zorvane ofrece cremas que son para la piel. Quellix tiene más. Entre las demás hay una de La Roche-Posay."),
      ["Zorvane", "Quellix", "La Roche-Posay"]
    )
  })
})

describe("German, which capitalises its nouns", () => {
  it("names only known brands and the subjects of sentences, not words that recur", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane bietet Sohlen für die Stadt. Quellix ist leicht und kostet Geld. Mehr Zirkel hilft, und wer Zirkel mag, der kennt Samsung."
      ),
      ["Zorvane", "Quellix", "Samsung"]
    )
  })

  it("is not detected in a language that does not capitalise nouns", () => {
    assert.deepStrictEqual(
      said("Ella y los de la casa que van por Zirkelo, y con Zirkelo para las de Samsung, que son de la casa."),
      ["Zirkelo", "Samsung"]
    )
  })
})

describe("a name that is mentioned in passing in another language", () => {
  it("is left out beside others", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane ofrece suelas que son para la ciudad. Quellix tiene más. Se venden en Nike, en la Adidas y por Internet. Pertenece al grupo Samsung, propiedad de Sony."
      ),
      ["Zorvane", "Quellix"]
    )
    for (const passing of ["bei Nike", "beim Konzern Samsung", "bei der Sony", "mit einer Filiale von Adidas"])
      assert.deepStrictEqual(
        said(`Zorvane bietet Sohlen für die Stadt. Quellix ist leicht. Es gibt sie ${passing} und im Netz.`),
        ["Zorvane", "Quellix"],
        passing
      )
    for (const passing of ["su Nike", "nel gruppo Samsung", "na Adidas"])
      assert.deepStrictEqual(
        said(`Zorvane offre suole per la città che non pesano. Quellix costa meno. Si trovano ${passing} per ora.`),
        ["Zorvane", "Quellix"],
        passing
      )
  })

  it("is a brand where the text names nothing else", () => {
    assert.deepStrictEqual(said("Se venden en Nike, que es de la casa, y también en Adidas para los demás."), [
      "Nike",
      "Adidas"
    ])
  })
})

describe("an answer in two languages", () => {
  const german =
    "Zorvane bietet Sohlen für die Stadt. Quellix ist leicht und kostet weniger. Der Einsatz lohnt, und der Einsatz ist für alle."
  const english = "Plutivo offers the best grip that you get. You have to try it, and Marnwick sells it to you."

  it("is read line by line, whichever language comes first", () => {
    assert.deepStrictEqual(said(`${german}\n\n${english}`), ["Zorvane", "Quellix", "Plutivo"])
    assert.deepStrictEqual(said(`${english}\n${german}`), ["Plutivo", "Zorvane", "Quellix"])
  })

  it("has lines of a few words in the language of the line before", () => {
    assert.deepStrictEqual(said(`${german}\n\nEinsatz lohnt!\n\n${english}`), ["Zorvane", "Quellix", "Plutivo"])
    assert.deepStrictEqual(said(`${english}\n\n${german}\n\nCorvexa bietet Einsatz.`), [
      "Plutivo",
      "Zorvane",
      "Quellix",
      "Corvexa"
    ])
  })
})

describe("a well-known brand that is a German noun", () => {
  it("is a word, also in one line of an English answer", () => {
    const english = "The price is fair and you get a lot with it. This is the one that you have to try."
    assert.deepStrictEqual(said(`Für mich ist **Zorvane** die stärkste Wahl.\n\n${english}`), ["Zorvane"])
    assert.deepStrictEqual(said(`${english}\n\nFür kleine Teams ist **Zorvane** die stärkste Wahl.`), ["Zorvane"])
  })

  it("is a brand where a sentence is about it", () => {
    assert.deepStrictEqual(said("Wahl bietet Klingen für die Haare. Quellix ist leicht und kostet weniger."), [
      "Wahl",
      "Quellix"
    ])
  })
})

describe("a well-known brand that opens sentences as a word", () => {
  it("is a word of Italian there", () => {
    const italian = "Zorvane offre suole per la città che non pesano. Quellix costa meno."
    assert.deepStrictEqual(said(`${italian} Costa poco per quello che fa.`), ["Zorvane", "Quellix"])
    assert.deepStrictEqual(said(`${italian} Poi c'è un caffè come quello di Costa che non pesa.`), [
      "Zorvane",
      "Quellix",
      "Costa"
    ])
  })
})
