/**
 * The brands of running text: beside a few names in bold, in a chain that ranks, with an ampersand or a possessive inside, and after a
 * place.
 *
 * Planted and seen red:
 * - two names in bold are taken for all that an answer names; names of prose are read beside a list in bold; the names that the text
 *   goes on to are not read
 * - the names of a chain are left out, not put in its order, counted from the wrong end, or read beyond its sentence
 * - commas below a numbered list, or after "order from", and a chain of steps are taken for a chain of names
 * - both halves of a name with an ampersand, well known or not, are taken for names, or two known brands for one
 * - a possessive is kept in the name, or is dropped where it belongs to the name
 * - a place that opens a sentence is taken for a name, or any first name of a series for a place
 * - a brand that is an ordinary word is not read where its longer name recurs, or is read only where it is, has or sells something
 * - what something uses, where something is, and an owner, with the names listed beside them, are taken for what the text is about, or
 *   are ignored even where it names nothing else
 * - a dictionary word is never taken for a name whatever it does, or a pronoun is taken for one
 * - a numbered reason is taken for a place; a place before a comma, or one that somebody assigns, is not read
 * - a product beside its maker, or a model after it, is taken for a brand of its own
 * - testers and regulators, by their whole name or its first word, and brands that are everywhere are taken for brands, or are ignored
 *   in a series
 * - an aside, a location, "third" before a name, a hyphen between capitals, and a first letter that is lower case or beyond ASCII are
 *   overlooked
 * - the words that open a sentence are taken for part of a name
 * - parts, owners, former names and "the same group" are taken for what the text is about
 * - a bold title is taken for a name in a list, or where nothing says what it does, or is not taken for one because of its small words
 * - the brand that the first sentence moves away from is put first
 * - a compound that describes, a people, a month, or a product named with its maker is taken for a brand; a name is dropped beside the place
 *   that it comes from
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })
/** Makes a text long enough to be detected as English. */
const english = " You get what you pay for, and the prices are the same with all of them that you see in this list."

/** The brands of a text with the rank of each when it is asked for. */
const ranked = (text: string): ReadonlyArray<readonly [name: string, rank: number | null]> =>
  said(text).map((brand) => [brand, findBrand({ text, brandEntities: [] }, brand).rank] as const)

/** Brands with the ranks that follow from their order. */
const inOrder = (...names: ReadonlyArray<string>) => names.map((name, place) => [name, place + 1] as const)

describe("names in bold within prose", () => {
  const opening =
    "The strongest shoes right now come from **Zorvane** and **Quellix**, with good alternatives behind them.\n\n"

  it("do not hide the names that most of the text is about", () => {
    assert.deepStrictEqual(
      ranked(
        `${opening}Nike is the safe choice for beginners. Owners rate Nike highly. For long runs, Plutivo is hard to beat: Plutivo is light. ` +
          "Reviewers praise Marnwick’s grip. Marnwick costs more than most, and Adidas less than Corvane. Corvane keeps coming up in tests."
      ),
      inOrder("Zorvane", "Quellix", "Nike", "Plutivo", "Marnwick", "Adidas", "Corvane")
    )
  })

  it("do not hide two or more names that the text goes on to", () => {
    assert.deepStrictEqual(
      ranked(
        "Start with **Zorvane**. **Quellix** is cheaper, and **Plutivo** is light.\n\nMarnwick charges more. Corvane sells in shops, and Corvane is old."
      ),
      inOrder("Zorvane", "Quellix", "Plutivo", "Marnwick", "Corvane")
    )
  })

  it("are the only names where most of the names are in bold", () => {
    assert.deepStrictEqual(
      said(
        `${opening}**Plutivo** is light, and lighter than what Vibram makes: its soles are by Vibram. **Marnwick** has Boa laces; Boa is what holds.`
      ),
      ["Zorvane", "Quellix", "Plutivo", "Marnwick"]
    )
  })
})

