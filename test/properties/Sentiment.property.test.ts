/**
 * Laws of `sentimentOf` over generated sentences.
 *
 * Planted faults, each seen red here:
 * - names read as cues
 * - both sides of a comparison given the same sentiment
 * - a negation without effect
 * - the case kept; a letter whose length changes in lower case
 * - every clause attributed to the brand
 * - following text read without a line end or a pronoun
 * - positive without any cue
 * - a fourth sentiment
 * - passages without a limit
 */
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const about = (text: string, brand: string): Sentiment => {
  const from = text.indexOf(brand)
  return sentimentOf(text, [from, from + brand.length])
}

const opposite = { positive: "negative", negative: "positive", neutral: "neutral" } as const

// Names that are words of the lexicon, consist of several words, or are in other scripts.
const name = fc.constantFrom(
  "Velmora",
  "Brave",
  "Joy",
  "Monster",
  "Crisp",
  "Happy Socks",
  "Best Western",
  "Awful Brothers",
  "Not Just Bikes",
  "小米",
  "T-Velo",
  "İnci"
)
// As a rival's name, one that starts like a sentence cannot be distinguished from one.
const side = name.filter((written) => !written.startsWith("Not"))
const praise = fc.constantFrom("reliable", "affordable", "intuitive", "fast", "excellent", "comfortable", "well-built")
const blame = fc.constantFrom("buggy", "clunky", "overpriced", "unreliable", "slow", "flimsy", "confusing", "outdated")
const cue = fc.oneof(praise, blame)
const negator = fc.constantFrom(
  "is not",
  "isn't",
  "isn’t",
  "is never",
  "is hardly",
  "is far from",
  "is not very",
  "is not at all"
)

type Frame = (brand: string, word: string) => string

const frame: fc.Arbitrary<Frame> = fc.constantFrom<Frame>(
  (brand, word) => `${brand} is ${word}.`,
  (brand, word) => `Most people find ${brand} ${word}.`,
  (brand, word) => `1. **${brand}** – ${word}`,
  (brand, word) => `| Brand | Notes |\n|---|---|\n| ${brand} | ${word} |`,
  (brand, word) => `### ${brand}\n\n- **Build:** ${word}\n`,
  (brand, word) => `With Quillon out of stock, ${brand} is left, and it is ${word}.`,
  (brand) => `${brand} was founded in 1990.`,
  (brand) => `Options include Quillon, ${brand} and Okello.`
)

const comparison = fc.constantFrom<(one: string, other: string) => string>(
  (one, other) => `${one} is better than ${other}.`,
  (one, other) => `${one} is worse than ${other}.`,
  (one, other) => `${one} is more expensive than ${other}.`,
  (one, other) => `${one} is less reliable than ${other}.`,
  (one, other) => `${one} isn't as comfortable as ${other}.`,
  (one, other) => `${one} beats ${other} on battery life.`,
  (one, other) => `${one} lags behind ${other} in every test.`,
  (one, other) => `${one} is inferior to ${other}.`,
  (one, other) => `${one} is outperformed by ${other}.`,
  (one, other) => `Unlike ${one}, ${other} is reliable.`,
  (one, other) => `Compared with ${one}, ${other} feels dated.`,
  (one, other) => `Most reviewers prefer ${one} to ${other}.`,
  (one, other) => `We would pick ${one} over ${other} for daily use.`,
  (one, other) => `Go with ${one} instead of ${other}.`,
  (one, other) => `${one} is cheap but ${other} is buggy.`,
  (one, other) => `While ${one} is slow, ${other} is quick and pleasant.`
)

const filler = fc.constantFrom(
  "Everything here is terrible, slow and overpriced.",
  "- Quillon: excellent, fast and reliable",
  "It is wonderful. They are the best!",
  "## Pros\n- great value",
  "Cons: buggy, clunky, slow",
  "| Okello | awful |",
  "C'est déjà bien 😀."
)
const around = fc.array(filler, { maxLength: 4 }).map((paragraphs) => paragraphs.join("\n\n"))

