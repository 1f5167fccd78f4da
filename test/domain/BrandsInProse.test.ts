/**
 * The brands of running text: beside a few in bold, in a chain that ranks, with an ampersand or an owner's s within, and behind a place.
 *
 * Planted and seen red: two names in bold taken for all that an answer names, or any names of its prose read beside a list in bold, or those
 * that it goes on to not; a chain's names left out, or not put in its order, or counted from the wrong end, or read beyond its sentence; commas
 * below a numbered list, or behind "order from", and a chain of steps taken for one of names; both halves of a name with an ampersand, known
 * or not, taken for names, or two known brands for one; an owner's s taken for a part of the name, or for none where it is; a place that a sentence
 * opens with taken for a name, or any first name of a series for a place; a brand that is an ordinary word not read where its longer name
 * comes again, or only where it is, has or sells something; what is used, where something is, or whose, and those counted up with it taken for
 * what the text is about, or for nothing where it names none else; a word of the dictionary taken for no name whatever it does, or a pronoun for
 * one; a reason that is counted taken for a place, and a place behind a comma, or that somebody gives, for none; a product told beside its maker,
 * or a model behind it; who tests or regulates, by its name or the first word of it, and what is everywhere taken for brands, or for none in a
 * series; what is said aside or where something stands, "third" before a name, a hyphen between capitals, and a first letter that is small or
 * beyond ASCII overlooked; the words that open a sentence taken for a name's; parts, owners, former names and the same group taken for what the
 * text is about; a title in bold taken for a name in a list, where nothing says what it does, or not with its small words; what the first
 * sentence leaves put first.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })
/** So that a text is long enough to be taken for English. */
const english = " You get what you pay for, and the prices are the same with all of them that you see in this list."

/** The brands of a text with the rank of each when it is asked for. */
const ranked = (text: string): ReadonlyArray<readonly [name: string, rank: number | null]> =>
  said(text).map((brand) => [brand, findBrand({ text, brandEntities: [] }, brand).rank] as const)

/** Brands with the ranks that they have by their order. */
const inOrder = (...names: ReadonlyArray<string>) => names.map((name, place) => [name, place + 1] as const)

describe("names in bold within prose", () => {
  const opening =
    "The strongest shoes right now come from **Zorvane** and **Quellix**, with good alternatives behind them.\n\n"

  it("do not hide those that most of the text is about", () => {
    assert.deepStrictEqual(
      ranked(
        `${opening}Nike is the safe choice for beginners. Owners rate Nike highly. For long runs, Plutivo is hard to beat: Plutivo is light. ` +
          "Reviewers praise Marnwick’s grip. Marnwick costs more than most, and Adidas less than Corvane. Corvane keeps coming up in tests."
      ),
      inOrder("Zorvane", "Quellix", "Nike", "Plutivo", "Marnwick", "Adidas", "Corvane")
    )
  })

  it("do not hide two or more that the text goes on to", () => {
    assert.deepStrictEqual(
      ranked(
        "Start with **Zorvane**. **Quellix** is cheaper, and **Plutivo** is light.\n\nMarnwick charges more. Corvane sells in shops, and Corvane is old."
      ),
      inOrder("Zorvane", "Quellix", "Plutivo", "Marnwick", "Corvane")
    )
  })

  it("are all that is named where most of what is named is in bold", () => {
    assert.deepStrictEqual(
      said(
        `${opening}**Plutivo** is light, and lighter than what Vibram makes: its soles are by Vibram. **Marnwick** has Boa laces; Boa is what holds.`
      ),
      ["Zorvane", "Quellix", "Plutivo", "Marnwick"]
    )
  })
})