describe("a chain that ranks", () => {
  it("names brands and puts them in its order, even where the text has another order or does not mention them", () => {
    assert.deepStrictEqual(
      ranked(
        "The best come from **Sony** and **Bose**.\n\nMy ranking: Corvane Lite > Sony > Bang & Olufsen > Zorvane > Bose.\n\nZorvane is cheap."
      ),
      inOrder("Corvane", "Sony", "Bang & Olufsen", "Zorvane", "Bose")
    )
    assert.deepStrictEqual(
      ranked("My ranking: Zorvane, Quellix, Plutivo and Marnwick. Marnwick is cheap, and Plutivo too."),
      inOrder("Zorvane", "Quellix", "Plutivo", "Marnwick")
    )
  })

  it("ends with its sentence", () => {
    const after = " That last place is about the price only, and may well be another one by next year."
    assert.deepStrictEqual(
      ranked(`By taste alone: **Plutivo > Zorvane > Quellix**.${after}`),
      inOrder("Plutivo", "Zorvane", "Quellix")
    )
    assert.deepStrictEqual(
      ranked(`In order: Plutivo, Quellix, then Zorvane.${after}`),
      inOrder("Plutivo", "Quellix", "Zorvane")
    )
  })

  it("is counted from its end where it runs from worst to best", () => {
    assert.deepStrictEqual(
      ranked("From worst to best: Zorvane > Quellix > Plutivo."),
      inOrder("Plutivo", "Quellix", "Zorvane")
    )
  })

  it("puts the brands that it does not name after its own", () => {
    assert.deepStrictEqual(
      ranked("Nike is a classic.\n\nMy ranking: Zorvane > Quellix > Plutivo."),
      inOrder("Zorvane", "Quellix", "Plutivo", "Nike")
    )
  })

  it('is not read from commas below a numbered list, nor from "order from"', () => {
    const list = "1. **Zorvane** – light.\n2. **Quellix** – cheap.\n3. **Plutivo** – dear.\n\n"
    assert.deepStrictEqual(
      ranked(`${list}In shops they are stocked in the order: Nike, Adidas and Puma.`),
      inOrder("Zorvane", "Quellix", "Plutivo")
    )
    assert.deepStrictEqual(ranked(`${list}My ranking: Plutivo > Nike > Zorvane > Quellix.`).slice(0, 2), [
      ["Plutivo", 1],
      ["Nike", 2]
    ])
    assert.deepStrictEqual(said("Zorvane is light; Zorvane it is. Order from: Walmart, Target."), [
      "Zorvane",
      "Walmart",
      "Target"
    ])
  })

  it("is not read from steps or needs", () => {
    assert.deepStrictEqual(said("Open Settings > Network > Proxy > Reset. Zorvane needs it, as Zorvane is old."), [
      "Zorvane"
    ])
    assert.deepStrictEqual(said("My order of needs: Grip > weight > Looks > price. Zorvane has all; Zorvane is it."), [
      "Zorvane"
    ])
  })
})

