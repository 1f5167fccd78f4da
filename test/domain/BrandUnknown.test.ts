/**
 * What a whole answer says of a brand that it does not know: its denial in many wordings, and what the answer says of the name around
 * it.
 *
 * Planted faults, each seen red here:
 * - a hypothetical statement before or after a denial counts as knowledge
 * - advice after a denial does not count as hypothetical
 * - a heading above a sentence that reports no results counts as knowledge
 * - an empty column is not read, or is read where one of its cells has a value
 * - no statement after a denial vouches for the brand
 * - a guess without a word on what is known is taken for a denial
 * - a denial of what was looked for is not read, or is read where it was something that belongs to the brand
 * - "if" in other languages is not read
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const names = (text: string): boolean => findBrand({ text, brandEntities: [] }, "Zorvane").mentioned

const named = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter(names)
const denied = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter((text) => !names(text))

describe("a brand that an answer does not know", () => {
  it("is denied where the rest of the answer is only hypothetical, before and after the denial", () => {
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

  it("is mentioned all the same where the answer says something of it", () => {
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

  it("is denied in a heading above text that reports no results, and in a table column without any value", () => {
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

  it("is denied where no knowledge of it, or nothing with its name, was found", () => {
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

  it("is denied where there is no sign that it exists", () => {
    assert.isEmpty(
      named(
        "There is no evidence that Zorvane exists.",
        "I found no evidence that the shoemaker Zorvane exists.",
        "There is no evidence that Zorvane makes shoes.",
        "There's no proof that a company called Zorvane sells shoes.",
        "I found no evidence that Zorvane is a real company.",
        "Zorvane left no trace in the results, and I know nothing of it.",
        "Zorvane doesn't match any brand I know.",
        "Zorvane does not match any project that I'm aware of.",
        "Zorvane has no coverage in the sources I searched."
      )
    )
  })

  it("is mentioned where something that belongs to it, or something better, was not found", () => {
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

  it("is mentioned in whatever an engine says of a thing it knows, however much of that is negative", () => {
    assert.isEmpty(
      denied(
        "Zorvane glows in the dark, so no battery is needed.",
        "Zorvane is a vacuum that doesn't clog.",
        "Zorvane won the award for the first time, but not by much.",
        "Zorvane came up short on battery life, which is not good.",
        "Zorvane starts with a blank page, not a template.",
        "Zorvane's fan is silent, with no hum.",
        "Zorvane is silent and has no fan noise.",
        "Zorvane shows no ads.",
        "Zorvane gives no refunds.",
        "Zorvane gets no support in Texas.",
        "Zorvane has no presence in Asia.",
        "Zorvane has no profile page for teams.",
        "There is no Zorvane in Wyoming.",
        "Huawei's phones have no Zorvane apps.",
        "It has Netflix but no Zorvane.",
        "Zorvane hasn't reached Europe yet.",
        "Zorvane hasn't made it to the Play Store.",
        "Zorvane's cleaner left no trace on the table.",
        "Zorvane leaves no trace of residue.",
        "- **Zorvane**: no free plan available.",
        "- **Zorvane** – no contract, no fees.",
        "- **Zorvane** (not known for speed) is cheap.",
        "Zorvane doesn't fit any budget.",
        "I left Zorvane out because it has no free plan.",
        "I left Zorvane out, as it does not ship to Canada.",
        "Zorvane doesn't get great reviews.",
        "Zorvane doesn't return calls, reviewers say.",
        "Zorvane doesn't produce results overnight.",
        "I ran Zorvane for a month and it only crashed once.",
        "I'm looking at Zorvane, which only works on a Mac, not on Windows.",
        "Zorvane is so good I can't describe it.",
        "Zorvane grinders don't leave stumps.",
        "No evidence of lead in Zorvane was found.",
        "No Zorvane stores are available in Ohio.",
        "There is no Zorvane app available for Windows.",
        "Neither plan has Zorvane.",
        "No fees are charged at the bank known as Zorvane.",
        "Zorvane is in my search results, but not at the top.",
        "Zorvane is on my radar, but it's not cheap.",
        "Zorvane isn't available in the UK.",
        "Zorvane isn't sold in stores.",
        "Zorvane does not publish its prices.",
        "Zorvane won't work without an account, and I don't know why.",
        "With Zorvane I had no trouble.",
        "Not everyone knows Zorvane, and that's a shame.",
        "You won't find Zorvane at Walmart.",
        "I could not find a better option than Zorvane.",
        "I wasn't able to test Zorvane's app.",
        "I haven't tried Zorvane myself, but reviewers like it.",
        "No tool is perfect, and Zorvane is no exception.",
        "If price isn't an issue, Zorvane is the best.",
        "Zorvane is not for beginners.",
        "Zorvane doesn't come with a case.",
        "Zorvane never goes on sale.",
        "Zorvane has no mobile app, so look elsewhere if you need one.",
        "Zorvane, unlike Bolt, doesn't sell your data.",
        "Nothing beats Zorvane for speed.",
        "None of these tools can match Zorvane on price.",
        "No other brand offers what Zorvane does.",
        "Zorvane has not been updated since 2021.",
        "Zorvane no longer exists as a company; it was bought by Bolt in 2020.",
        "Zorvane isn't a bank.",
        "Zorvane was not among the tested models, but it has the same motor as Bolt.",
        "I can't speak highly enough of Zorvane.",
        "Zorvane lacks documentation.",
        "Zorvane has little documentation and no community.",
        "Zorvane has few reviews on G2.",
        "Zorvane does not list its ingredients.",
        "Information about Zorvane's founders is scarce.",
        "I found no difference between Zorvane and Bolt.",
        "I found no cheaper store than Zorvane.",
        "I see no reason to avoid Zorvane.",
        "I know of no better store than Zorvane.",
        "We have no affiliation with Zorvane.",
        "I have no experience with Zorvane's support.",
        "Don't search for Zorvane on Amazon: it only sells direct.",
        "Search results for Zorvane are mostly about its new phone, not the old one.",
        "Zorvane only ships to the US.",
        "Zorvane doesn't show up on Google Maps because it is online only.",
        "Reviews of Zorvane mention no problems.",
        "Sources don't agree on Zorvane's age.",
        "The sources do not include prices for Zorvane.",
        "The results do not show how Zorvane compares.",
        "My sources don't say whether Zorvane is cheaper.",
        "Customers have nothing but praise for Zorvane.",
        "Zorvane is nothing special.",
        "Without Zorvane, this list would not be complete.",
        "Not having Zorvane on this list would be a mistake.",
        "Zorvane does not require any knowledge of code.",
        "Zorvane is unknown outside Denmark, where it leads the market.",
        "Zorvane is little known but excellent.",
        "Zorvane may be new, but it is not bad.",
        "It's unclear when Zorvane will open in Berlin.",
        "I'm not sure Zorvane is the best choice for you.",
        "I'm not sure if Zorvane still offers a free plan.",
        "I can't confirm whether Zorvane ships to Spain.",
        "I couldn't confirm Zorvane's current price.",
        "Are you sure you need Zorvane? It's not cheap.",
        "Did you know that Zorvane is not a startup?",
        "Is Zorvane safe? It has no certificates.",
        "Which is better, Zorvane or Bolt? Neither is bad.",
        "If you want speed, Zorvane is it. I have never had a problem.",
        "If you try Zorvane, I have no doubt that you will like it.",
        "Would I buy Zorvane again? I can't say enough good things.",
        "Should you ask me about Zorvane: I don't have anything bad to say.",
        "Zorvane: not recommended.",
        "Zorvane: not bad.",
        "Zorvane? Not for me."
      )
    )
  })

  it("is mentioned where something else about it, or another brand, is denied", () => {
    assert.isEmpty(
      denied(
        "There's no evidence that Bolt beats Zorvane on price for standard drivers.",
        "There is no evidence that Bolt has acquired Zorvane.",
        "There isn't enough evidence to call Zorvane safe in pregnancy.",
        "There's no reason to think Zorvane would be cheaper.",
        "There is little evidence that Zorvane speeds up recovery.",
        "Zorvane has no coverage in Alaska.",
        "Zorvane has no coverage for dental work.",
        "Zorvane doesn't match any competitor on price.",
        "Zorvane does not match any rival for battery life.",
        "Zorvane lost its accreditation in 2019 and doesn't appear in the database any more.",
        "Zorvane has left Leeds, and I'm not aware of plans to return.",
        "Zorvane closed its Berlin office in 2023, and there is no information on whether it will reopen.",
        "Zorvane stopped selling in the UK, so you won't find it in stores.",
        "Zorvane isn't FDA-approved, and no trials were found for children.",
        "Zorvane does not disclose its fees.",
        "Zorvane doesn't publish a list of its subprocessors.",
        "Zorvane has not been independently audited.",
        "Zorvane has no free tier.",
        "Zorvane has no mobile app yet.",
        "Zorvane has no physical stores.",
        "Zorvane has no reviews on Trustpilot yet, but its App Store rating is 4.7.",
        "Zorvane has never had a data breach.",
        "Zorvane has not raised prices since 2021.",
        "Zorvane isn't on sale at the moment.",
        "Zorvane isn't cheap, but it lasts.",
        "Zorvane is not a bank.",
        "Zorvane is not the cheapest option.",
        "Zorvane is not available in Canada.",
        "Zorvane is not compatible with Windows.",
        "Zorvane is not listed on the stock exchange.",
        "Zorvane is not listed on NASDAQ; it is privately held.",
        "Zorvane is not covered by Medicare.",
        "Zorvane was not included in the recall.",
        "Zorvane was not mentioned in the lawsuit.",
        "Zorvane was not affected by the outage.",
        "Zorvane didn't make the cut for best value, but it is our pick for speed.",
        "Zorvane doesn't show ads.",
        "Zorvane doesn't list prices on its website.",
        "Zorvane does not mention shipping costs until checkout.",
        "Zorvane's website doesn't mention a return policy.",
        "Zorvane's sources are not cited.",
        "I couldn't find a cheaper tool than Zorvane.",
        "I couldn't find Zorvane's phone number.",
        "I could not find pricing for Zorvane's enterprise plan.",
        "I couldn't find any complaints about Zorvane.",
        "I couldn't find a coupon for Zorvane.",
        "I don't know of any outage at Zorvane.",
        "I don't see a reason to avoid Zorvane.",
        "I haven't tested Zorvane myself, but users rate it highly.",
        "I haven't seen better support than Zorvane's.",
        "I have no doubt that Zorvane is the right pick.",
        "I am not aware of any recall of Zorvane products.",
        "I'm not affiliated with Zorvane.",
        "I can't recommend Zorvane for this.",
        "I can't verify Zorvane's claim of 99.9% uptime.",
        "I can't say whether Zorvane or Bolt is faster.",
        "I can't access Zorvane's live prices.",
        "I don't have real-time prices for Zorvane.",
        "I don't have data on how many people use Zorvane.",
        "No other brand is mentioned as often as Zorvane.",
        "No list of running shoes is complete without Zorvane.",
        "No source names a better one than Zorvane.",
        "Nobody does it like Zorvane.",
        "None of the others come close to Zorvane.",
        "None of these tools, Zorvane included, works offline.",
        "Not everyone likes Zorvane.",
        "Not all reviewers mention Zorvane, but those who do love it.",
        "Few people know Zorvane, yet it is excellent.",
        "Unlike Zorvane, Bolt is not free.",
        "Neither Zorvane nor Bolt offers refunds.",
        "Without a license, Zorvane cannot be used.",
        "You can't go wrong with Zorvane.",
        "You won't find Zorvane in supermarkets.",
        "You will not regret choosing Zorvane.",
        "If Zorvane isn't in your budget, try Bolt.",
        "If you can't find Zorvane, ask the pharmacist.",
        "Don't confuse Zorvane with Zorvana.",
        "Never heard of Zorvane? It's a Danish shoemaker.",
        "It's not clear when Zorvane will ship.",
        "It is unclear whether Zorvane stores data in the EU.",
        "There is no information on Zorvane's founders.",
        "There are no known interactions between Zorvane and alcohol.",
        "There is no Zorvane store in Paris.",
        "There's no better choice than Zorvane.",
        "There's nothing wrong with Zorvane.",
        "There are no results yet from Zorvane's latest trial.",
        "The search results don't say how much Zorvane costs.",
        "The results did not include Zorvane's warranty terms.",
        "The guide does not rank Zorvane first, but second.",
        "Consumer Reports has not reviewed Zorvane's new model.",
        "Wirecutter no longer recommends Zorvane.",
        "Wirecutter doesn't list Zorvane among its top picks, but it calls it a good budget option.",
        "Most lists omit Zorvane, which is a shame, because it is the quietest.",
        "Amazon does not stock Zorvane; buy it from its own shop.",
        "Zorvane can't be found on Amazon, as it sells through dealers only.",
        "Zorvane cannot be verified on LinkedIn alone, but its Companies House entry is in order.",
        "Zorvane is missing a calendar.",
        "Zorvane is an unknown quantity for most buyers, though it has been making shoes since 1948.",
        "Zorvane lacks a free plan.",
        "Zorvane lacks reviews from experts, but owners love it.",
        "Zorvane offers limited information about its ingredients.",
        "Zorvane provides no evidence for its claims.",
        "Zorvane gives no details on pricing.",
        "Zorvane keeps no logs.",
        "Zorvane returned no errors in our test.",
        "Zorvane found no takers in Europe.",
        "Zorvane never responded to our questions.",
        "Zorvane ranks nowhere near the top."
      )
    )
  })
})
