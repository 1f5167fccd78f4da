/**
 * How answers speak of a brand, one fact at a time.
 *
 * Planted faults, each seen red here: names read as cues; a measure that gets the same as what it measures; a negation that
 * turns nothing; a negator left untold; praise for want of a cue; every clause taken for the brand's; an introduced list
 * counted; labels ignored; "may" ignored; the wrong column; any next sentence taken to go on; a section without end; questions
 * counted; a longer word not completed; "not without" taken for "without"; what could not be better taken for blame, and
 * "anything but" for nothing; how a thing is done, and how the fixes are, turned round with what is fixed; an alternative's
 * praise taken for that of what it replaces, and as said of others where it says what the brand is; a contraction that opens a
 * sentence taken for a name; a fault that something is without by its name taken for one; who is as bad as the brand taken to
 * praise it, or the first of two faults for as rare as the second; who is passed over ("not Acme") praised with who is not, and
 * what was ("used to be") taken for what is; faults that are dealt with taken for its own, and praise that is missing or wished
 * for as given; what is done to others, or taken back, as said of it; the choice of another taken for its own; a word of degree
 * taken for blame; a name cut at its own marks; another language read as English; "reliability issues" taken for praise, a
 * verdict for blame, what is below a title that compares for one of its brands and below an item that does for none, what hard things it makes for what it makes hard, and what introduces one name for praise; what is said of
 * a fault to be false taken for its rumour, those who love the brand for its rivals, and who takes it instead for nobody.
 */
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"
import { assert, describe, it } from "vitest"

const about = (text: string, brand: string): Sentiment => {
  const from = text.indexOf(brand)
  return sentimentOf(text, [from, from + brand.length])
}

const positive = (...cues: ReadonlyArray<string>): Sentiment => ({ sentiment: "positive", cues })
const negative = (...cues: ReadonlyArray<string>): Sentiment => ({ sentiment: "negative", cues })
const neutral = (...cues: ReadonlyArray<string>): Sentiment => ({ sentiment: "neutral", cues })

