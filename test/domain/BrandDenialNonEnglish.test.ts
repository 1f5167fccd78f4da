/**
 * What counts as a denial of a brand in languages other than English, and what does not.
 *
 * Planted faults, each seen red here:
 * - a partial denial, a question to the reader, or a denial that anything is better than the brand is taken for a denial of it
 * - any "not" before data is read as "there are none"
 * - prices that the brand does not state are taken for the brand
 * - "not" reaches over an "and" or a "without"
 * - the sentence after a question, or a sentence about "this brand", is not read; the next point of the list, or other text below a
 *   heading, is read as one
 * - data that the brand does not keep is taken for data that nobody has
 * - what a brand does not name or contain, or a place where it is not sold, is taken for a source that does not name it
 * - "ich weiß nichts über" and "in keiner Liste gefunden" are not read
 * - a brand that hardly anybody does not know is taken for unknown, and one that does not seem expensive for one that is not known
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const names = (text: string): boolean => findBrand({ text, brandEntities: [] }, "Zorvane").mentioned

const named = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter(names)
const denied = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter((text) => !names(text))

describe("in other languages a brand is not denied", () => {
  it('by two negations, one of which means "few"', () => {
    assert.isEmpty(
      denied(
        "Мало кто не слышал о Zorvane.",
        "Mało kto nie słyszał o Zorvane.",
        "Zorvane ist in kaum einem Ranking nicht zu finden."
      )
    )
    assert.isEmpty(
      named("Мало кто слышал о Zorvane.", "Über Zorvane ist kaum etwas bekannt und ich konnte nichts finden.")
    )
  })

  it('by "non mi risulta" before an adjective', () => {
    assert.isEmpty(denied("Zorvane non mi risulta caro."))
    assert.isEmpty(named("Zorvane non mi risulta.", "Il marchio Zorvane non mi risulta esistente."))
  })

  it('where something else is said of it after an "and" or a colon, or where "no" is Portuguese for "in the"', () => {
    assert.isEmpty(
      denied(
        "Zorvane enthält keine Duftstoffe, war nicht zu schlagen und ist überall zu finden.",
        "Zorvane n'a jamais déçu nos testeurs et apparaît dans notre liste.",
        "Zorvane existe desde 1950 y no ha cambiado su receta.",
        "Zorvane non delude mai: figura tra le migliori.",
        "Zorvane stelt nooit teleur en staat overal vermeld.",
        "Zorvane nigdy nie zawodzi i pojawia się w każdym zestawieniu.",
        "Zorvane sviker aldrig och finns i alla listor.",
        "Zorvane никогда не подводит и встречается во всех подборках.",
        "A Zorvane figura no topo da lista.",
        "Os produtos da Zorvane são encontrados no Brasil inteiro.",
        "A Zorvane não contém parabenos e aparece em quase todas as listas."
      )
    )
    assert.isEmpty(
      named("Zorvane ist mir nicht bekannt und taucht in keiner Liste auf.", "A Zorvane não aparece no ranking.")
    )
  })

  it("by a partial denial, by a question to the reader or by a comparison with something better", () => {
    assert.isEmpty(
      denied(
        "Zorvane ist nicht so bekannt wie Bolt.",
        "Zorvane gehört nicht zu den günstigsten Anbietern.",
        "Zorvane ist nicht in jedem Supermarkt zu finden.",
        "Zorvane ne figure pas parmi les moins chers.",
        "Zorvane non compare sempre al primo posto.",
        "Zorvane no figura entre las más caras.",
        "A Zorvane não figura entre as mais caras.",
        "Zorvane staat niet bekend om zijn lage prijzen.",
        "Zorvane finns inte i alla butiker.",
        "Ken je Zorvane nog niet?",
        "Tu ne connais pas Zorvane ? C'est une marque lyonnaise.",
        "Een beter merk dan Zorvane kun je niet vinden.",
        "Etwas Besseres als Zorvane werden Sie nicht finden."
      )
    )
    assert.isEmpty(
      named(
        "Zorvane ist mir nicht bekannt.",
        "Zorvane non compare in nessuna delle fonti.",
        "Ik ken Zorvane niet, bedoel je Bolt?",
        "No conozco Zorvane, ¿te refieres a Bolt?",
        "Non conosco Zorvane: intendevi Bolt?"
      )
    )
  })

  it("by what it does not ask for or state, or by what cannot be discussed without it", () => {
    assert.isEmpty(
      denied(
        "A Zorvane não partilha os seus dados.",
        "Zorvane non richiede dati personali.",
        "Zorvane nie zbiera danych.",
        "Zorvane ne mentionne pas ses tarifs.",
        "Zorvane erwähnt keine Preise.",
        "Zorvane existe depuis 1990 et n'a jamais changé de propriétaire.",
        "Impossible de ne pas mentionner Zorvane.",
        "Je ne peux pas parler de casques sans citer Zorvane.",
        "No se puede hablar de auriculares sin mencionar a Zorvane."
      )
    )
    assert.isEmpty(
      named(
        "Su Zorvane non ci sono dati.",
        "Sobre a Zorvane não há dados disponíveis.",
        "Na temat Zorvane nie ma informacji.",
        "Les sources ne mentionnent pas Zorvane.",
        "He revisado las listas y en ninguna se menciona Zorvane."
      )
    )
  })

  it("by data that it does not keep or sell, but by data that the answer does not have", () => {
    assert.isEmpty(
      denied(
        "Zorvane: Keine Informationen werden gespeichert",
        "- Zorvane: Keine Informationen werden gespeichert",
        "Zorvane: aucune donnée vendue.",
        "Zorvane speichert keine Daten.",
        "Zorvane gibt keine Informationen weiter.",
        "Bei Zorvane werden keine Daten verkauft.",
        "Zorvane ne vend aucune donnée.",
        "Zorvane verkoopt geen gegevens.",
        "Zorvane säljer inga uppgifter."
      )
    )
    assert.isEmpty(
      named(
        "Zorvane: Keine Daten verfügbar.",
        "Zorvane: aucune donnée disponible",
        "Zu Zorvane sind keine Daten gespeichert.",
        "Ich habe keine Informationen über Zorvane gespeichert.",
        "No tengo datos guardados sobre Zorvane."
      )
    )
  })

  it("by what it does not name or contain, or by a place where it is not available", () => {
    assert.isEmpty(
      denied(
        "Zorvane ne cite pas ses sources de soja.",
        "Zorvane ne mentionne aucun ingrédient animal.",
        "Zorvane no incluye azúcar.",
        "Zorvane: No menciona costes ocultos.",
        "A Zorvane não menciona fornecedores.",
        "Zorvane nie wymienia swoich dostawców.",
        "Zorvane nämner inte sina leverantörer.",
        "Zorvane не упоминает поставщиков.",
        "Zorvane erwähnt seine Zulieferer nicht.",
        "Zorvane no existe en color rojo.",
        "A Zorvane não existe em vermelho.",
        "Zorvane existiert nicht in Rot.",
        "Zorvane bestaat niet in het rood.",
        "Zorvane n'existe pas pour Linux.",
        "Zorvane finns inte på Android.",
        "Zorvane ist in keinem Supermarkt zu finden."
      )
    )
    assert.isEmpty(
      named(
        "Ninguna fuente menciona Zorvane.",
        "Zorvane no existe en mis fuentes.",
        "A Zorvane não existe nas minhas fontes.",
        "Zorvane existiert nicht in meinen Daten.",
        "Zorvane bestaat niet in mijn bronnen.",
        "Zorvane finns inte på listan.",
        "Źródła nie wymieniają Zorvane.",
        "Zorvane не упоминается в источниках.",
        "Zorvane, mes sources ne la mentionnent pas.",
        "Ich konnte Zorvane in keinem Testbericht finden.",
        "Ik kon Zorvane in geen enkele lijst vinden.",
        "Zorvane ist in meinen Quellen nicht so richtig zu finden."
      )
    )
  })

  it("by what the speaker cannot say about it, but by knowing little or nothing of it", () => {
    assert.isEmpty(
      denied("Não sei se a Zorvane é melhor.", "No sé qué haría sin Zorvane.", "Ich weiß nicht, ob Zorvane besser ist.")
    )
    assert.isEmpty(
      named(
        "Não sei muito sobre a Zorvane.",
        "No sé nada sobre la marca Zorvane.",
        "Je ne sais pas grand-chose sur Zorvane.",
        "Ich weiß nichts über Zorvane.",
        "Ik weet niet veel over Zorvane.",
        "Jag vet inget om Zorvane."
      )
    )
  })

  it("by the next point of its list or by other text below its heading, but by the answer to a question", () => {
    assert.isEmpty(
      denied(
        "- Zorvane\n- Bolt: keine Informationen gefunden",
        "## Zorvane\n\nDer Preis wird nicht genannt.",
        "1. **Zorvane**\n   - Pas de données revendues.",
        "**Zorvane**\nNon esiste una versione gratuita.",
        "## Zorvane\n\nDieses Unternehmen gibt keine Informationen weiter.",
        "## Zorvane\n\nDieses Produkt ist nicht in allen Läden zu finden.",
        "## Zorvane\n\nEsta marca no incluye cargador."
      )
    )
    assert.isEmpty(
      named(
        "Zorvane? Daar heb ik nog nooit van gehoord.",
        "¿Zorvane? Nunca he oído hablar de esa marca.",
        "## Zorvane\n\nZu diesem Unternehmen liegen keine Informationen vor.",
        "**Zorvane**\nJe ne connais pas cette marque.",
        "## Zorvane\n\nNo he encontrado información sobre esta marca.",
        "## Zorvane\n\nDeze naam ken ik niet.",
        "## Zorvane\n\nNie znam tej marki.",
        "Zorvane kommt in den Ergebnissen nicht vor.",
        "Jag känner inte till Zorvane."
      )
    )
  })
})
