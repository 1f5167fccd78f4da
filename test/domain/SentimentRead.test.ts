/**
 * What of an answer is read for its sentiment: which sentences, lines, cells and clauses are about the brand.
 *
 * Planted and seen red: the first mentions alone; parts of longer words; one sentence with a pronoun, or nine; a mark that ends the
 * sentence; labels left out or kept too long; the neighbouring column; a rule taken for a row; what is said of rivals; ten cues;
 * who else is to be avoided taken for the brand, and a list of those who are for a sentence about it; what "even if it were" or "if you
 * had" would be taken for what is not; "but Acme is not" taken for nothing, or for the opposite where the other is not so either; what one is after taken for what the blamed brand has.
 */
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"
import { assert, describe, it } from "vitest"

const about = (text: string): Sentiment => {
  const from = text.indexOf("Acme")
  return sentimentOf(text, [from, from + "Acme".length])
}
const cuesOf = (text: string) => about(text).cues.join(", ")

describe("the mentions of a brand", () => {
  it("are all read, and whole words only", () => {
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

  it("go on for three sentences with a pronoun or what the brand is", () => {
    assert.strictEqual(
      cuesOf("Acme is a bank. It is slow. They are buggy. However, it is dull. It is drab."),
      "slow, buggy, dull"
    )
    assert.strictEqual(cuesOf("Acme is a bank. The product is slow."), "slow")
  })

  it("are no sentence's end with their mark, unless another begins there", () => {
    assert.strictEqual(cuesOf("Acme! Bolt is slow."), "")
    assert.strictEqual(cuesOf("Acme! is slow."), "slow")
  })

  it("inside a longer word are read with its word, wherever in it they stand", () =>
    assert.deepStrictEqual(sentimentOf("The HPProBook is reliable.", [6, 9]).cues, ["reliable"]))

  it("have at most 24 cues, and the sentiment of all", () => {
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

  it("are divided by commas and by “and”, and each says what its heading does", () => {
    assert.strictEqual(cuesOf("**Acme**\nPros: light and cheap"), "light, cheap")
    assert.strictEqual(cuesOf("**Acme**\nCons: reliable but slow"), "slow")
  })

  it("are none where none is worth naming", () => {
    for (const none of ["No major drawbacks", "No obvious downsides", "No significant cons", "n/a"])
      assert.strictEqual(cuesOf(`**Acme**\nCons: ${none}`), "", none)
  })

  it("end with their list, and with what stands beside their heading", () => {
    assert.strictEqual(cuesOf("## Acme\n**Pros:**\n- one colour\n**Cons:**\n- slow"), "pros, slow")
    assert.strictEqual(cuesOf("## Acme\nPros: light\n- one colour"), "light")
    assert.strictEqual(cuesOf("## Acme\nPros:\n- light\nOne colour."), "light")
  })

  it("stand in the column or the row of a table that says so", () => {
    assert.strictEqual(cuesOf("| | Acme | Bolt |\n|---|---|---|\n| Pros | one colour | two |"), "pros")
    assert.strictEqual(
      cuesOf("| Tool | Pros |\n|---|---|\n| Bolt | red |\n| Cora | blue |\n| Acme | one colour |"),
      "pros"
    )
  })
})

describe("a table row", () => {
  it("is about the brand in its first or second column, and about no brand further right", () => {
    assert.strictEqual(cuesOf("| # | Tool | Notes |\n|---|---|---|\n| 1 | Acme | slow |"), "slow")
    assert.strictEqual(cuesOf("| Notes | Type | Tool |\n|---|---|---|\n| slow | bank | Acme |"), "")
  })
})

describe("a section", () => {
  it("ends at a heading as high, at a rule, and where the answer takes its leave", () => {
    assert.strictEqual(cuesOf("- Acme\n  - light\n- slow"), "light")
    assert.strictEqual(cuesOf("## Acme\nreliable\n---\nslow things"), "reliable")
    assert.strictEqual(cuesOf("## Acme\n\nReliable and light.\n\nOverall, slow stuff."), "reliable, light")
    assert.strictEqual(cuesOf("1. Acme\n   - reliable\n\nThese are slow."), "reliable")
  })

  it("is that of the brand that heads it, not of one that is named in its text", () => {
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

  it("that measures another by the brand says the opposite of it", () => {
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

  it("that tells to avoid another says nothing of the brand, unless it lists the brand beside", () => {
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

  it("that only tells the brand from another says the opposite of what is said of that one", () => {
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

  it("that tells what you are after gives the brand nothing where it is only blamed", () => {
    assert.strictEqual(cuesOf("Avoid Acme if you value reliability."), "avoid")
    assert.strictEqual(cuesOf("If you need reliability, Acme is not the best choice."), "not the best")
    assert.strictEqual(cuesOf("If you need a reliable tool, Acme is pricey but fast."), "reliable, pricey, fast")
    assert.strictEqual(cuesOf("Acme is pricey, but if you want a reliable tool, it fits."), "pricey, reliable")
  })

  it("that would be true if the brand were otherwise says nothing; “even if”, what you have and what others are leave it", () => {
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

  it("of an introduced list says nothing of those it lists", () => {
    assert.strictEqual(cuesOf("Here are reliable options: Bolt, Acme."), "")
    assert.strictEqual(cuesOf("If you want a reliable tool, Acme fits."), "reliable")
  })
})

describe("names and other words", () => {
  it("are told apart by their capitals, but for emphasis", () => {
    assert.strictEqual(cuesOf("Acme is VERY slow and BUGGY."), "slow, buggy")
    assert.strictEqual(cuesOf("Acme Reliable Pro is slow."), "slow")
    assert.strictEqual(cuesOf("Well-built Acme is here."), "well-built")
  })

  it("stand in no address", () => assert.strictEqual(cuesOf("See https://great.com/reliable for Acme."), ""))
})
