/**
 * How a brand may be spelt: what the detector takes for the same name, and what it does not.
 *
 * Planted faults, each seen red here:
 * - marks of Markdown and HTML, those of accents and of no width among them, are read as they stand
 * - no-break spaces and hyphens are kept
 * - half-width voicing marks are left apart
 * - a Latin name is taken for a part of the Hangul or Arabic word around it
 * - a line break, of one character or two, ends every name
 * - the first letter is never joined to the rest
 * - a possessive inside a name is taken for a misspelling
 * - at most two legal forms are stripped, or they are stripped down to an adjective
 * - a domain and an article are read as they stand
 * - a known brand is found inside another that contains it
 * - amounts are not told from names
 * - a name is put together from lower-case ordinary words
 * - signs are taken for letters of the name beside them in texts beyond ASCII
 * - the halves of composed vowels are left apart
 * - an ordinary word is a brand wherever it has a capital, or nowhere
 * - sums without a currency sign are taken for names
 * - dots, hyphens and apostrophes are kept in short names
 * - "B&H Photo" and Chick-fil-A are not matched to their other spellings
 * - a contraction, or any joined words, are taken for a name
 * - the common part of all spellings is taken to begin as early as in the shortest
 * - the spelling that is tried first wins over the one that stands first
 * - positions are lost where a text has many references
 * - a reference with one digit too many is read
 * - "in Canada" is taken for Air Canada, or no small word may belong to a name
 * - "™", "²" and "①" written as references are read as letters
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { fold } from "@sightline/domain/text/Fold"

const inText = (text: string, brand: string) => findBrand({ text, brandEntities: [] }, brand)

/** How the answer writes the brand, or undefined where it does not name it. */
const writtenAs = (text: string, brand: string): string | undefined => {
  const { span, tier } = inText(text, brand)
  return span === null || tier !== "word" ? undefined : text.slice(...span)
}

