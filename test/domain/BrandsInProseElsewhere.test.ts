/**
 * The brands of running text in other European languages than English: whom its sentences are about or advise, and what German has capitals for.
 *
 * Planted and seen red: names taken beside no brand though none does what only somebody does, or not beside those that are known; an apposition
 * that brings in nobody, or nobody's; advice not read; a country, a day, an article joined to its noun, an adverb or abstract noun, a place or a
 * person of the dictionary taken for a name; "gibt es" read as advice; the words that a name begins with lost where it recurs; a noun of German
 * that recurs taken for one; what is bought or stands somewhere taken for what the text is about; an article before a known brand kept.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

describe("a name that stands once in a text of another language", () => {
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
    it(`is one where a sentence of ${language} is about it, or advises it`, () => {
      assert.deepStrictEqual(said(text), ["Zorvane", "Quellix", "Plutivo", "Marnwick"])
      for (const [place, brand] of said(text).entries())
        assert.strictEqual(findBrand({ text, brandEntities: [] }, brand).rank, place + 1)
    })

  it("is one that only an apposition tells of as somebody's", () => {
    assert.deepStrictEqual(
      said("Zorvane es de la ciudad y no pesa. Hay otra que es para la casa, Quellix, con un ajuste preciso."),
      ["Zorvane", "Quellix"]
    )
  })

  it("is no noun of German that recurs", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane baut für die Stadt neue Anlagen. Auf Schnee ist es glatt. Quellix zahlt mehr und ist für alte Anlagen, ob bei Schnee oder nicht."
      ),
      ["Zorvane", "Quellix"]
    )
  })

  it("is no place or person that a dictionary has", () => {
    assert.deepStrictEqual(
      said("Zorvane ofrece suelas que son para la ciudad. Madrid ofrece más. Quellix ofrece lo que Madrid no."),
      ["Zorvane", "Quellix"]
    )
  })

  it("is one with its ordinary words, also where it recurs", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane biedt zolen voor de stad. Budget Energie biedt het voor minder. Wie het niet heeft, kiest Budget Energie."
      ),
      ["Zorvane", "Budget Energie"]
    )
  })

  it("is none where it is the only one", () => {
    assert.deepStrictEqual(
      said("Zorvane ofrece suelas que son para la ciudad, y no cuestan más que las de la casa."),
      []
    )
  })

  it("is none within a sentence that is not about it", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane ofrece suelas que son para la ciudad. Quellix tiene más. Los de Plutivo tiene la casa, y los que Marnwick dejó."
      ),
      ["Zorvane", "Quellix"]
    )
  })
})

describe("a word that a sentence opens with", () => {
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
  it("of Portuguese is no part of a name that recurs behind it", () => {
    assert.deepStrictEqual(
      said("A Zorvane tem solas para uma cidade, que não pesam. O Quellix custa mais. A Zorvane também custa menos."),
      ["Zorvane", "Quellix"]
    )
  })

  it("before a well-known brand is none of its name, unless it is", () => {
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

describe("German, whose nouns have capitals", () => {
  it("names none but known brands and those that sentences are about for recurring", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane bietet Sohlen für die Stadt. Quellix ist leicht und kostet Geld. Mehr Zirkel hilft, und wer Zirkel mag, der kennt Samsung."
      ),
      ["Zorvane", "Quellix", "Samsung"]
    )
  })

  it("is not taken for one of the languages that have none", () => {
    assert.deepStrictEqual(
      said("Ella y los de la casa que van por Zirkelo, y con Zirkelo para las de Samsung, que son de la casa."),
      ["Zirkelo", "Samsung"]
    )
  })
})

describe("what another language names in passing", () => {
  it("is none beside others", () => {
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

  it("is one where the text names none else", () => {
    assert.deepStrictEqual(said("Se venden en Nike, que es de la casa, y también en Adidas para los demás."), [
      "Nike",
      "Adidas"
    ])
  })
})
