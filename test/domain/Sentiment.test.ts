/**
 * How answers speak of a brand, one fact at a time.
 *
 * Planted faults, each seen red here:
 * - names are read as cues
 * - a standard of comparison gets the same sentiment as what is compared with it
 * - a negation changes nothing; a cue is shown without its negator
 * - a brand without a cue is praised
 * - every clause is taken to be about the brand; an introduced list counts; labels are ignored; "may" is ignored
 * - the wrong column is read; any next sentence is taken to continue; a section has no end; questions count
 * - the rest of a longer word is not added to a mention
 * - "not without" is read as "without"
 * - "could not be better" is taken for blame, and "anything but" has no effect
 * - how a thing is done, and how its fixes are, is inverted together with what is fixed
 * - praise of an alternative is taken for praise of what it replaces, or for praise of others where it says what the brand is
 * - a contraction that opens a sentence is taken for a name
 * - a fault that the name of a compound excludes is taken for a fault
 * - a brand that is as bad as this one is taken to praise it, or the first of two faults is taken to be as rare as the second
 * - a brand that is passed over ("not Acme") is praised with the chosen one, and "used to be" is taken for the present
 * - faults that the brand removes are taken for its own, and praise that is missing or wished for is taken as given
 * - what is done to others, or taken back, is taken as said of the brand; the choice of another brand is taken for a choice of this
 *   one
 * - a word of degree is taken for blame
 * - a name is cut at its own marks
 * - another language is read as English
 * - "reliability issues" are taken for praise, and the word "verdict" for blame
 * - text below a title that compares is taken for one of its brands only, and text below an item that compares for none
 * - the hard things that a brand makes are taken for what it makes hard, and the introduction of one name for praise
 * - a fault that is said to be false is taken for a fault
 * - people who love the brand are taken for its rivals, and choosing the brand instead has no effect
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
  it("stand in the order of the text and in its words, in lower case", () => {
    assert.deepStrictEqual(
      about("Acme is RELIABLE, affordable and easy to set up.", "Acme"),
      positive("reliable", "affordable", "easy to")
    )
  })

  it("are not what is done to others, nor what is taken back", () => {
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

  it('are blame where praise is part of a problem ("reliability issues"), and none in the word "verdict"', () => {
    assert.deepStrictEqual(about("Acme has had reliability issues.", "Acme"), negative("reliability issues"))
    assert.deepStrictEqual(about("Acme has no reliability problems.", "Acme"), positive("no reliability problems"))
    assert.deepStrictEqual(about("**Verdict:** most should take Acme.", "Acme"), neutral())
  })

  it("include their negator and their comparison", () => {
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

  it("a double negation is none, nor is a negation that means a superlative", () => {
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

  it("a verb inverts the fault that it acts on, but an adverb of that verb does not invert", () => {
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

  it("a compound says what it says about the fault in its name", () => {
    assert.deepStrictEqual(
      about("Acme pans are non-toxic and of high quality.", "Acme"),
      positive("non-toxic", "high quality")
    )
    assert.deepStrictEqual(about("Acme was fined for low-quality parts.", "Acme"), negative("fined", "low-quality"))
  })

  it("an alternative is compared with what it replaces only where it is said to be more or less", () => {
    const cheaper = "**Acme** – A cheaper alternative to Bolt."
    assert.deepStrictEqual(about(cheaper, "Acme"), positive("cheaper"))
    assert.deepStrictEqual(about(cheaper, "Bolt"), negative("cheaper alternative to"))
    assert.deepStrictEqual(about("Acme is a great alternative to Bolt.", "Bolt"), neutral())
    assert.deepStrictEqual(about("Acme is one of the best Bolt alternatives.", "Bolt"), neutral())
    assert.deepStrictEqual(about("Acme replacement parts are cheap.", "Acme"), positive("cheap"))
  })

  it("a brand as bad as another blames both, and one not as good praises the other", () => {
    assert.deepStrictEqual(about("Bolt is as buggy as Acme.", "Acme"), negative("buggy as"))
    assert.deepStrictEqual(about("Bolt is not as good as Acme.", "Acme"), positive("not as good as"))
    assert.deepStrictEqual(about("Bolt is buggy, similar to Acme.", "Acme"), neutral())
  })

  it("as many positive as negative cues are neutral", () => {
    assert.deepStrictEqual(about("Acme is powerful but expensive.", "Acme"), neutral("powerful", "expensive"))
  })

  it("are none where a sentence only describes or lists", () => {
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

  it("are none in foreign words that look like English ones of the lexicon", () => {
    assert.deepStrictEqual(about("The batteries of Acme die quickly.", "Acme"), negative("die quickly"))
    for (const text of ["Acme ist fast nie erreichbar.", "Acme n'est pas mal du tout.", "Acme ist hell."]) {
      assert.deepStrictEqual(about(text, "Acme"), neutral(), text)
    }
  })

  it('include "too" with an adjective, what falls short, and the brand that is chosen instead', () => {
    assert.deepStrictEqual(about("Acme is too heavy for travel.", "Acme"), negative("too heavy"))
    assert.deepStrictEqual(about("Acme isn't too heavy.", "Acme"), positive("isn't too heavy"))
    assert.deepStrictEqual(about("Acme falls short on durability.", "Acme"), negative("falls short"))
    assert.strictEqual(about("Acme could be better.", "Acme").sentiment, "negative")
    assert.strictEqual(about("Skip Bolt and get Acme instead.", "Acme").sentiment, "positive")
    assert.strictEqual(about("Skip Bolt and get Acme instead.", "Bolt").sentiment, "negative")
  })

  it("include what others say of the brand, unless it is said to be false", () => {
    assert.deepStrictEqual(about("Some say Acme is a scam, others love it.", "Acme"), neutral("scam", "love"))
    assert.strictEqual(about("Claims that Acme is a scam are false.", "Acme").sentiment, "positive")
  })

  it("are inverted by words for rarity", () => {
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

  it("do not include faults that the brand handles, and are inverted where it removes them", () => {
    assert.deepStrictEqual(about("Acme handles complex problems.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme helps you deal with difficult customers.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme cleans up messy data.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme gets rid of tedious paperwork.", "Acme"), positive("rid of tedious"))
    assert.deepStrictEqual(about("Acme protects you from bad actors.", "Acme"), positive("from bad"))
    assert.deepStrictEqual(about("Acme protects bad actors.", "Acme"), negative("bad"))
    assert.deepStrictEqual(about("Acme is for people who suffer from back pain.", "Acme"), neutral())
  })

  it("do not include praise that is missing, wished for or only claimed", () => {
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

  it('a negation ends before another verb, and "less" and "too" count as negations', () => {
    assert.deepStrictEqual(about("Acme isn't cheap and is slow.", "Acme"), negative("isn't cheap", "slow"))
    assert.deepStrictEqual(about("Nothing is less reliable than Acme.", "Acme"), negative("reliable than"))
    assert.deepStrictEqual(about("Acme does not crash or have fewer bugs.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(about("Acme is too cheap to be good.", "Acme"), neutral("cheap", "to be good"))
    assert.deepStrictEqual(about("Acme is nowhere near as slow as Bolt.", "Acme").sentiment, "positive")
    assert.deepStrictEqual(about("Acme has yet to disappoint.", "Acme").sentiment, "positive")
  })

  it("compare a thing that is like another but better or worse with that other", () => {
    const text = "Zephyr is like Bolt but cheaper."
    assert.deepStrictEqual(about(text, "Zephyr"), positive("cheaper"))
    assert.deepStrictEqual(about(text, "Bolt"), negative("like … cheaper"))
    assert.deepStrictEqual(about("Users like Bolt but find it slower.", "Bolt"), negative("slower"))
    assert.deepStrictEqual(about("Bolt's rivals are better.", "Bolt"), neutral())
    assert.strictEqual(about("Zephyr is similar to Bolt but cheaper.", "Bolt").sentiment, "negative")
    assert.deepStrictEqual(about("Bolt is fast while its rivals are slow.", "Bolt"), positive("fast"))
    assert.strictEqual(about("You'd be hard pressed to find bugs in Bolt.", "Bolt").sentiment, "positive")
  })

  it("are found past marks that belong to the brand's name", () => {
    assert.deepStrictEqual(about("Dr. Martens is excellent.", "Dr. Martens"), positive("excellent"))
    assert.deepStrictEqual(about("Yahoo! is terrible.", "Yahoo"), negative("terrible"))
  })

  it("are never the words of a name", () => {
    assert.deepStrictEqual(about("Brave is a browser.", "Brave"), neutral())
    assert.deepStrictEqual(about("Acme works with Best Buy and Wonderful Pistachios.", "Acme"), neutral())
  })
})

describe("only what is said of the brand counts", () => {
  it("do not include advice to choose another brand", () => {
    assert.deepStrictEqual(about("Go with Wise, skip Acme.", "Acme"), negative("skip"))
    assert.deepStrictEqual(about("If fees matter, opt for the Wise card and skip Acme.", "Acme"), negative("skip"))
    assert.deepStrictEqual(about("Go with Acme, skip Wise.", "Acme"), positive("go with"))
    assert.deepStrictEqual(about("Beginners should start with Acme.", "Acme"), positive("start with"))
  })

  it("do not include words that only say how much", () => {
    const text = "1. **Acme S**\n   * Insane acceleration\n   * Legendary sound\n\n2. **Wise**\n   * Slow"
    assert.deepStrictEqual(about(text, "Acme"), positive("legendary"))
  })

  it("each of two clauses has its own cues", () => {
    const text = "Acme is cheap but Bolt is buggy."
    assert.deepStrictEqual(about(text, "Acme"), positive("cheap"))
    assert.deepStrictEqual(about(text, "Bolt"), negative("buggy"))
  })

  it("a sentence that continues with a pronoun is about the brand, and one about others is not", () => {
    assert.deepStrictEqual(about("Acme is a bank. It is slow.", "Acme"), negative("slow"))
    assert.deepStrictEqual(about("Acme is a bank. Rivals are slow.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme is a bank. The market is slow.", "Acme"), neutral())
  })

  it("an item includes what stands below it, up to the next item", () => {
    const text = "### 1. Acme\n\n* **Panel:** sharp\n\nGreat for work.\n\n### 2. Bolt\n\n* **Panel:** dim"
    assert.deepStrictEqual(about(text, "Acme"), positive("sharp", "great"))
    assert.deepStrictEqual(about(text, "Bolt"), negative("dim"))
  })

  it("a title that compares heads text about either brand, and an item that compares is about its own brand", () => {
    const said = "Acme is reliable and easy to use.\n\nBolt is slow.\n\nSupport is terrible."
    for (const title of ["## Acme vs. Bolt", "**Bolt versus Acme**", "### 1. Acme VS Bolt"]) {
      assert.deepStrictEqual(about(`${title}\n\n${said}`, "Acme"), positive("reliable", "easy to"), title)
      assert.deepStrictEqual(about(`${title}\n\n${said}`, "Bolt"), negative("slow"), title)
    }
    assert.deepStrictEqual(about("## Acme\n\nSupport is terrible.", "Acme"), negative("terrible"))
    assert.deepStrictEqual(about("- Acme – small vs. Bolt\n  - clunky", "Acme"), negative("clunky"))
  })

  it("a row includes its cells, and a column the cells below it", () => {
    const rows = "| Tool | Notes |\n|---|---|\n| Acme | Easy to use |\n| Bolt | Clunky |"
    assert.deepStrictEqual(about(rows, "Bolt"), negative("clunky"))
    const columns = "| | Acme | Bolt |\n|---|---|---|\n| Speed | slow | fast |\n| App | clunky | intuitive |"
    assert.deepStrictEqual(about(columns, "Acme"), negative("slow", "clunky"))
    assert.deepStrictEqual(about(columns, "Bolt"), positive("fast", "intuitive"))
  })
})

describe("pros and cons", () => {
  it("take the sentiment of their heading, whatever their words say", () => {
    const text = "**Acme**\n\nPros:\n- Cheap\n\nCons:\n- No headphone jack\n- One colour"
    assert.deepStrictEqual(about(text, "Acme"), negative("cheap", "cons", "cons"))
  })

  it("count one by one inside a line or a cell", () => {
    assert.deepStrictEqual(about("Cons of Acme: poor sound, one colour.", "Acme"), negative("poor", "cons"))
    const table = "| Tool | Pros | Cons |\n|---|---|---|\n| Acme | Light, cheap | One colour |"
    assert.deepStrictEqual(about(table, "Acme"), positive("light", "cheap", "cons"))
  })

  it("an answer that finds none gives none", () => {
    assert.deepStrictEqual(about("**Acme**\nPros: light\nCons: none that we found", "Acme"), positive("light"))
  })
})

describe("a hypothetical statement", () => {
  it("is no praise, but may be blame", () => {
    assert.deepStrictEqual(about("Acme may be a good fit.", "Acme"), neutral())
    assert.deepStrictEqual(about("Acme may irritate the skin.", "Acme"), negative("irritate"))
    assert.deepStrictEqual(about("If slow delivery is no bar to you, look at Acme.", "Acme"), neutral())
  })
})

it("a mention inside a longer word is read with the whole word", () => {
  assert.deepStrictEqual(sentimentOf("The HPProBook is reliable.", [4, 6]), positive("reliable"))
})