describe("a name in running text", () => {
  it("may contain an ampersand", () => {
    assert.deepStrictEqual(
      ranked("Bose is quick. Bang & Olufsen is hard to beat. Reviewers praise Bang & Olufsen’s sound, and Sony’s."),
      inOrder("Bose", "Bang & Olufsen", "Sony")
    )
  })

  it("may contain an ampersand even where it is not well known", () => {
    assert.deepStrictEqual(
      ranked(`Zorvane is cheap. Fiddle & Bow is dear. Owners praise Fiddle & Bow. Quellix makes more.${english}`),
      inOrder("Zorvane", "Fiddle & Bow", "Quellix")
    )
    assert.deepStrictEqual(said("Apple & Samsung lead. Most people have Apple & Samsung."), ["Apple", "Samsung"])
  })

  it("keeps a possessive that belongs to it", () => {
    assert.deepStrictEqual(
      said(`Tony's Chocolonely is thick. Bakers like Tony's Chocolonely. Zorvane sells more.${english}`),
      ["Tony's Chocolonely", "Zorvane"]
    )
  })

  it("is no brand where something uses it, is sold or done there, or is made by it", () => {
    assert.deepStrictEqual(
      ranked(
        `Zorvane supports Strava and sells on Amazon. Quellix, owned by Nike, connects through Apple or Google. Plutivo is tested by Samsung. Sony is dear.${english}`
      ),
      inOrder("Zorvane", "Quellix", "Plutivo", "Sony")
    )
  })

  it("is a brand all the same where the text names nothing else", () => {
    assert.deepStrictEqual(said("You find it at Walmart, Target and Costco."), ["Walmart", "Target", "Costco"])
  })

  it("may be one dictionary word where it does what only a company or a product does, or is advised", () => {
    assert.deepStrictEqual(
      said(
        `Zorvane is cheap. Root prices by the mile. Rhythm is my tip for tenants. Others choose Lodge. Quellix offers more.${english}`
      ),
      ["Zorvane", "Root", "Rhythm", "Lodge", "Quellix"]
    )
    assert.deepStrictEqual(
      said(`Zorvane is cheap. Delivery is free. Nothing makes it better. I choose it. Quellix offers more.${english}`),
      ["Zorvane", "Quellix"]
    )
  })

  it("drops the possessive before what it owns", () => {
    assert.deepStrictEqual(
      ranked("Reviewers praise Maison Zimé’s warranty. Owners rate Maison Zimé highly. Nike is cheaper."),
      inOrder("Maison Zimé", "Nike")
    )
    assert.deepStrictEqual(said("McDonald's is cheap, and Zorvane's is not. Zorvane is near."), [
      "McDonald's",
      "Zorvane"
    ])
  })

  it("is no brand where it only says in which country or city others are", () => {
    for (const place of ["the UK", "Australia", "London", "the US"])
      assert.deepStrictEqual(
        ranked(`Among airlines in ${place}, Emirates is named first. If you care for meals, Emirates it is.`),
        inOrder("Emirates")
      )
    assert.deepStrictEqual(
      ranked(`In Calgary or Edmonton, Zorvane is best. Zorvane is cheap. Quellix offers more.${english}`),
      inOrder("Zorvane", "Quellix")
    )
    assert.deepStrictEqual(ranked("Many invest in Apple, Tesla and Nvidia."), inOrder("Apple", "Tesla", "Nvidia"))
    assert.deepStrictEqual(
      ranked("The best are Patchwork, Quellix and Zorvane. Zorvane is light."),
      inOrder("Patchwork", "Quellix", "Zorvane")
    )
  })

  it("is a brand that is also an ordinary word where its longer name recurs", () => {
    assert.deepStrictEqual(said("Google Pixel keeps coming up. Google Pixel costs more. Samsung is cheaper."), [
      "Google",
      "Samsung"
    ])
    assert.deepStrictEqual(said("Discover Zorvane today. Zorvane is light. Samsung is cheaper."), [
      "Zorvane",
      "Samsung"
    ])
  })

  it("is a brand that is also an ordinary word where its sentence goes on with what it does", () => {
    assert.deepStrictEqual(said("Emirates keeps coming up. Emirates costs more. Samsung is cheaper."), [
      "Emirates",
      "Samsung"
    ])
    assert.deepStrictEqual(said("Target your audience. Target small firms. Samsung is cheaper."), ["Samsung"])
  })

  it("is recognised for both of two airlines with the same first word", () => {
    assert.deepStrictEqual(
      ranked("Air Canada is quick, and cheaper than Air France or Delta Air Lines."),
      inOrder("Air Canada", "Air France", "Delta")
    )
  })
})

/** A text that describes three brands, and then something else. */
const beside = (more: string): string => `Zorvane is cheap. Quellix offers more. Plutivo costs less. ${more}${english}`
const three = ["Zorvane", "Quellix", "Plutivo"]

describe("a well-known product", () => {
  it("belongs to its maker where that is named too, and counts from the first of the two mentions", () => {
    const text = `The Galaxy is light. Zorvane costs less than the Galaxy. Samsung sells more. Quellix offers more.${english}`
    assert.deepStrictEqual(ranked(text), inOrder("Samsung", "Zorvane", "Quellix"))
    assert.strictEqual(findBrand({ text, brandEntities: [] }, "Galaxy").rank, 1)
  })

  it("has the place of its maker where it follows the maker", () => {
    const text = `Zorvane costs less. Sony has the PlayStation. Quellix offers more.${english}`
    assert.deepStrictEqual(ranked(text), inOrder("Zorvane", "Sony", "Quellix"))
    assert.strictEqual(findBrand({ text, brandEntities: [] }, "PlayStation").rank, 2)
  })

  it("stands for itself where its maker is not named", () => {
    assert.deepStrictEqual(
      ranked(`The Galaxy is light. Zorvane costs less than the Galaxy. Quellix offers more.${english}`),
      inOrder("Galaxy", "Zorvane", "Quellix")
    )
  })
})

