/**
 * What an answer's sentiment is read from: which sentences, lines, cells and clauses are about the brand.
 *
 * Planted and seen red:
 * - only the first mentions are read, or parts of longer words
 * - one sentence with a pronoun is read, or nine
 * - a mark that belongs to the name ends the sentence
 * - labels are left out or kept too long
 * - the neighbouring column is read; a rule is taken for a row
 * - what is said of rivals is read
 * - ten cues are kept
 * - another brand to avoid is taken for this one, or a list of brands to avoid is taken for a sentence about another
 * - "even if it were" and "if you had" are taken for unreal conditions
 * - "but Acme is not" has no effect, or has the opposite effect where the other brand is negated too
 * - what the reader looks for is taken for what the blamed brand has
 */
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"
import { assert, describe, it } from "vitest"

const about = (text: string): Sentiment => {
  const from = text.indexOf("Acme")
  return sentimentOf(text, [from, from + "Acme".length])
}
const cuesOf = (text: string) => about(text).cues.join(", ")

describe("the mentions of a brand", () => {
  it("are all read, as whole words only", () => {
    const mentions = [
      "Acme is a bank.",
      "More on Acme: it is slow.",
      "Acme is buggy.",
      "Acme is dull.",
      "Acme is drab."
    ]
    assert.strictEqual(cuesOf(mentions.join("\n\n")), "slow, buggy, dull, drab")
    assert.strictEqual(cuesOf("Acme is a bank.\n\nAcmex is slow.\n\nAcme is reliable."), "reliable")
  })

  it("extend over three sentences with a pronoun or with what the brand is", () => {
    assert.strictEqual(
      cuesOf("Acme is a bank. It is slow. They are buggy. However, it is dull. It is drab."),
      "slow, buggy, dull"
    )
    assert.strictEqual(cuesOf("Acme is a bank. The product is slow."), "slow")
  })

  it("do not end a sentence with a mark that belongs to the name, unless another sentence begins there", () => {
    assert.strictEqual(cuesOf("Acme! Bolt is slow."), "")
    assert.strictEqual(cuesOf("Acme! is slow."), "slow")
  })

  it("inside a longer word are read with that word, wherever in it they stand", () =>
    assert.deepStrictEqual(sentimentOf("The HPProBook is reliable.", [6, 9]).cues, ["reliable"]))

  it("keep at most 24 cues, but take the sentiment from all of them", () => {
    const { sentiment, cues } = about(`Cons of Acme: ${Array.from({ length: 30 }, () => "slow").join(", ")}.`)
    assert.strictEqual(sentiment, "negative")
    assert.lengthOf(cues, 24)
  })
})

describe("points for and against", () => {
  it("stand under headings of many kinds", () => {
    for (const heading of ["Key strengths", "The pros", "Key downsides", "Downsides", "Some cons", "Dislikes"]) {
      const word = heading.toLowerCase().split(" ").at(-1)
      assert.strictEqual(cuesOf(`**Acme**\n${heading}: one colour, two sizes`), `${word}, ${word}`)
    }
    assert.strictEqual(about("**Acme**\nWhat we like: one colour").sentiment, "positive")
    assert.strictEqual(cuesOf("**Acme**\n\n**Pros:**\n- one colour"), "pros")
    assert.strictEqual(cuesOf("Cons for Acme: one colour."), "cons")
  })

  it("are split at commas and at “and”, and each takes the sentiment of its heading", () => {
    assert.strictEqual(cuesOf("**Acme**\nPros: light and cheap"), "light, cheap")
    assert.strictEqual(cuesOf("**Acme**\nCons: reliable but slow"), "slow")
  })

  it("are empty where the answer says that there are none", () => {
    for (const none of ["No major drawbacks", "No obvious downsides", "No significant cons", "n/a"])
      assert.strictEqual(cuesOf(`**Acme**\nCons: ${none}`), "", none)
  })

  it("end with their list, and with the line that holds their heading", () => {
    assert.strictEqual(cuesOf("## Acme\n**Pros:**\n- one colour\n**Cons:**\n- slow"), "pros, slow")
    assert.strictEqual(cuesOf("## Acme\nPros: light\n- one colour"), "light")
    assert.strictEqual(cuesOf("## Acme\nPros:\n- light\nOne colour."), "light")
  })

  it("stand in the column or the row of a table with such a heading", () => {
    assert.strictEqual(cuesOf("| | Acme | Bolt |\n|---|---|---|\n| Pros | one colour | two |"), "pros")
    assert.strictEqual(
      cuesOf("| Tool | Pros |\n|---|---|\n| Bolt | red |\n| Cora | blue |\n| Acme | one colour |"),
      "pros"
    )
  })
})

describe("a table row", () => {
  it("is about the brand in its first or second column, and not about a brand further right", () => {
    assert.strictEqual(cuesOf("| # | Tool | Notes |\n|---|---|---|\n| 1 | Acme | slow |"), "slow")
    assert.strictEqual(cuesOf("| Notes | Type | Tool |\n|---|---|---|\n| slow | bank | Acme |"), "")
  })
})

describe("a section", () => {
  it("ends at a heading of the same level, at a rule, and at a closing remark", () => {
    assert.strictEqual(cuesOf("- Acme\n  - light\n- slow"), "light")
    assert.strictEqual(cuesOf("## Acme\nreliable\n---\nslow things"), "reliable")
    assert.strictEqual(cuesOf("## Acme\n\nReliable and light.\n\nOverall, slow stuff."), "reliable, light")
    assert.strictEqual(cuesOf("1. Acme\n   - reliable\n\nThese are slow."), "reliable")
  })

  it("belongs to the brand that heads it, not to one that its text names", () => {
    assert.strictEqual(cuesOf("- Bolt: a bank, and Acme\n  - reliable"), "")
  })
})

