/**
 * What a whole answer says of a brand that it does not know: its denial in many words, and what goes on about the name around it.
 *
 * Planted faults, each seen red here: what is only supposed before a denial counts, or after it; what is advised after one does not
 * count; a heading above a loss counts; an empty column not read, or read where one of its cells knows something; what follows a denial
 * vouches for nothing; a guess without a word on what is known taken for a denial; a denial of what was looked for not read, or read
 * where something of the brand's was; other languages' "if" not read.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const names = (text: string): boolean => findBrand({ text, brandEntities: [] }, "Zorvane").mentioned

const named = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter(names)
const denied = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter((text) => !names(text))

describe("a brand that an answer does not know", () => {
  it("is denied wherever else the answer only supposes it, before and after", () => {
    assert.isEmpty(
      named(
        "Is Zorvane safe? I have no information about Zorvane.",
        "If Zorvane is what you want to replace, tell me more. I'm not familiar with Zorvane.",
        "I have no information about Zorvane. Ask Zorvane for two references before you sign.",
        "I don't know Zorvane. Zorvane's website should list its fees, and a call to Zorvane would settle it.",
        "I searched for Zorvane. There are no results for Zorvane in my sources.",
        "Zu Zorvane liegen mir keine Informationen vor. Wenn du mir einen Link zu Zorvane schickst, schaue ich ihn mir an.",
        "No conozco Zorvane. Antes de comprar en Zorvane, comprueba sus opiniones.",
        "Je ne connais pas Zorvane. Si Zorvane est une petite maison, demandez un échantillon.",
        "I can't tell you whether Zorvane is legitimate. My search didn't turn up a single review mentioning that domain.",
        "Zorvaneに関する情報は見つかりませんでした。Zorvaneの公式サイトをご確認ください。",
        "没有找到关于Zorvane的信息。如果你能提供Zorvane的官网链接，我可以帮你分析。"
      )
    )
  })

  it("is named all the same where the answer says something of it", () => {
    assert.isEmpty(
      denied(
        "If you want the best, choose Zorvane. Zorvane isn't in my list of cheap ones.",
        "I'm not familiar with Zorvane's prices. If you ask Zorvane, they answer within a day.",
        "Is Zorvane safe? Ask Zorvane for its papers.",
        "If you want charts, Zorvane draws them. Whether Wirebeam does I can't say.",
        "## Zorvane\n\nLight shoes for every day.\n\nZorvane isn't in my list of cheap ones.",
        "I couldn't find any reviews of Zorvane. Zorvane sells shoes.",
        "Zorvane doesn't appear in the search results; it is sold through Costco at $699.",
        "No study of Zorvane was found. The brand sells a cream with zinc.",
        "I couldn't verify Zorvane, whose school teaches in French."
      )
    )
  })

  it("is denied in a heading above what tells the loss, and in a column that knows nothing", () => {
    assert.isEmpty(
      named(
        "### Zorvane\nThe search results contain nothing on this tool.",
        "## On Zorvane\n\nI should be upfront: I have no data on Zorvane.",
        "**Zorvane**\n* I don't have information on an app with this name.",
        "- **Zorvane** – nothing came back. No profile and no page under that name.",
        "| | Bolt | Zorvane |\n|---|---|---|\n| Price | $20 | no data found |\n| Free plan | Yes | – |\n| Reviews | 4.7 | n/a |"
      )
    )
    assert.isEmpty(
      denied(
        "### Zorvane\nNo monthly fees, and it pays 4 %.",
        "| | Bolt | Zorvane |\n|---|---|---|\n| Price | $20 | no data found |\n| Free plan | Yes | Yes |",
        "| | Bolt | Zorvane |\n|---|---|---|\n| Dust | – | – |\n| Fees | – | – |"
      )
    )
  })

  it("is denied where what is known of it, or a thing of its name, was not found", () => {
    assert.isEmpty(
      named(
        "I'm not getting anything for Zorvane.",
        "For Zorvane I have zero to go on.",
        "I have no notion of Zorvane.",
        "Zorvane isn't something I have any knowledge of.",
        "Zorvane lies outside of what I've learned.",
        "Zorvane hasn't crossed my path.",
        "With regard to Zorvane, my knowledge is nil.",
        "The search results don't include expert opinions on Zorvane.",
        "GSMArena, which lists nearly every phone, has no Zorvane.",
        "No dental practice with the exact name Zorvane appears in the results.",
        "I couldn't find a rental company trading as Zorvane in Portugal.",
        "Not a single trial or press release for Zorvane came to light.",
        "I can't compare it with Zorvane: my sources turn up no gym of that name.",
        "None of the pages that my search pulled up mentions Zorvane.",
        "Zorvane yields nothing on Google.",
        "I left Zorvane out, as nothing I retrieved refers to it.",
        "All hits for Zorvane are only about a river.",
        "Zorvane could be a fund or a pun; I have no way of knowing.",
        "Zorvane: 0 relevant results",
        "A brand called Zorvane? The name is new to me. Zorvane could be anything.",
        "Einen Hersteller namens Zorvane finde ich nicht.",
        "Zorvane: não localizei nenhuma instituição com esse nome."
      )
    )
  })

  it("is named where something of its own, or something better, was not", () => {
    assert.isEmpty(
      denied(
        "I have no complaints about Zorvane.",
        "I have nothing bad to say about Zorvane.",
        "As for Zorvane, I found no flaws.",
        "I looked into Zorvane and found nothing wrong with it.",
        "I'm not sure whether Zorvane or Nike is better.",
        "I'm not sure what Zorvane charges for shipping.",
        "Many people have not heard of Zorvane, which makes it a hidden gem.",
        "You may not know Zorvane, but you should.",
        "You don't need to know how to code to use Zorvane.",
        "There are few reviews of Zorvane so far, none of them negative.",
        "Zorvane does not show up in stores until May.",
        "Zorvane isn't available to US residents, and I know of no plans to change that.",
        "The shop has no Zorvane in stock.",
        "Did you mean Zorvane, the Danish shoemaker?"
      )
    )
  })
})