describe("a chain that ranks", () => {
  it("names, and puts in their places, brands that the text tells of in another order or not at all", () => {
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

  it("leaves behind it what it does not name", () => {
    assert.deepStrictEqual(
      ranked("Nike is a classic.\n\nMy ranking: Zorvane > Quellix > Plutivo."),
      inOrder("Zorvane", "Quellix", "Plutivo", "Nike")
    )
  })

  it("is none of commas below a list that numbers, nor of whom to order from", () => {
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

  it("is none of steps, nor of needs", () => {
    assert.deepStrictEqual(said("Open Settings > Network > Proxy > Reset. Zorvane needs it, as Zorvane is old."), [
      "Zorvane"
    ])
    assert.deepStrictEqual(said("My order of needs: Grip > weight > Looks > price. Zorvane has all; Zorvane is it."), [
      "Zorvane"
    ])
  })
})

describe("a name in running text", () => {
  it("is one with an ampersand within", () => {
    assert.deepStrictEqual(
      ranked("Bose is quick. Bang & Olufsen is hard to beat. Reviewers praise Bang & Olufsen’s sound, and Sony’s."),
      inOrder("Bose", "Bang & Olufsen", "Sony")
    )
  })

  it("is one with an ampersand within, though the world does not know it", () => {
    assert.deepStrictEqual(
      ranked(`Zorvane is cheap. Fiddle & Bow is dear. Owners praise Fiddle & Bow. Quellix makes more.${english}`),
      inOrder("Zorvane", "Fiddle & Bow", "Quellix")
    )
    assert.deepStrictEqual(said("Apple & Samsung lead. Most people have Apple & Samsung."), ["Apple", "Samsung"])
  })

  it("keeps an owner's s that it has within", () => {
    assert.deepStrictEqual(
      said(`Tony's Chocolonely is thick. Bakers like Tony's Chocolonely. Zorvane sells more.${english}`),
      ["Tony's Chocolonely", "Zorvane"]
    )
  })

  it("is none where it is of what something uses, where it is bought or done, or by whom it is made", () => {
    assert.deepStrictEqual(
      ranked(
        `Zorvane supports Strava and sells on Amazon. Quellix, owned by Nike, connects through Apple or Google. Plutivo is tested by Samsung. Sony is dear.${english}`
      ),
      inOrder("Zorvane", "Quellix", "Plutivo", "Sony")
    )
  })

  it("is one all the same where the text names none else", () => {
    assert.deepStrictEqual(said("You find it at Walmart, Target and Costco."), ["Walmart", "Target", "Costco"])
  })

  it("is one word of a dictionary where somebody does what only somebody does, or is advised", () => {
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

  it("is none with the s of what it owns", () => {
    assert.deepStrictEqual(
      ranked("Reviewers praise Maison Zimé’s warranty. Owners rate Maison Zimé highly. Nike is cheaper."),
      inOrder("Maison Zimé", "Nike")
    )
    assert.deepStrictEqual(said("McDonald's is cheap, and Zorvane's is not. Zorvane is near."), [
      "McDonald's",
      "Zorvane"
    ])
  })

  it("is none where it says in which country or city others are", () => {
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

  it("is a brand that is an ordinary word too, where its longer name comes again", () => {
    assert.deepStrictEqual(said("Google Pixel keeps coming up. Google Pixel costs more. Samsung is cheaper."), [
      "Google",
      "Samsung"
    ])
    assert.deepStrictEqual(said("Discover Zorvane today. Zorvane is light. Samsung is cheaper."), [
      "Zorvane",
      "Samsung"
    ])
  })

  it("is a brand that is an ordinary word too, where its sentence goes on with what it does", () => {
    assert.deepStrictEqual(said("Emirates keeps coming up. Emirates costs more. Samsung is cheaper."), [
      "Emirates",
      "Samsung"
    ])
    assert.deepStrictEqual(said("Target your audience. Target small firms. Samsung is cheaper."), ["Samsung"])
  })

  it("is known of two airlines of one first word", () => {
    assert.deepStrictEqual(
      ranked("Air Canada is quick, and cheaper than Air France or Delta Air Lines."),
      inOrder("Air Canada", "Air France", "Delta")
    )
  })
})

/** What a text says of three brands, and then something else. */
const beside = (more: string): string => `Zorvane is cheap. Quellix offers more. Plutivo costs less. ${more}${english}`
const three = ["Zorvane", "Quellix", "Plutivo"]

describe("a product that all the world knows", () => {
  it("is its maker's where that is named too, from where either comes first", () => {
    const text = `The Galaxy is light. Zorvane costs less than the Galaxy. Samsung sells more. Quellix offers more.${english}`
    assert.deepStrictEqual(ranked(text), inOrder("Samsung", "Zorvane", "Quellix"))
    assert.strictEqual(findBrand({ text, brandEntities: [] }, "Galaxy").rank, 1)
  })

  it("has the place of its maker where it comes behind it", () => {
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

describe("a title in bold of which nothing is said", () => {
  it("names none", () => {
    assert.deepStrictEqual(
      said(`Zorvane costs less. Quellix offers more, and Quellix lasts. **Good News** for all, then.${english}`),
      ["Zorvane", "Quellix"]
    )
  })
})

describe("whom a sentence is about", () => {
  it("may begin in small letters", () => {
    assert.deepStrictEqual(
      ranked(`Zorvane has courses. edX is at least as good. Quellix offers more.${english}`),
      inOrder("Zorvane", "edX", "Quellix")
    )
  })

  it("may begin beyond ASCII, in small letters too", () => {
    assert.deepStrictEqual(
      ranked(`Zorvane has courses. éTrova is at least as good. Quellix offers more.${english}`),
      inOrder("Zorvane", "éTrova", "Quellix")
    )
    assert.deepStrictEqual(
      said(`Teachers like Ørvane, and with Ørvane goes a book. Zorvane is for others: Zorvane is light.${english}`),
      ["Ørvane", "Zorvane"]
    )
  })

  it("may be said to stand somewhere before what it does", () => {
    assert.deepStrictEqual(
      ranked(
        `Zorvane has tables. Quellix near the old Harbour Bridge turns out noodles. Plutivo offers more.${english}`
      ),
      inOrder("Zorvane", "Quellix", "Plutivo")
    )
  })
})

describe("who tests or regulates", () => {
  it("is none beside two brands or more", () => {
    assert.deepStrictEqual(
      said(beside("Wirecutter likes Zorvane, and so does Consumer Reports. The FDA has cleared Quellix.")),
      three
    )
    assert.deepStrictEqual(said(beside("The Better Business Bureau has heard of all.")), three)
    assert.deepStrictEqual(said(beside("NHS Talking Therapies has a waiting list.")), three)
  })

  it("is one beside fewer", () => {
    assert.deepStrictEqual(said(`Zorvane is cheap. Consumer Reports rates Zorvane.${english}`), [
      "Zorvane",
      "Consumer Reports"
    ])
  })

  it("is one where it is ranked itself", () => {
    assert.deepStrictEqual(
      said(beside("My ranking of those who test: Wirecutter > Trustpilot > Altroconsumo.")).slice(0, 3),
      ["Wirecutter", "Trustpilot", "Altroconsumo"]
    )
  })
})

describe("a brand that is everywhere", () => {
  it("is none where it stands once beside two or more", () => {
    assert.deepStrictEqual(said(beside("Most have PayPal.")), three)
    assert.deepStrictEqual(said(beside("The rest is Visa, Mastercard and PayPal.")), three)
  })

  it("is one in a series with another brand, where it recurs, or where it is told of", () => {
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

  it("is one beside fewer", () => {
    assert.deepStrictEqual(said(`Some love Visa, others Mastercard.${english}`), ["Visa", "Mastercard"])
    assert.deepStrictEqual(said(`Some love Zorvane. Zorvane lasts, and takes Mastercard.${english}`), [
      "Zorvane",
      "Mastercard"
    ])
  })

  it("has a rank of its own all the same where it is asked for", () => {
    assert.strictEqual(findBrand({ text: beside("Most have PayPal."), brandEntities: [] }, "PayPal").rank, 4)
  })
})

describe("a model behind its maker", () => {
  it("is none of its own in the same paragraph", () => {
    for (const model of ["The Corvane Bay 58", "The Corvane III", "Another 13"])
      assert.deepStrictEqual(said(beside(`${model} is dear.`)), three)
  })

  it("is one in another paragraph, or without a number", () => {
    assert.deepStrictEqual(said(beside("\n\nThe Corvane 58 is dear.")), [...three, "Corvane"])
    assert.deepStrictEqual(said(beside("The Corvane Bay is dear.")), [...three, "Corvane"])
  })
})

describe("a sentence about a name", () => {
  it("may tell of it behind an aside, or a place", () => {
    for (const about of [
      "Marnwick, the oldest of all, roasts",
      "Marnwick (the oldest) has",
      "Marnwick from New Orleans still sells",
      "Marnwick in Lisbon quietly built"
    ])
      assert.deepStrictEqual(said(beside(`${about} what you want.`)), [...three, "Marnwick"])
  })

  it("is about one word of the dictionary where an aside says whence it is, or both its halves have capitals", () => {
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

  it("advises it", () => {
    for (const advice of ["You may be fond of Marnwick", "I would put Marnwick there"])
      assert.deepStrictEqual(said(beside(`${advice}.`)), [...three, "Marnwick"])
    const [first = "", ...others] = three
    assert.deepStrictEqual(said(beside("Second, Marnwick, for its price.")), [first, "Marnwick", ...others])
  })
})

describe("a title in bold", () => {
  it("is a name in prose that says what it does", () => {
    assert.deepStrictEqual(
      said(
        `Zorvane is cheap. **Our Place** is good at what it promises. **Garden of Life** has more. **Second Summit** sells less. Quellix lasts.${english}`
      ).slice(0, 3),
      ["Our Place", "Garden of Life", "Second Summit"]
    )
  })

  it("is none as a phrase, nor where nothing is said of it", () => {
    const names = said(
      beside("**What to do** is up to you. **Good Value** for all. **Price** is what counts, and **Good Value** too.")
    )
    assert.deepStrictEqual(names, three)
  })

  it("is none in a list", () => {
    assert.deepStrictEqual(
      said(
        "1. **Zorvane**: cheap.\n2. **Quellix**: light.\n3. **Plutivo**: dear.\n\n**Good Value** is what it offers."
      ),
      three
    )
  })
})

describe("what the first sentence leaves behind", () => {
  it("comes behind what the text goes on to", () => {
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

  it("is nothing that another sentence leaves, or that does well", () => {
    for (const text of [
      "It is about shoes. If Zorvane has started to feel heavy, read on. Quellix offers more. Zorvane is light.",
      "Zorvane has started to feel light. Quellix offers more. Zorvane is light.",
      "Zorvane is light. People love to move from Quellix. Quellix offers more. Zorvane lasts."
    ])
      assert.deepStrictEqual(ranked(`${text}${english}`), inOrder("Zorvane", "Quellix"))
  })
})

describe("what is named in passing", () => {
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
    it(`is none: ${passing}`, () => {
      assert.deepStrictEqual(said(beside(passing)), three)
    })

  it("is whose sub-brand or rival a sentence is about", () => {
    assert.deepStrictEqual(said(beside("Samsung's sub-brand Marnwick is light. Marnwick lasts.")), [
      ...three,
      "Marnwick"
    ])
    assert.deepStrictEqual(said(beside("Samsung’s rival Adidas is light.")), [...three, "Adidas"])
  })

  it("is none of what something is called, or of what has parts", () => {
    assert.deepStrictEqual(said(beside("The best is called Samsung.")), [...three, "Samsung"])
    assert.deepStrictEqual(said(beside("A good one comes from Samsung.")), [...three, "Samsung"])
  })
})

describe("a place in prose", () => {
  it("is told before a name that a comma parts from it, and by whoever puts it there", () => {
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

  it("is none of a reason that is counted", () => {
    const text = `Zorvane is best. First, Quellix is dear. Second, Quellix charges for all. Third, Quellix is old.${english}`
    assert.deepStrictEqual(ranked(text), inOrder("Zorvane", "Quellix"))
  })
})