describe("a bold title that nothing is said of", () => {
  it("is no name", () => {
    assert.deepStrictEqual(
      said(`Zorvane costs less. Quellix offers more, and Quellix lasts. **Good News** for all, then.${english}`),
      ["Zorvane", "Quellix"]
    )
  })
})

describe("the subject of a sentence", () => {
  it("may begin with a lower-case letter", () => {
    assert.deepStrictEqual(
      ranked(`Zorvane has courses. edX is at least as good. Quellix offers more.${english}`),
      inOrder("Zorvane", "edX", "Quellix")
    )
  })

  it("may begin beyond ASCII, with a lower-case letter too", () => {
    assert.deepStrictEqual(
      ranked(`Zorvane has courses. éTrova is at least as good. Quellix offers more.${english}`),
      inOrder("Zorvane", "éTrova", "Quellix")
    )
    assert.deepStrictEqual(
      said(`Teachers like Ørvane, and with Ørvane goes a book. Zorvane is for others: Zorvane is light.${english}`),
      ["Ørvane", "Zorvane"]
    )
  })

  it("may be followed by a location before its verb", () => {
    assert.deepStrictEqual(
      ranked(
        `Zorvane has tables. Quellix near the old Harbour Bridge turns out noodles. Plutivo offers more.${english}`
      ),
      inOrder("Zorvane", "Quellix", "Plutivo")
    )
  })
})

describe("a tester or a regulator", () => {
  it("is no brand beside two or more brands", () => {
    assert.deepStrictEqual(
      said(beside("Wirecutter likes Zorvane, and so does Consumer Reports. The FDA has cleared Quellix.")),
      three
    )
    assert.deepStrictEqual(said(beside("The Better Business Bureau has heard of all.")), three)
    assert.deepStrictEqual(said(beside("NHS Talking Therapies has a waiting list.")), three)
  })

  it("is a brand beside fewer", () => {
    assert.deepStrictEqual(said(`Zorvane is cheap. Consumer Reports rates Zorvane.${english}`), [
      "Zorvane",
      "Consumer Reports"
    ])
  })

  it("is a brand where it is ranked itself", () => {
    assert.deepStrictEqual(
      said(beside("My ranking of those who test: Wirecutter > Trustpilot > Altroconsumo.")).slice(0, 3),
      ["Wirecutter", "Trustpilot", "Altroconsumo"]
    )
  })
})

describe("a brand that is everywhere", () => {
  it("is left out where it is mentioned once beside two or more others", () => {
    assert.deepStrictEqual(said(beside("Most have PayPal.")), three)
    assert.deepStrictEqual(said(beside("The rest is Visa, Mastercard and PayPal.")), three)
  })

  it("is listed in a series with another brand, where it recurs, or where a sentence is about it", () => {
    assert.deepStrictEqual(said(beside("Some prefer Marnwick, Corvane and Stripe.")), [
      ...three,
      "Marnwick",
      "Corvane",
      "Stripe"
    ])
    assert.deepStrictEqual(said(beside("Some love Stripe. Yet few know Stripe.")), [...three, "Stripe"])
    assert.deepStrictEqual(said(beside("Stripe charges less.")), [...three, "Stripe"])
    assert.deepStrictEqual(
      said(beside("Then **Stripe** too.\n\nFor the rest: **Marnwick** it is.")).includes("Stripe"),
      true
    )
  })

  it("is listed beside fewer others", () => {
    assert.deepStrictEqual(said(`Some love Visa, others Mastercard.${english}`), ["Visa", "Mastercard"])
    assert.deepStrictEqual(said(`Some love Zorvane. Zorvane lasts, and takes Mastercard.${english}`), [
      "Zorvane",
      "Mastercard"
    ])
  })

  it("has a rank of its own all the same where it is the requested brand", () => {
    assert.strictEqual(findBrand({ text: beside("Most have PayPal."), brandEntities: [] }, "PayPal").rank, 4)
  })
})