describe("a clause", () => {
  it("has its own subject", () => {
    assert.strictEqual(cuesOf("Acme is reliable whereas Bolt is slow."), "reliable")
    assert.strictEqual(cuesOf("Acme is slow because Bolt is buggy."), "slow")
    assert.strictEqual(cuesOf("Bolt is slow; Acme is reliable."), "reliable")
    assert.strictEqual(cuesOf("Caldera is slow, but Acme is reliable."), "reliable")
  })

  it("that compares another brand with this one has the opposite sentiment for this one", () => {
    for (const text of [
      "Compared to Acme",
      "Next to Acme",
      "Versus Acme",
      "In contrast to Acme",
      "Unlike Cora and Acme"
    ])
      assert.strictEqual(about(`${text}, Bolt is slow.`).sentiment, "positive", text)
    assert.strictEqual(cuesOf("Most people choose Bolt over Acme."), "choose … over")
    assert.strictEqual(cuesOf("Bolt was chosen instead of Acme."), "chosen instead of")
    assert.strictEqual(cuesOf("Bolt is more reliable than Acme."), "more reliable than")
    assert.strictEqual(cuesOf("Most choose Bolt rather than Acme for work."), "choose … rather than")
    assert.strictEqual(cuesOf("Acme competitors are slow."), "")
    assert.strictEqual(cuesOf("Acme is slow, and Bolt is better than Acme."), "slow, better than")
  })

  it("that advises against another brand has no sentiment for this one, unless it lists this one too", () => {
    for (const text of [
      "Avoid Best Western, Acme is cheap.",
      "Avoid the Bolt app, Acme is cheap.",
      "Acme is cheap, avoid Bolt."
    ])
      assert.strictEqual(cuesOf(text), "cheap", text)
    assert.strictEqual(cuesOf("Steer clear of Bolt; Acme is cheap."), "cheap")
    assert.strictEqual(cuesOf("Don't bother with Bolt, Acme is cheap."), "cheap")
    for (const text of [
      "Avoid Bolt, Cora and Acme.",
      "Avoid Bolt, Acme.",
      "Avoid Bolt, Acme and such.",
      "Avoid Acme, Bolt is cheap."
    ])
      assert.strictEqual(cuesOf(text), "avoid", text)
  })

  it("that only contrasts the brand with another has the opposite sentiment of the other", () => {
    for (const text of [
      "Bolt is reliable, but Acme is not.",
      "Bolt is reliable; Acme isn't.",
      "Bolt isn't cheap, but Acme is.",
      "Bolt is fast, but Acme can't."
    ])
      assert.strictEqual(about(text).sentiment, text.includes("cheap") ? "positive" : "negative", text)
    assert.strictEqual(cuesOf("Bolt is slow while Acme is not."), "slow … is not")
    assert.strictEqual(cuesOf("Bolt is slow while Acme isn't."), "slow … isn't")
    for (const text of [
      "Bolt is slow, and so is Acme.",
      "Bolt is slow, Acme is not a bank.",
      "Bolt isn't slow; Acme isn't.",
      "Bolt is slow, Acme is.",
      "Bolt is red, Acme isn't."
    ])
      assert.strictEqual(cuesOf(text), "", text)
  })

  it("that states what you look for gives no praise to a brand that is only blamed", () => {
    assert.strictEqual(cuesOf("Avoid Acme if you value reliability."), "avoid")
    assert.strictEqual(cuesOf("If you need reliability, Acme is not the best choice."), "not the best")
    assert.strictEqual(cuesOf("If you need a reliable tool, Acme is pricey but fast."), "reliable, pricey, fast")
    assert.strictEqual(cuesOf("Acme is pricey, but if you want a reliable tool, it fits."), "pricey, reliable")
  })

  it("with an unreal condition on the brand has no sentiment, but “even if” and conditions on you or others cancel nothing", () => {
    for (const text of [
      "Even if Acme were expensive, it would be great.",
      "If you only need it for notes, Acme would be great.",
      "If your team had a large budget, Acme would be great.",
      "If Bolt were slow, Acme would be great.",
      "If it were up to me, Acme would be great."
    ])
      assert.strictEqual(cuesOf(text), "great", text)
    assert.strictEqual(cuesOf("If Acme had a fault, it is its great price."), "great")
    assert.strictEqual(cuesOf("If Acme were reliable, it would be great, but it is slow."), "slow")
  })

  it("that introduces a list has no sentiment for the brands in it", () => {
    assert.strictEqual(cuesOf("Here are reliable options: Bolt, Acme."), "")
    assert.strictEqual(cuesOf("If you want a reliable tool, Acme fits."), "reliable")
  })
})

describe("names and other words", () => {
  it("are told apart by their capitals, except for words in capitals for emphasis", () => {
    assert.strictEqual(cuesOf("Acme is VERY slow and BUGGY."), "slow, buggy")
    assert.strictEqual(cuesOf("Acme Reliable Pro is slow."), "slow")
    assert.strictEqual(cuesOf("Well-built Acme is here."), "well-built")
  })

  it("are not read from addresses", () => assert.strictEqual(cuesOf("See https://great.com/reliable for Acme."), ""))
})
