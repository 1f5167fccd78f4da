/**
 * Capitalised words of ordinary prose are no brands: dishes, towns, poets, taxes, languages and days, where sentences in other
 * languages only describe them, and words that English puts after "a" or "an". Beside a sentence that only a brand fits, described
 * names are brands.
 *
 * Planted and seen red:
 * - sentences in other languages that only describe something are taken to be about brands
 * - such sentences beside a known brand, or beside something that "is a brand", are not taken to be about brands
 * - a noun with its article ("El Gazpacho", "Um Contador", "L'INPS") or a day of the week is taken for a name
 * - "gibt es" is read as a description in Spanish
 * - "An LLC" is taken for a name
 * - a sentence of any length is read for an order
 */
import { assert, describe, it } from "vitest"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

describe("prose that names no brand", () => {
  it.each([
    [
      "towns in Spanish",
      "Guanajuato es mejor que la playa para los que aman la historia. Sarria es la opción con poco tiempo."
    ],
    [
      "authors in Spanish",
      "Mario Vargas Llosa es más político que los demás. Para empezar recomiendo Pedro Páramo, que es breve."
    ],
    [
      "nouns in Spanish",
      "El Gazpacho lleva pan y cuesta poco para todos. El Subjuntivo cuesta más que los demás y por eso gusta menos."
    ],
    [
      "towns in French",
      "Chamonix est le meilleur point de départ pour les Alpes. Annecy est une bonne alternative et plus calme."
    ],
    [
      "books in French",
      "Victor Hugo est le premier nom du romantisme pour vous. Germinal est le meilleur roman de la série et il est long."
    ],
    [
      "towns in Italian",
      "Napoli è più vivace per chi ama il mare. Firenze è la migliore alternativa, e Matera è splendida in ottobre."
    ],
    ["offices in Italian", "L'INPS chiede i contributi a maggio per il lavoro. L'IVASS offre una guida che non costa."],
    [
      "people in Portuguese",
      "Um Contador custa duzentos reais por mês. Um Gestor custa mais, e para uma empresa não compensa."
    ],
    [
      "dishes in Portuguese",
      "A Feijoada é o prato mais popular para uma festa. A Moqueca é mais leve, e por isso é boa com arroz."
    ],
    [
      "towns in German",
      "München ist die teuerste Stadt, und Leipzig ist für Studenten beliebt. Schloss Neuschwanstein ist das bekannteste Ziel."
    ],
    [
      "dishes in Dutch",
      "Hutspot is populairder in het westen van het land. Erwtensoep is beter op de tweede dag, met een stuk brood."
    ],
    [
      "what has an article in English",
      "An LLC is the best structure for you. A C-Corp is better when you raise money and have to share it."
    ]
  ] as const)("%s", (_, text) => {
    assert.deepStrictEqual(said(text), [])
  })
})

describe("prose that names brands", () => {
  it("describes a brand beside one that offers something, one that is well known or one that is called a brand", () => {
    const rest = "Pedalora es más barata que las demás, y por eso gusta."
    assert.deepStrictEqual(said(`Rodaluz ofrece garantía de cinco años. ${rest}`), ["Rodaluz", "Pedalora"])
    const known = "Las de Bosch cuestan mucho y no son para todos. Rodaluz es la más grande de todas."
    assert.deepStrictEqual(said(`${known} ${rest}`), ["Bosch", "Rodaluz", "Pedalora"])
    assert.deepStrictEqual(said(`Rodaluz es una marca de la zona. ${rest}`), ["Rodaluz", "Pedalora"])
  })

  it('names no day of the week beside brands, and no noun of "there is"', () => {
    const day =
      "Tetoleve oferece mais que as outras para uma casa. Sábado custa mais, e não abre. Casavolta custa menos."
    assert.deepStrictEqual(said(day), ["Tetoleve", "Casavolta"])
    const nouns =
      "In der Stadt gibt es Werkstätten, und alle kosten viel. Pedalia bietet mehr Farben. Radolin verkauft mit Rabatt."
    assert.deepStrictEqual(said(nouns), ["Pedalia", "Radolin"])
  })

  it("states no order in text that is longer than a sentence", () => {
    const text = (filler: string): string =>
      `You have to choose with care, and ${filler}I would put Zorvane second and Quellix first, as they are the ones that last.`
    assert.deepStrictEqual(said(text("")), ["Quellix", "Zorvane"])
    assert.notDeepEqual(said(text("so on and ".repeat(100))), ["Quellix", "Zorvane"])
  })
})

it('a payment brand is not advised by "take", ordinary words alone state no order, and "Torrefazione" is part of a name', () => {
  const named = (text: string) => brandsIn({ text, brandEntities: [] })
  const about = "Quellix makes keyboards that you can hear. Plutivo offers the better ones."
  assert.deepStrictEqual(named(`${about} All take PayPal.`), ["Quellix", "Plutivo"])
  assert.deepStrictEqual(named(`${about} Shops take PayPal.`), ["Quellix", "Plutivo"])
  assert.deepStrictEqual(named("Safety first, Comfort second."), [])
  assert.deepStrictEqual(named("I like Torrefazione Lumera. The beans that Torrefazione Lumera has are fresh."), [
    "Torrefazione Lumera"
  ])
})