describe("a model after its maker", () => {
  it("is no brand of its own in the same paragraph", () => {
    for (const model of ["The Corvane Bay 58", "The Corvane III", "Another 13"])
      assert.deepStrictEqual(said(beside(`${model} is dear.`)), three)
  })

  it("is a brand in another paragraph, or without a number", () => {
    assert.deepStrictEqual(said(beside("\n\nThe Corvane 58 is dear.")), [...three, "Corvane"])
    assert.deepStrictEqual(said(beside("The Corvane Bay is dear.")), [...three, "Corvane"])
  })
})

describe("a sentence about a name", () => {
  it("may continue after an aside or a location", () => {
    for (const about of [
      "Marnwick, the oldest of all, roasts",
      "Marnwick (the oldest) has",
      "Marnwick from New Orleans still sells",
      "Marnwick in Lisbon quietly built"
    ])
      assert.deepStrictEqual(said(beside(`${about} what you want.`)), [...three, "Marnwick"])
  })

  it("may be about one dictionary word where an aside says where it is from, or where both its halves have capitals", () => {
    assert.deepStrictEqual(said(beside("Lodge, out of Portland, roasts.")), [...three, "Lodge"])
    assert.deepStrictEqual(said(beside("Lodge, with all its charm, roasts.")), three)
    assert.deepStrictEqual(said(beside("Plus-Plus takes the opposite approach. Well-known takes less.")), [
      ...three,
      "Plus-Plus"
    ])
  })

  it("may have a word or an article before it", () => {
    assert.deepStrictEqual(said(beside("While Marnwick lasts, pay less. The Corvane Freedom is dear.")), [
      ...three,
      "Marnwick",
      "Corvane"
    ])
    assert.deepStrictEqual(said(beside("The Farmer's Dog sells food.")), [...three, "Farmer's Dog"])
  })

  it("may advise it", () => {
    for (const advice of ["You may be fond of Marnwick", "I would put Marnwick there"])
      assert.deepStrictEqual(said(beside(`${advice}.`)), [...three, "Marnwick"])
    const [first = "", ...others] = three
    assert.deepStrictEqual(said(beside("Second, Marnwick, for its price.")), [first, "Marnwick", ...others])
  })
})

describe("a title in bold", () => {
  it("is a name in prose where it is the subject of a verb", () => {
    assert.deepStrictEqual(
      said(
        `Zorvane is cheap. **Our Place** is good at what it promises. **Garden of Life** has more. **Second Summit** sells less. Quellix lasts.${english}`
      ).slice(0, 3),
      ["Our Place", "Garden of Life", "Second Summit"]
    )
  })

  it("is no name as a phrase, nor where nothing is said of it", () => {
    const names = said(
      beside("**What to do** is up to you. **Good Value** for all. **Price** is what counts, and **Good Value** too.")
    )
    assert.deepStrictEqual(names, three)
  })

  it("is no name beside a list", () => {
    assert.deepStrictEqual(
      said(
        "1. **Zorvane**: cheap.\n2. **Quellix**: light.\n3. **Plutivo**: dear.\n\n**Good Value** is what it offers."
      ),
      three
    )
  })
})

describe("the brand that the first sentence moves away from", () => {
  it("comes after the brands that the text goes on to", () => {
    for (const first of [
      "If Zorvane has started to feel heavy, read on.",
      "There are ways to branch out from Zorvane.",
      "So you are tired of Zorvane?",
      "Whoever is moving away from **Zorvane** has a choice."
    ])
      assert.deepStrictEqual(
        ranked(`${first} Quellix offers more. Plutivo costs less. Zorvane is light.${english}`),
        inOrder("Quellix", "Plutivo", "Zorvane")
      )
  })

  it("is recognised in the first sentence only, and not where the brand is praised", () => {
    for (const text of [
      "It is about shoes. If Zorvane has started to feel heavy, read on. Quellix offers more. Zorvane is light.",
      "Zorvane has started to feel light. Quellix offers more. Zorvane is light.",
      "Zorvane is light. People love to move from Quellix. Quellix offers more. Zorvane lasts."
    ])
      assert.deepStrictEqual(ranked(`${text}${english}`), inOrder("Zorvane", "Quellix"))
  })
})