describe("the sentiment of a mention", () => {
  it("does not depend on the brand's own name: sentimentOf(t(brand)) = sentimentOf(t(another))", () => {
    fc.assert(
      fc.property(frame, cue, name, (write, word, brand) => {
        assert.deepStrictEqual(about(write(brand, word), brand), about(write("Zorbx", word), "Zorbx"))
      }),
      { numRuns: 500 }
    )
  })

  it("is opposite for the two sides of a comparison: sentimentOf(one) = -sentimentOf(other), neither neutral", () => {
    fc.assert(
      fc.property(comparison, side, (write, brand) => {
        const text = write(brand, "Quillon")
        const [one, other] = [about(text, brand).sentiment, about(text, "Quillon").sentiment]
        assert.notStrictEqual(one, "neutral", text)
        assert.strictEqual(one, opposite[other], text)
      }),
      { numRuns: 500 }
    )
  })

  it("is swapped when the two brands of a comparison are: sentimentOf(one, t(one, other)) = sentimentOf(other, t(other, one))", () => {
    fc.assert(
      fc.property(comparison, side, (write, brand) => {
        assert.deepStrictEqual(about(write(brand, "Quillon"), brand), about(write("Quillon", brand), "Quillon"))
        assert.deepStrictEqual(about(write(brand, "Quillon"), "Quillon"), about(write("Quillon", brand), brand))
      }),
      { numRuns: 500 }
    )
  })

  it("is inverted when its only cue is negated", () => {
    fc.assert(
      fc.property(cue, negator, name, (word, not, brand) => {
        const plain = about(`${brand} is ${word}.`, brand).sentiment
        assert.notStrictEqual(plain, "neutral")
        assert.strictEqual(about(`${brand} ${not} ${word}.`, brand).sentiment, opposite[plain])
      }),
      { numRuns: 500 }
    )
  })

  it("does not depend on the case of the text, and neither do its cues", () => {
    fc.assert(
      fc.property(frame, cue, fc.constantFrom("Velmora", "Joy", "T-Velo", "İnci"), (write, word, brand) => {
        const text = write(brand, word)
        const found = about(text, brand)
        assert.deepStrictEqual(about(text.toUpperCase(), brand.toUpperCase()), found)
        assert.deepStrictEqual(
          about(text.replaceAll("İ", "i").toLowerCase(), brand.replaceAll("İ", "i").toLowerCase()),
          found
        )
      }),
      { numRuns: 500 }
    )
  })

  it("does not depend on other paragraphs: sentimentOf(before + t + after) = sentimentOf(t)", () => {
    fc.assert(
      fc.property(comparison, name, around, around, (write, brand, before, after) => {
        const text = write(brand, "Quillon")
        assert.deepStrictEqual(about(`${before}\n\n${text}\n\n${after}`, brand), about(text, brand))
      }),
      { numRuns: 500 }
    )
  })

  it("is neutral without cues, and each cue contains at least one word", () => {
    fc.assert(
      fc.property(frame, cue, name, (write, word, brand) => {
        const { sentiment, cues } = about(write(brand, word), brand)
        if (cues.length === 0) assert.strictEqual(sentiment, "neutral")
        for (const one of cues) assert.match(one, /[\p{L}\p{N}]/u)
      })
    )
  })
})

const units = fc.constantFrom(
  ...Array.from("aA1 .,:;|#-*\n\t'’()!?"),
  "\ud83d",
  "\ude00",
  "İ",
  "中",
  "not ",
  "than ",
  "great ",
  "buggy ",
  "is ",
  "Acme ",
  "Pros:"
)
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(units, { maxLength: 60 }).map((parts) => parts.join(""))
)
const anyNumber = fc.oneof(fc.integer({ min: -3, max: 80 }), fc.double())

/** A text and a span of any kind, or the span of a name in it. */
const anySpan = fc.oneof(
  fc.tuple(anyText, anyNumber, anyNumber),
  fc.tuple(anyText, cue, anyText).map(([before, said, after]) => {
    const from = before.length + 1
    return [`${before}\nAcme is ${said}, ${after}`, from, from + 4] as const
  })
)

describe("any text", () => {
  it("has a sentiment for any span, even an invalid one", () => {
    fc.assert(
      fc.property(anySpan, ([text, from, to]) => {
        const { sentiment, cues } = sentimentOf(text, [from, to])
        assert.include(["positive", "neutral", "negative"], sentiment)
        assert.isArray(cues)
      }),
      { numRuns: 3000 }
    )
  })

  it("of a megabyte is read in linear time", () => {
    const size = 1_000_000
    const hostile = [
      "Acme ",
      "Acme is better than ",
      "a",
      "| Acme |\n",
      "# Acme\n",
      "- Acme\n",
      "not ",
      "Acme: pros, ",
      "(",
      "**",
      "😀",
      "İ "
    ]
    for (const piece of hostile) {
      const text = `Acme ${piece.repeat(Math.ceil(size / piece.length))}`
      sentimentOf(text, [0, 4])
      const start = process.threadCpuUsage()
      sentimentOf(text, [0, 4])
      assert.isBelow(process.threadCpuUsage(start).user, 250_000, piece)
    }
  })
})