describe("a name is the word itself", () => {
  it("where Markdown escapes its signs or HTML writes them as references", () => {
    const variants = [
      ["uses AT\\&T and others", "AT&T", "AT\\&T"],
      ["**E\\*TRADE** is solid", "E*TRADE", "E\\*TRADE"],
      ["try AT&amp;T here", "AT&T", "AT&amp;T"],
      ["Ben &amp; Jerry&#39;s, cold", "Ben & Jerry's", "Ben &amp; Jerry&#39;s"],
      ["Blue&#x20;Heron sells it", "Blue Heron", "Blue&#x20;Heron"],
      ["L&rsquo;Or&#xE9;al sells it", "L'Oréal", "L&rsquo;Or&#xE9;al"],
      ["H&auml;agen, Nestl&eacute; and &Oslash;rsted", "Nestlé", "Nestl&eacute;"],
      ["H&auml;agen, Nestl&eacute; and &Oslash;rsted", "Ørsted", "&Oslash;rsted"],
      ["NESTL&EACUTE; and Nestl&#000233;", "Nestlé", "NESTL&EACUTE;"],
      ["Nestl&#0000233; and Nestl&#0233;", "Nestlé", "Nestl&#0233;"],
      ["Nestl&#x0000E9; and Nestl&#X000E9;", "Nestlé", "Nestl&#X000E9;"],
      ["Gyudon at 𠮷野家 &amp; more", "𠮷野家", "𠮷野家"],
      ["Vel&#8203;mora and Quil&shy;lon", "Velmora", "Vel&#8203;mora"],
      ["Vel&#8203;mora and Quil&shy;lon", "Quillon", "Quil&shy;lon"],
      ["Velmora&#8482; is good", "Velmora", "Velmora"],
      ["Velmora&#xB2; is good", "Velmora", "Velmora"],
      ["&#9312;Velmora is good", "Velmora", "Velmora"],
      ["Tinsel & Rowe at \\$5", "Tinsel & Rowe", "Tinsel & Rowe"]
    ] as const
    for (const [text, brand, written] of variants) assert.strictEqual(writtenAs(text, brand), written, text)
    assert.isFalse(inText("R&D;AT&T; costs \\$T", "T&D").mentioned)
  })

  it("whichever of its characters is a numeric reference: fold(sign) = fold(reference)", () => {
    const surrogates = [0xd800, 0xdfff] as const
    const differing: Array<string> = []
    for (let unit = 0x30; unit <= 0xffff; unit++) {
      const sign = String.fromCharCode(unit)
      if (sign === "\\" || (unit >= surrogates[0] && unit <= surrogates[1])) continue
      if (fold(`a${sign}b &amp;`).text !== fold(`a&#${unit};b &amp;`).text) differing.push(sign)
    }
    assert.deepStrictEqual(differing, [])
  })

  it("at its own position, however many references come before it", () => {
    for (const count of [1, 31, 32, 33, 64, 1000])
      assert.strictEqual(writtenAs(`${"a &amp; b ".repeat(count)}AT&amp;T, ok`, "AT&T"), "AT&amp;T", String(count))
  })

  it("whatever sign stands beside it, in English and in other texts", () => {
    for (const other of ["", ", café"])
      for (const text of ["LG™ is good", "LG¹ is good", "LG² is good", "LG℠ is good", "②LG is good", "LGⓘ is good"])
        assert.strictEqual(inText(text + other, "LG").tier, "word", text + other)
    for (const text of ["O₂ is good", "O₂ ist gut für alle"]) assert.strictEqual(inText(text, "O2").tier, "word", text)
  })

  it("in composed and decomposed form", () => {
    for (const name of ["কোকা", "கோகோ", "ကဦ", "ऩमक", "Ｚóë", "ガス", "한글"])
      assert.strictEqual(inText(`Try ${name.normalize("NFD")} now`, name).tier, "word", name)
  })

  it("whatever kind of space or hyphen joins it", () => {
    const variants = [
      ["Marks\u00a0and\u00a0Spencer opened", "Marks & Spencer"],
      ["Disney\u202fPlus streams it", "Disney+"],
      ["J\u2009Crew opened", "J Crew"],
      ["A\u2011B Foods opened", "A-B Foods"],
      ["T\u2010Mo opened", "T-Mo"],
      ["T\u2212Mo opened", "T-Mo"],
      ["An é, and T\u2011Mo opened", "T-Mo"],
      ["T-Mo opened", "T\u2011Mo"],
      ["לטוס עם אל\u05beעל", "אל על"]
    ] as const
    for (const [text, brand] of variants) assert.strictEqual(inText(text, brand).tier, "word", text)
  })

  it("whichever of its spellings comes first, and however late their common part begins in a spelling", () => {
    const variants = [
      ["Zed lives for the Home Depot, and Home Depot for it", "The Home Depot", "the Home Depot"],
      ["Zed lives for Home Depot, and The Home Depot for it", "The Home Depot", "Home Depot"],
      ["QuorvaneLabs, also Quorvane Labs", "Quorvane Labs", "QuorvaneLabs"],
      ["Quorvane Labs, also QuorvaneLabs", "Quorvane Labs", "Quorvane Labs"]
    ] as const
    for (const [text, brand, written] of variants) assert.strictEqual(writtenAs(text, brand), written, text)
  })

  it("in half-width kana", () => {
    assert.strictEqual(writtenAs("ﾊﾟﾅｿﾆｯｸの扇風機", "パナソニック"), "ﾊﾟﾅｿﾆｯｸ")
    assert.strictEqual(writtenAs("パナソニックの扇風機", "ﾊﾟﾅｿﾆｯｸ"), "パナソニック")
  })

  it("where a particle in another script is attached to it", () => {
    const variants = [
      ["냉장고는 LG가 최고입니다.", "LG"],
      ["냉장고는LG가 최고입니다.", "LG"],
      ["통신사는 SK텔레콤입니다.", "SK"],
      ["العلامات: Nike وAdidas", "Adidas"],
      ["Купил у Samsungа", "Samsung"]
    ] as const
    for (const [text, brand] of variants) assert.strictEqual(writtenAs(text, brand), brand, text)
    assert.isFalse(inText("ALG2가 있습니다.", "LG").mentioned)
  })

  it("across a line break inside it, but not across list items", () => {
    assert.strictEqual(writtenAs("You might try Bank of\nAmerica for the app.", "Bank of America"), "Bank of\nAmerica")
    assert.strictEqual(writtenAs("The Rolls-\nRoyce of vacuum cleaners.", "Rolls-Royce"), "Rolls-\nRoyce")
    assert.strictEqual(writtenAs("You might try Bank of\r\nAmerica.", "Bank of America"), "Bank of\r\nAmerica")
    for (const text of [
      "- Blue\n- Heron",
      "1. Blue\n2. Heron",
      "Blue\n\nHeron",
      "Blue\r\n\r\nHeron",
      "# Blue\n# Heron"
    ])
      assert.isFalse(inText(text, "Blue Heron").mentioned, text)
    assert.isFalse(inText("Hub\ngrove", "HubGrove").mentioned)
    assert.isFalse(inText("Velm\norrb", "Velmora").mentioned)
  })

  it("where a sign or a possessive splits it, and where it is omitted", () => {
    const variants = [
      ["Rent a U-Haul today", "Uhaul"],
      ["J.Crew is open", "JCrew"],
      ["E*TRADE is open", "Etrade"],
      ["J. P. Morgan lends", "JP Morgan"],
      ["WD-40 loosens it", "WD40"],
      ["C3.ai sells it", "C3 AI"],
      ["Ben & Jerry’s is cold", "Ben and Jerrys"],
      ["Samsung's Galaxy is new", "Samsung Galaxy"],
      ["DARE teaches it", "D.A.R.E."],
      ["e.l.f. sells it", "elf"],
      ["7-Up is clear", "7UP"],
      ["M&M’s are sweet", "M&Ms"],
      ["Lay's are crisps", "Lays"],
      ["B&H Photo is open", "B and H Photo"],
      ["Eat at Chick-fil-A", "Chickfila"],
      ["Try Zorb-vex-A", "Zorbvexa"],
      ["Bank-of-America lends", "bankofamerica"],
      ["Eat some Jell-O", "Jello"],
      ["Ask T Mobile first", "TMobile"],
      ["Shop at J. Crew", "JCrew"],
      ["Black and Decker drills", "BLACK+DECKER"],
      ["BLACK+DECKER drills", "Black and Decker"],
      ["DisneyPlus streams it", "Disney+"],
      ["Disney+ streams it", "DisneyPlus"],
      ["Power from EON", "E.ON"],
      ["Power from E.ON", "EON"],
      ["Mrs. Meyer's soap", "Mrs Meyers"],
      ["Yum! Brands grew", "Yum Brands"],
      ["Warner Bros. Discovery grew", "Warner Bros Discovery"]
    ] as const
    for (const [text, brand] of variants) assert.strictEqual(inText(text, brand).tier, "word", text)
    for (const text of ["How dare they", "Dare to try"]) assert.isFalse(inText(text, "D.A.R.E.").mentioned, text)
    const others = [
      ["It's fine.", "Its"],
      ["Let's go.", "Lets"],
      ["She'll go. SHE'LL GO.", "Shell"],
      ["An up-to-date list", "Uptodate"],
      ["One+ year of use", "OnePlus"],
      ["An eon ago", "E.ON"],
      ["Wow! Heron is new", "Zow Heron"],
      ["By bus. Discovery grew", "Bus Discovery"],
      ["A Mobile home", "Amobile"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
  })

  it("without its possessive apostrophe or s, where it stands alone as a name", () => {
    const variants = [
      ["Pringles, Lays and Doritos", "Lay's", "Lays"],
      ["Dogs like Hills food", "Hill's", "Hills"],
      ["Cereals from Kellogg are sweet", "Kellogg's", "Kellogg"],
      ["Kellogg Company makes it", "Kellogg's", "Kellogg"],
      ["Eat at Arby today", "Arby's", "Arby"]
    ] as const
    for (const [text, brand, written] of variants) assert.strictEqual(writtenAs(text, brand), written, text)
    const others = [
      ["A hen lays eggs.", "Lay's"],
      ["Lays the table.", "Lay's"],
      ["In Beverly Hills", "Hill's"],
      ["The Kellogg School", "Kellogg's"],
      ["Said Jack Welch", "Welch's"],
      ["In Culver City", "Culver's"],
      ["Claire likes it", "Claire's"]
    ] as const
    for (const [text, brand] of others) assert.notStrictEqual(inText(text, brand).tier, "word", text)
  })

  it("without its legal form, however long that is", () => {
    const variants = [
      ["Velmora sells it", "Velmora GmbH & Co. KG"],
      ["Velmora sells it", "Velmora S.A.B. de C.V."],
      ["Velmora sells it", "Velmora Sp. z o.o."],
      ["Velmora sells it", "Velmora Sdn. Bhd."],
      ["Velmora sells it", "Velmora Private Limited"],
      ["카카오가 만들었다", "(주)카카오"],
      ["카카오가 만들었다", "카카오 주식회사"],
      ["Яндекс продаёт", "ООО «Яндекс»"],
      ["Blue Heron sells it", "The Blue Heron Company"]
    ] as const
    for (const [text, brand] of variants) assert.isTrue(inText(text, brand).mentioned, brand)
    assert.isFalse(inText("It is the boring machine.", "The Boring Company").mentioned)
    assert.isTrue(inText("Dig with The Boring Company.", "The Boring Company").mentioned)
  })

  it("without its article, where it is written as a name", () => {
    assert.strictEqual(writtenAs("Buy it at Home Depot.", "The Home Depot"), "Home Depot")
    assert.isFalse(inText("Ask any body shop.", "The Body Shop").mentioned)
    assert.isFalse(inText("That is ordinary.", "The Ordinary").mentioned)
  })

  it("without its domain, unless that leaves an ordinary word", () => {
    for (const brand of ["zillow.com", "www.zillow.com", "https://www.zillow.com/"]) {
      assert.strictEqual(writtenAs("Look at Zillow first.", brand), "Zillow", brand)
      assert.strictEqual(writtenAs("Look at zillow.com first.", brand), "zillow.com", brand)
    }
    assert.isFalse(inText("Make a booking early.", "Booking.com").mentioned)
    assert.isFalse(inText("The meeting is on Monday.", "monday.com").mentioned)
  })

  it("without its domain, where a known brand that is also an ordinary word is written as a name", () => {
    const names = [
      ["You can buy it on Amazon.", "Amazon.com"],
      ["Amazon is the largest.", "https://www.amazon.com/"],
      ["1. **Target** – cheap\n2. **Walmart** – cheaper", "target.com"],
      ["| Target | cheap |", "target.com"],
      ["Square, Stripe and PayPal take cards.", "square.com"],
      ["Use a Chase card.", "chase.com"],
      ["2. **Fender CD-60S** – warm", "fender.com"]
    ] as const
    for (const [text, brand] of names) assert.strictEqual(inText(text, brand).tier, "word", text)
    const others = [
      ["The amazon is a river. The Amazonian frogs live there.", "Amazon.com"],
      ["Target your audience. Then target more.", "target.com"],
      ["## Target groups\n- Target the young", "target.com"],
      ["1) Chase it down.", "chase.com"],
      ["Indeed, it is good.", "indeed.com"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
  })
})

describe("a name is not", () => {
  it("part of another known brand", () => {
    assert.isFalse(inText("Build it with Squarespace.", "Square").mentioned)
    assert.strictEqual(inText("Three apples", "Apple").tier, "substring")
    assert.strictEqual(inText("The chasepro card", "Chase").tier, "substring")
    assert.strictEqual(inText("삼성전자입니다", "삼성").tier, "substring")
  })

  it("an amount, nor part of a formula", () => {
    const others = [
      ["It raised $3M, then €3M.", "3M"],
      ["It has 1.3M users.", "3M"],
      ["It has 3m monthly users.", "3M"],
      ["It grew 3M in 2024.", "3M"],
      ["The cable is 3m long.", "3M"],
      ["Up 5.11% today", "5.11"],
      ["Room for 54,000", "Room for 54"],
      ["H2O2 cleans, G2A sells", "O2"],
      ["H2O2 cleans, G2A sells", "G2"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
    for (const text of ["Use 3M tape.", "Tape (3M), glue", "Glue, 3M, tape", "It is 3M.", "3m strips, made by 3m"])
      assert.strictEqual(inText(text, "3M").tier, "word", text)
  })

  it("an ordinary word and the small word after it", () => {
    const others = [
      ["The meeting is on Monday for all.", "monday.com"],
      ["He made a Booking for two.", "Booking.com"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
  })

  it("the lower-case ordinary words that it is made of", () => {
    const others = [
      ["Your sales force needs it.", "Salesforce"],
      ["They are linked in a chain.", "LinkedIn"],
      ["Look it up in and out of hours.", "In-N-Out"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
    for (const text of ["Sales Force leads.", "Try sales-force now.", "SALES FORCE LEADS."])
      assert.strictEqual(inText(text, "Salesforce").tier, "word", text)
  })

  it("a place name after a small word for a location", () => {
    const others = [
      ["Among airlines in Canada, Qatar Airways is named most often.", "Air Canada"],
      ["In Canada, Qatar is best.", "Air Canada"],
      ["The cheapest is in India.", "Air India"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
    for (const text of ["Air Canadda flies there.", "Fly with Air Canda."])
      assert.strictEqual(inText(text, "Air Canada").tier, "fuzzy", text)
    assert.strictEqual(inText("Sold by Bob an Brad.", "Bob and Brad").tier, "fuzzy")
  })
})
