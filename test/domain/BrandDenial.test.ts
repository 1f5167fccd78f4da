/**
 * What counts as a denial of a brand (the answer does not know it), and what denies something else.
 *
 * Planted faults, each seen red here:
 * - table rows are read as sentences
 * - no later sentence vouches for a brand, or only one after "but" does
 * - any place where the brand was not found counts as a source
 * - a denial of something that belongs to the brand, or of something joined to its name by a preposition, is taken for a denial of the
 *   brand
 * - pronouns are not read; the sentence after a heading or a question is read without them
 * - any clause with "that" is taken for the name
 * - what only some sources leave out, or what the reader does not know, is taken for unknown
 * - an opinion on the brand, or on something it has, is taken for ignorance of it
 * - one half of a sentence does not complete the other
 * - a claim without "that" is taken for the name
 * - only prices count as something that belongs to the brand
 * - the next point of a list is taken for a remark on the one before it
 * - data that the brand does not keep is taken for data that nobody has
 * - anything that does not appear is taken for the name
 * - "no evidence that it helps" is taken for no evidence of the brand
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const names = (text: string): boolean => findBrand({ text, brandEntities: [] }, "Zorvane").mentioned

const named = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter(names)
const denied = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter((text) => !names(text))

describe("a brand is denied", () => {
  it("by a table row that says nothing else, or that speaks of sources", () => {
    assert.isEmpty(
      named(
        "| Zorvane | N/A | Not mentioned |",
        "| Zorvane | – | No data available |",
        "| Zorvane | Not found in any source | Ask the vendor |"
      )
    )
    assert.isEmpty(
      denied("| Zorvane | Not included | 4.5/5 |", "| Zorvane | N/A | Best for beginners |", "| Zorvane | – | – |")
    )
  })

  it("where it is missing from what the answer read, not from a shop or a screen", () => {
    assert.isEmpty(
      named(
        "Zorvane does not show up in any of the lists.",
        "Zorvane was not found in the provided documents.",
        "I couldn't find Zorvane in these results."
      )
    )
    assert.isEmpty(
      denied(
        "Zorvane doesn't show up on my screen.",
        "Zorvane is not found in most shops.",
        "Zorvane won't appear on your credit report.",
        "I couldn't find Zorvane any cheaper.",
        "I couldn't find Zorvane in size 12."
      )
    )
  })

  it("by missing evidence that it exists, not by missing evidence of what it does", () => {
    assert.isEmpty(
      named(
        "As for Zorvane, there is no evidence that it exists.",
        "I searched for Zorvane, but there is no evidence that such a brand exists."
      )
    )
    assert.isEmpty(
      denied(
        "Zorvane caused redness, and there's little evidence it does anything for wrinkles.",
        "Zorvane caused redness, and there's little evidence that it removes wrinkles."
      )
    )
  })

  it("by a pronoun that stands for it", () => {
    assert.isEmpty(
      named(
        "I've excluded Zorvane since no source covers it.",
        "You mentioned Zorvane; I could not locate it.",
        "## Zorvane\n\nNo reliable sources mention this company.",
        "**Where does Zorvane rank?**\nNone of the sources mention it.",
        "Zorvane? I'm not sure that's a real brand."
      )
    )
    assert.isEmpty(
      denied("## Zorvane\n\nI cannot recommend it enough.", "**Zorvane?**\nIt has no rival in any of the lists.")
    )
  })

  it("where one half of a sentence denies what the other half says of other brands", () => {
    assert.isEmpty(
      named(
        "Sony and Bose are mentioned, but Zorvane is not.",
        "The sources mention Sony and Bose, but not Zorvane.",
        "Your question names Zorvane, but I have no information about it.",
        "Nowhere in the results is Zorvane mentioned."
      )
    )
    assert.isEmpty(
      denied("The list mentions Zorvane, but not Bose.", "Sony is mentioned, but Zorvane is not expensive.")
    )
  })
})

describe("a brand is not denied", () => {
  it("where the answer goes on to vouch for it", () => {
    assert.isEmpty(
      denied(
        "Zorvane isn't mentioned in the lists, but it's a solid choice.",
        "Although Zorvane isn't in the results, it's a solid choice."
      )
    )
    assert.isEmpty(
      named(
        "Zorvane isn't mentioned in the lists, but it may be new.",
        "Although Zorvane isn't in the results, it could be new."
      )
    )
  })

  it("by a denial of something that belongs to it", () => {
    assert.isEmpty(
      denied(
        "Zorvane's founder isn't mentioned in the article.",
        "Prices for Zorvane could not be found.",
        "I found no evidence that Zorvane is unsafe.",
        "Not to mention Zorvane, which is great.",
        "We could not find any drawbacks with Zorvane.",
        "I haven't seen any negative reviews of Zorvane.",
        "I found no evidence of a data breach at Zorvane.",
        "I couldn't find anything bad about Zorvane."
      )
    )
    assert.isEmpty(named("I couldn't find any positive or negative reviews of Zorvane."))
    assert.isEmpty(
      denied(
        "There is no evidence of side effects with Zorvane.",
        "I'm not aware of any alternative to Zorvane.",
        "I could not verify the battery life of Zorvane.",
        "I have no information on whether Zorvane ships abroad."
      )
    )
    assert.isEmpty(
      denied(
        ...["quejas", "desventajas"].map((word) => `No encontré ${word} sobre Zorvane.`),
        ...["reclamações", "desvantagens"].map((word) => `Não encontrei ${word} sobre a Zorvane.`),
        ...["reclami", "svantaggi"].map((word) => `Non ho trovato ${word} su Zorvane.`),
        ...["skarg", "wad"].map((word) => `Nie znalazłem ${word} na temat Zorvane.`)
      )
    )
    assert.isEmpty(named("I couldn't verify any claims about Zorvane."))
    assert.isEmpty(named("Zorvane could not be found.", "There is no evidence that Zorvane makes shoes."))
  })

  it("by what is not known of its actions, however the sentence begins", () => {
    assert.isEmpty(
      denied(
        "There isn't any evidence Zorvane tests on animals.",
        "I found no evidence Zorvane sells your data.",
        "I have no information that Zorvane is closing.",
        "There's not enough data to say Zorvane is better.",
        "There are no records of Zorvane ever missing a payment.",
        "There is no public record of Zorvane being fined.",
        "There isn't any mention of fees in the Zorvane contract."
      )
    )
    assert.isEmpty(
      named(
        "There isn't any evidence Zorvane exists.",
        "I found no evidence Zorvane is a real company.",
        "There is no mention of Zorvane being listed."
      )
    )
  })

  it("where something that belongs to it was looked for", () => {
    assert.isEmpty(
      denied(
        "I could not find a phone number for Zorvane.",
        "I couldn't find the ingredients list of Zorvane.",
        "I can't confirm the exact interest rate at Zorvane.",
        "Die Preise von Zorvane konnte ich nicht finden.",
        "Zu den Lieferzeiten von Zorvane liegen keine Angaben vor.",
        "Informationen zu den Preisen von Zorvane liegen nicht vor.",
        "Zorvane wird in Tests nicht als Testsieger genannt.",
        "Je n'ai pas trouvé l'adresse de Zorvane.",
        "No pude encontrar la dirección de Zorvane.",
        "Não encontrei o endereço da Zorvane.",
        "I prezzi di Zorvane non li ho trovati.",
        "De prijzen van Zorvane kon ik niet vinden.",
        "Adresu Zorvane nie znalazłem.",
        "Adressen till Zorvane hittade jag inte.",
        "Цены Zorvane найти не удалось.",
        "没有找到Zorvane的价格。",
        "Zorvaneに関する苦情は見つかりませんでした。",
        "Zorvane에 대한 불만은 찾을 수 없었습니다."
      )
    )
    assert.isEmpty(
      named(
        "I could not find a website for Zorvane.",
        "I could not verify the existence of Zorvane.",
        "Die Marke Zorvane konnte ich nicht finden.",
        "Informationen zu Zorvane liegen nicht vor.",
        "No encontré información sobre Zorvane.",
        "没有找到Zorvane的信息。",
        "Zorvaneに関する情報は見つかりませんでした。"
      )
    )
  })

  it("where the answer describes it after denying it, unless the description is hypothetical", () => {
    assert.isEmpty(denied("I couldn't find anything about Zorvane. Zorvane makes lamps in Denmark."))
    assert.isEmpty(
      named(
        "I couldn't find anything about Zorvane. If Zorvane makes lamps, check the spelling.",
        "I couldn't find anything about Zorvane. Zorvane may be new.",
        "I have no information on Zorvane, its prices or its features."
      )
    )
  })

  it("by what the next point of the list says", () => {
    assert.isEmpty(denied("- Zorvane\n- Bolt: no information found", "**Zorvane**\n\n**Bolt** – no data available"))
    assert.isEmpty(named("**Zorvane**\n- No information found in any source."))
  })

  it("by the answer's opinion of it", () => {
    assert.isEmpty(
      denied(
        "Zorvane is not a brand I would recommend.",
        "Zorvane isn't a tool that I'd personally pick.",
        "Zorvane is not one I'll buy again.",
        "Zorvane isn't something I'd use daily."
      )
    )
    assert.isEmpty(
      named(
        "Zorvane isn't a brand I know.",
        "Zorvane isn't a well-known brand I have data on.",
        "Zorvane isn't something I can verify.",
        "Zorvane is not one I'm familiar with.",
        "Zorvane? Never heard of it.",
        "Zorvane, never heard of it."
      )
    )
  })

  it("by data that it does not keep or sell, but by data that the answer does not have", () => {
    assert.isEmpty(
      denied(
        "Zorvane: no information is stored.",
        "- Zorvane: no data leaves your device",
        "Zorvane: No data is sold to third parties.",
        "Zorvane has no information on your location."
      )
    )
    assert.isEmpty(
      named(
        "I have no information stored about Zorvane.",
        "I'm not familiar with Zorvane, so I can't say whether it sells your data.",
        "No information about Zorvane is stored in my sources.",
        "Zorvane: no data found.",
        "I know very little about Zorvane."
      )
    )
  })

  it("by a negation that names neither who would know nor what would be known", () => {
    assert.isEmpty(
      denied(
        "Zorvane has bugs that don't appear.",
        "Zorvane is quick and its quirks are not documented.",
        "Zorvane hides ads so they never appear.",
        "Zorvane isn't there yet."
      )
    )
  })

  it("by what other people do not know, or by what only some sources leave out", () => {
    assert.isEmpty(
      denied(
        "Some sources do not include Zorvane, while others rank it first.",
        "Never heard of Zorvane? It is a Danish brand.",
        "One reviewer couldn't find Zorvane."
      )
    )
    assert.isEmpty(
      named(
        "The sources do not include Zorvane.",
        "I have never heard of Zorvane.",
        "You won't find Zorvane in my sources."
      )
    )
  })
})