describe("the cues", () => {
  it("stand in the order and the words of the text, in lower case", () => {
    assert.deepStrictEqual(
      about("Acme is RELIABLE, affordable and easy to set up.", "Acme"),
      positive("reliable", "affordable", "easy to")
    )
  })

  it("are not what is done to others, or taken back", () => {
    assert.deepStrictEqual(about("Acme makes easy things hard.", "Acme"), negative("makes easy things hard"))
    assert.deepStrictEqual(about("Acme turns a painful process into a simple one.", "Acme"), positive("simple"))
    assert.strictEqual(about("Acme makes invoicing easy.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(about("Acme makes great hard candies.", "Acme"), positive("great"))
    assert.deepStrictEqual(about("Acme makes everything a hard sell.", "Acme"), neutral())
    assert.deepStrictEqual(about("Many great brands, including Acme, raised prices.", "Acme"), neutral())
    assert.deepStrictEqual(about("Great tools include Acme, but it is slow.", "Acme"), negative("slow"))
    assert.deepStrictEqual(about("Acme keeps bad bots out of your site.", "Acme"), positive("keeps bad"))
    assert.strictEqual(about("Even critics struggle to find flaws in Acme.", "Acme").sentiment, "positive")
    assert.strictEqual(about("Acme struggles to find duplicates.", "Acme").sentiment, "negative")
    assert.strictEqual(about("Skeptics were wrong about Acme.", "Acme").sentiment, "positive")
    assert.strictEqual(about("Complaints about Acme have dropped.", "Acme").sentiment, "positive")
    assert.strictEqual(about("Acme's quality has dropped.", "Acme").sentiment, "negative")
    assert.strictEqual(about("Bolt is like Acme but without the bugs.", "Acme").sentiment, "negative")
    assert.strictEqual(about("It's hard to go wrong with Acme.", "Acme").sentiment, "positive")
    assert.strictEqual(about("I wouldn't pick Acme here.", "Acme").sentiment, "negative")
    assert.strictEqual(about("You don't need to use Acme every day.", "Acme").sentiment, "neutral")
  })

  it("are faults where praise names what there is trouble with, and none of a verdict", () => {
    assert.deepStrictEqual(about("Acme has had reliability issues.", "Acme"), negative("reliability issues"))
    assert.deepStrictEqual(about("Acme has no reliability problems.", "Acme"), positive("no reliability problems"))
    assert.deepStrictEqual(about("**Verdict:** most should take Acme.", "Acme"), neutral())
  })

  it("carry their negator and what they are compared by", () => {
    assert.deepStrictEqual(about("Acme is not reliable.", "Acme"), negative("not reliable"))
    assert.deepStrictEqual(about("Acme isn't the best option.", "Acme"), negative("isn't the best"))
    assert.deepStrictEqual(about("Acme lacks polish.", "Acme"), negative("lacks polish"))
    assert.deepStrictEqual(about("Bolt is more expensive than Acme.", "Acme"), positive("more expensive than"))
    assert.deepStrictEqual(about("Most people prefer Acme to Bolt.", "Bolt"), negative("prefer … to"))
    assert.deepStrictEqual(about("Unlike Acme, Bolt is reliable.", "Acme"), negative("unlike … reliable"))
    assert.deepStrictEqual(about("Bolt, not Acme, is reliable.", "Acme"), negative("not … reliable"))
    assert.deepStrictEqual(about("Bolt, not Acme, is reliable.", "Bolt"), positive("reliable"))
    assert.deepStrictEqual(about("This is not Acme's best.", "Acme"), negative("not … best"))
    assert.deepStrictEqual(about("Acme used to be great.", "Acme"), negative("used to be great"))
  })

  it("a negation of a negation is none, nor is one that says that nothing could be more so", () => {
    assert.deepStrictEqual(about("Acme is not without its flaws.", "Acme"), negative("flaws"))
    assert.deepStrictEqual(about("Acme comes without flaws.", "Acme"), positive("without flaws"))
    assert.deepStrictEqual(about("I can't recommend Acme highly enough.", "Acme"), positive("recommend"))
    assert.deepStrictEqual(about("I can't recommend Acme.", "Acme"), negative("can't recommend"))
    assert.deepStrictEqual(about("Acme couldn't be easier to use.", "Acme"), positive("easier"))
    assert.deepStrictEqual(about("Acme couldn't be worse.", "Acme"), negative("worse"))
    assert.deepStrictEqual(about("Acme is nothing short of excellent.", "Acme"), positive("excellent"))
    assert.deepStrictEqual(about("Acme is anything but reliable.", "Acme"), negative("anything but reliable"))
    assert.deepStrictEqual(about("Don't expect good support from Acme.", "Acme"), negative("don't expect good"))
  })

  it("what is done to a fault is turned round, how it is done is not", () => {
    assert.deepStrictEqual(about("Acme solves complex problems.", "Acme"), positive("solves complex problems"))
    assert.deepStrictEqual(about("Acme helps you avoid hidden fees.", "Acme"), positive("avoid hidden fees"))
    assert.deepStrictEqual(about("Acme handles poorly.", "Acme"), negative("poorly"))
    assert.deepStrictEqual(about("Acme's fixes are slow.", "Acme"), negative("slow"))
    assert.deepStrictEqual(about("Acme protects you from fraud and theft.", "Acme"), neutral())
    assert.deepStrictEqual(
      about("Acme is a fraud and a waste of money.", "Acme"),
      negative("a fraud", "waste of money")
    )
  })

  it("a compound says what it says of the fault in its name", () => {
    assert.deepStrictEqual(
      about("Acme pans are non-toxic and of high quality.", "Acme"),
      positive("non-toxic", "high quality")
    )
    assert.deepStrictEqual(about("Acme was fined for low-quality parts.", "Acme"), negative("fined", "low-quality"))
  })

  it("an alternative is measured by what it replaces only where it is more or less", () => {
    const cheaper = "**Acme** – A cheaper alternative to Bolt."
    assert.deepStrictEqual(about(cheaper, "Acme"), positive("cheaper"))
    assert.deepStrictEqual(about(cheaper, "Bolt"), negative("cheaper alternative to"))
    assert.deepStrictEqual(about("Acme is a great alternative to Bolt.", "Bolt"), neutral())
    assert.deepStrictEqual(about("Acme is one of the best Bolt alternatives.", "Bolt"), neutral())
    assert.deepStrictEqual(about("Acme replacement parts are cheap.", "Acme"), positive("cheap"))
  })

  it("what is as bad as the brand blames it too, what is not as good praises it", () => {
    assert.deepStrictEqual(about("Bolt is as buggy as Acme.", "Acme"), negative("buggy as"))
    assert.deepStrictEqual(about("Bolt is not as good as Acme.", "Acme"), positive("not as good as"))
    assert.deepStrictEqual(about("Bolt is buggy, similar to Acme.", "Acme"), neutral())
  })

  it("balance: as many for as against is neutral", () => {
    assert.deepStrictEqual(about("Acme is powerful but expensive.", "Acme"), neutral("powerful", "expensive"))
  })

  it("are none where a sentence only tells or lists", () => {
    for (const text of [
      "Acme was founded in 2012.",
      "Great options include Acme, Bolt and Cora.",
      "1. Bolt\n2. Acme",
      "| Tool | Seats |\n|---|---|\n| Acme | 5 |",
      "Acme offers free shipping, hard drives and a security solution, with support for single sign-on.",
      "Is Acme reliable?"
    ]) {
      assert.deepStrictEqual(about(text, "Acme"), neutral(), text)
    }
  })

  it("are none in the words of other languages that an English lexicon weighs", () => {
    assert.deepStrictEqual(about("The batteries of Acme die quickly.", "Acme"), negative("die quickly"))
    for (const text of ["Acme ist fast nie erreichbar.", "Acme n'est pas mal du tout.", "Acme ist hell."]) {
      assert.deepStrictEqual(about(text, "Acme"), neutral(), text)
    }
  })

  it("are what is too much of a thing, what falls short, and who is taken instead", () => {
    assert.deepStrictEqual(about("Acme is too heavy for travel.", "Acme"), negative("too heavy"))
    assert.deepStrictEqual(about("Acme isn't too heavy.", "Acme"), positive("isn't too heavy"))
    assert.deepStrictEqual(about("Acme falls short on durability.", "Acme"), negative("falls short"))
    assert.strictEqual(about("Acme could be better.", "Acme").sentiment, "negative")
    assert.strictEqual(about("Skip Bolt and get Acme instead.", "Acme").sentiment, "positive")
    assert.strictEqual(about("Skip Bolt and get Acme instead.", "Bolt").sentiment, "negative")
  })

  it("are those of whoever else speaks of the brand, unless they are said to be false", () => {
    assert.deepStrictEqual(about("Some say Acme is a scam, others love it.", "Acme"), neutral("scam", "love"))
    assert.strictEqual(about("Claims that Acme is a scam are false.", "Acme").sentiment, "positive")
  })

  it("are turned round by what says that there is little of them", () => {
    assert.deepStrictEqual(about("Complaints about Acme are rare.", "Acme"), positive("complaints … rare"))
    assert.deepStrictEqual(about("Happy customers of Acme are few and far between.", "Acme").sentiment, "negative")
    assert.deepStrictEqual(about("Acme is reliable and failures are rare.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(
      about("Acme is slow and complaints are rare.", "Acme"),
      neutral("slow", "complaints are rare")
    )
    assert.deepStrictEqual(about("Bugs in Acme are not rare.", "Acme"), negative("bugs"))
    assert.deepStrictEqual(about("Acme's great prices are low.", "Acme"), positive("great"))
    assert.deepStrictEqual(about("Acme has a few downsides.", "Acme"), negative("downsides"))
    assert.deepStrictEqual(about("Acme has few downsides.", "Acme"), positive("few downsides"))
    assert.strictEqual(about("Complaints about Acme are few and reviews are great.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(about("Acme is nothing less than excellent.", "Acme"), positive("excellent"))
    assert.deepStrictEqual(about("Acme could not be easier to use.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme is free from bugs.", "Acme"), positive("free from bugs"))
    assert.deepStrictEqual(about("Acme does away with errors.", "Acme"), positive("away with errors"))
    assert.deepStrictEqual(about("Acme makes difficult tasks easy.", "Acme"), positive("easy"))
    assert.deepStrictEqual(about("Acme has low failure rates.", "Acme"), positive("low failure"))
  })

  it("are not what is dealt with, and are turned round where it is done away with", () => {
    assert.deepStrictEqual(about("Acme handles complex problems.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme helps you deal with difficult customers.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme cleans up messy data.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme gets rid of tedious paperwork.", "Acme"), positive("rid of tedious"))
    assert.deepStrictEqual(about("Acme protects you from bad actors.", "Acme"), positive("from bad"))
    assert.deepStrictEqual(about("Acme protects bad actors.", "Acme"), negative("bad"))
    assert.deepStrictEqual(about("Acme is for people who suffer from back pain.", "Acme"), neutral())
  })

  it("are none for praise that is missing, wished for or only claimed", () => {
    for (const text of [
      "Acme needs better support.",
      "Acme tries to be good.",
      "Acme should be more reliable.",
      "I wish Acme were more reliable.",
      "Acme lost its best engineers.",
      "Acme would be great if it were reliable.",
      "Acme is short on good features."
    ]) {
      assert.deepStrictEqual(about(text, "Acme"), neutral(), text)
    }
    assert.deepStrictEqual(about("If you want reliability, skip Acme.", "Acme"), negative("skip"))
    assert.deepStrictEqual(about("Acme meets our needs better.", "Acme"), positive("better"))
  })

  it("a negation ends before another verb, and one of less or of too much is told", () => {
    assert.deepStrictEqual(about("Acme isn't cheap and is slow.", "Acme"), negative("isn't cheap", "slow"))
    assert.deepStrictEqual(about("Nothing is less reliable than Acme.", "Acme"), negative("reliable than"))
    assert.deepStrictEqual(about("Acme does not crash or have fewer bugs.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(about("Acme is too cheap to be good.", "Acme"), neutral("cheap", "to be good"))
    assert.deepStrictEqual(about("Acme is nowhere near as slow as Bolt.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(about("Acme has yet to disappoint.", "Acme").sentiment, "positive")
  })

  it("tell a thing that is like another but more from that other", () => {
    const text = "Zephyr is like Bolt but cheaper."
    assert.deepStrictEqual(about(text, "Zephyr"), positive("cheaper"))
    assert.deepStrictEqual(about(text, "Bolt"), negative("like … cheaper"))
    assert.deepStrictEqual(about("Users like Bolt but find it slower.", "Bolt"), negative("slower"))
    assert.deepStrictEqual(about("Bolt's rivals are better.", "Bolt"), neutral())
    assert.strictEqual(about("Zephyr is similar to Bolt but cheaper.", "Bolt").sentiment, "negative")
    assert.deepStrictEqual(about("Bolt is fast while its rivals are slow.", "Bolt"), positive("fast"))
    assert.strictEqual(about("You'd be hard pressed to find bugs in Bolt.", "Bolt").sentiment, "positive")
  })

  it("reach across the marks of the brand's own name", () => {
    assert.deepStrictEqual(about("Dr. Martens is excellent.", "Dr. Martens"), positive("excellent"))
    assert.deepStrictEqual(about("Yahoo! is terrible.", "Yahoo"), negative("terrible"))
  })

  it("are never the words of a name", () => {
    assert.deepStrictEqual(about("Brave is a browser.", "Brave"), neutral())
    assert.deepStrictEqual(about("Acme works with Best Buy and Wonderful Pistachios.", "Acme"), neutral())
  })
})

describe("only what is said of the brand counts", () => {
  it("are not what tells to take another", () => {
    assert.deepStrictEqual(about("Go with Wise, skip Acme.", "Acme"), negative("skip"))
    assert.deepStrictEqual(about("If fees matter, opt for the Wise card and skip Acme.", "Acme"), negative("skip"))
    assert.deepStrictEqual(about("Go with Acme, skip Wise.", "Acme"), positive("go with"))
    assert.deepStrictEqual(about("Beginners should start with Acme.", "Acme"), positive("start with"))
  })

  it("are no words that only say how much", () => {
    const text = "1. **Acme S**\n   * Insane acceleration\n   * Legendary sound\n\n2. **Wise**\n   * Slow"
    assert.deepStrictEqual(about(text, "Acme"), positive("legendary"))
  })

  it("of two clauses each side has its own", () => {
    const text = "Acme is cheap but Bolt is buggy."
    assert.deepStrictEqual(about(text, "Acme"), positive("cheap"))
    assert.deepStrictEqual(about(text, "Bolt"), negative("buggy"))
  })

  it("a sentence that goes on with a pronoun is still about the brand, one about others is not", () => {
    assert.deepStrictEqual(about("Acme is a bank. It is slow.", "Acme"), negative("slow"))
    assert.deepStrictEqual(about("Acme is a bank. Rivals are slow.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme is a bank. The market is slow.", "Acme"), neutral())
  })

  it("an item has what stands below it, up to the next", () => {
    const text = "### 1. Acme\n\n* **Panel:** sharp\n\nGreat for work.\n\n### 2. Bolt\n\n* **Panel:** dim"
    assert.deepStrictEqual(about(text, "Acme"), positive("sharp", "great"))
    assert.deepStrictEqual(about(text, "Bolt"), negative("dim"))
  })

  it("a title that compares heads what is said of either, an item that does is its own", () => {
    const said = "Acme is reliable and easy to use.\n\nBolt is slow.\n\nSupport is terrible."
    for (const title of ["## Acme vs. Bolt", "**Bolt versus Acme**", "### 1. Acme VS Bolt"]) {
      assert.deepStrictEqual(about(`${title}\n\n${said}`, "Acme"), positive("reliable", "easy to"), title)
      assert.deepStrictEqual(about(`${title}\n\n${said}`, "Bolt"), negative("slow"), title)
    }
    assert.deepStrictEqual(about("## Acme\n\nSupport is terrible.", "Acme"), negative("terrible"))
    assert.deepStrictEqual(about("- Acme – small vs. Bolt\n  - clunky", "Acme"), negative("clunky"))
  })

  it("a row has its cells, a column those below it", () => {
    const rows = "| Tool | Notes |\n|---|---|\n| Acme | Easy to use |\n| Bolt | Clunky |"
    assert.deepStrictEqual(about(rows, "Bolt"), negative("clunky"))
    const columns = "| | Acme | Bolt |\n|---|---|---|\n| Speed | slow | fast |\n| App | clunky | intuitive |"
    assert.deepStrictEqual(about(columns, "Acme"), negative("slow", "clunky"))
    assert.deepStrictEqual(about(columns, "Bolt"), positive("fast", "intuitive"))
  })
})

describe("pros and cons", () => {
  it("count for their heading whatever their words say", () => {
    const text = "**Acme**\n\nPros:\n- Cheap\n\nCons:\n- No headphone jack\n- One colour"
    assert.deepStrictEqual(about(text, "Acme"), negative("cheap", "cons", "cons"))
  })

  it("count point by point within a line or a cell", () => {
    assert.deepStrictEqual(about("Cons of Acme: poor sound, one colour.", "Acme"), negative("poor", "cons"))
    const table = "| Tool | Pros | Cons |\n|---|---|---|\n| Acme | Light, cheap | One colour |"
    assert.deepStrictEqual(about(table, "Acme"), positive("light", "cheap", "cons"))
  })

  it("an answer that finds none says none", () => {
    assert.deepStrictEqual(about("**Acme**\nPros: light\nCons: none that we found", "Acme"), positive("light"))
  })
})

describe("what is only supposed", () => {
  it("is no praise, though it may be blame", () => {
    assert.deepStrictEqual(about("Acme may be a good fit.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme may irritate the skin.", "Acme"), negative("irritate"))
    assert.deepStrictEqual(about("If slow delivery is no bar to you, look at Acme.", "Acme"), neutral())
  })
})

it("a mention inside a longer word is read with its word", () => {
  assert.deepStrictEqual(sentimentOf("The HPProBook is reliable.", [4, 6]), positive("reliable"))
})