describe("a name that is mentioned in passing", () => {
  for (const passing of [
    "Some have a sensor from Samsung.",
    "It has soles from Samsung, Sony and Adidas.",
    "The chips from Samsung and an Adidas are good.",
    "It has a Samsung processor.",
    "It has a Samsung V7 chip.",
    "It takes Apple Pay.",
    "It is now the same company as Samsung.",
    "It was bought long ago, and now belongs to Samsung.",
    "It is a subsidiary of Samsung.",
    "It was acquired by Samsung.",
    "It was formerly called Samsung.",
    "It used to be known as Samsung.",
    "It is sold in every Samsung.",
    "One was dear, though Samsung bought it."
  ])
    it(`is left out: ${passing}`, () => {
      assert.deepStrictEqual(said(beside(passing)), three)
    })

  it("is left out where a sentence is about its sub-brand or its rival", () => {
    assert.deepStrictEqual(said(beside("Samsung's sub-brand Marnwick is light. Marnwick lasts.")), [
      ...three,
      "Marnwick"
    ])
    assert.deepStrictEqual(said(beside("Samsung’s rival Adidas is light.")), [...three, "Adidas"])
  })

  it('is kept after "called" and after "comes from"', () => {
    assert.deepStrictEqual(said(beside("The best is called Samsung.")), [...three, "Samsung"])
    assert.deepStrictEqual(said(beside("A good one comes from Samsung.")), [...three, "Samsung"])
  })
})

describe("a place in prose", () => {
  it("is read before a name after a comma, and where somebody assigns it", () => {
    const text =
      "First place goes to Zorvane, which is light. Second, **Quellix**, mainly for its price. Third, Plutivo, the cheapest. In fifth place I would put Marnwick. " +
      "Number six remains the **Corvane**."
    assert.deepStrictEqual(
      ["Zorvane", "Quellix", "Plutivo", "Marnwick", "Corvane"].map(
        (brand) => findBrand({ text, brandEntities: [] }, brand).rank
      ),
      [1, 2, 3, 5, 6]
    )
  })

  it("is not read from numbered reasons", () => {
    const text = `Zorvane is best. First, Quellix is dear. Second, Quellix charges for all. Third, Quellix is old.${english}`
    assert.deepStrictEqual(ranked(text), inOrder("Zorvane", "Quellix"))
  })
})

describe("a word in capitals that is no brand", () => {
  const about = "Zorvane offers more grip. Quellix sells the lightest pair."

  it("describes by a hyphen", () => {
    for (const other of ["Pre-existing damage is excluded.", "It makes slim, Bauhaus-flavoured watches for all."])
      assert.deepStrictEqual(said(`${about} ${other}${english}`), ["Zorvane", "Quellix"], other)
  })

  it("tells of a people, not where it is part of a name", () => {
    assert.deepStrictEqual(said(`${about} Of late, Canadian regulators became strict.${english}`), [
      "Zorvane",
      "Quellix"
    ])
    assert.deepStrictEqual(said(`${about} Canadian Tire sells more.${english}`), [
      "Zorvane",
      "Quellix",
      "Canadian Tire"
    ])
  })

  it("is a month, unless a sentence is about it", () => {
    assert.deepStrictEqual(said(`${about} The price drops every August.${english}`), ["Zorvane", "Quellix"])
    assert.deepStrictEqual(said(`${about} August sells a lock.${english}`), ["Zorvane", "Quellix", "August"])
  })

  it("is a product named with its well-known maker, not a name with the place that it comes from", () => {
    for (const product of [
      "Start with the Targhex from Garmin.",
      "Get the Plutex shoe from Garmin.",
      "You could try Plutex by Garmin."
    ])
      assert.deepStrictEqual(said(`${product} ${about}${english}`), ["Garmin", "Zorvane", "Quellix"], product)
    assert.deepStrictEqual(said(`You could try Plutivo from Denmark. ${about}${english}`), [
      "Plutivo",
      "Zorvane",
      "Quellix"
    ])
  })
})
