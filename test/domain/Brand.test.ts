/**
 * The brand detector on worked examples of decisions C4 to C6, and on texts made to be slow.
 *
 * Planted faults, each seen red here:
 * - the dictionary guard, or the known-brand guard, is off
 * - three edits are allowed
 * - the absence check is off
 * - addresses are not hidden, or hide the text after them; adverts are not hidden
 * - a source given in another language is read as prose
 * - the stated ordinal, or the surface's entities, are ignored
 * - the excerpt has no neighbour; an empty line or the rule of a table counts as a neighbour; the excerpt is cut inside a character
 * - "Long-term" and "Co" are taken for names
 * - apostrophes inside a word are taken for gaps
 * - a possessive is taken for the brand
 * - a window that holds a denied brand is taken for a misspelling
 * - series are read only with capitals
 * - a substring is preferred to the word
 * - the budget of the fuzzy search is lifted; brackets are read to any depth; a line is read again for each hit in it
 * - escaped numbers, and numbers in bold, in brackets and before 、, are read as text
 * - emoji before items are not read
 * - a label gives way to other labels without end
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { growthOf } from "../services/growthOf.ts"

const inText = (text: string, brand: string, entities: ReadonlyArray<string> = []) =>
  findBrand({ text, brandEntities: entities.map((name) => ({ name })) }, brand)

describe("a mention", () => {
  it("is a whole word, whatever its case, accents and Unicode form", () => {
    for (const text of ["Try SOLENE.", "Try Solène.", "Try Sole\u0300ne.", "Try Ｓｏｌｅｎｅ."]) {
      assert.strictEqual(inText(text, "solène").tier, "word", text)
    }
  })

  it("of an emoji brand is that emoji and nothing else", () => {
    for (const brand of ["🦄", "😀😀", "🇺🇸", "👩‍💻", "★", "Acme 🚀"]) {
      const { context, mentioned, rank } = inText("**HubSpot** leads 🏆.", brand)
      assert.deepEqual([mentioned, rank, context], [false, null, ""], brand)
      assert.isTrue(inText(`We like ${brand} best.`, brand).mentioned, brand)
    }
  })

  it("spans the brand as the text writes it, accents included", () => {
    const text = "ﬁnally: Cafe\u0301 Ombre\u0301!"
    const { span } = inText(text, "café ombré")
    assert.strictEqual(span === null ? "" : text.slice(...span), "Cafe\u0301 Ombre\u0301")
  })

  it("counts joined, spaced and possessive variants, and those with or without a legal form, as the word itself", () => {
    const variants = [
      ["Hub Grove is new", "HubGrove"],
      ["BlueHeron is new", "Blue Heron"],
      ["Blue-Heron’s shop", "Blue Heron"],
      ["Brightmoor GmbH sells it", "Brightmoor, Inc."],
      ["Tinsel and Rowe opened", "Tinsel & Rowe"]
    ] as const
    for (const [text, brand] of variants) assert.strictEqual(inText(text, brand).tier, "word", text)
  })

  it("is the word itself where apostrophes, dots, quotes or signs are omitted or added", () => {
    const variants = [
      ["McDonald's is open", "McDonalds"],
      ["McDonald´s is open", "McDonald's"],
      ["Reese's Cups", "Reeses"],
      ["Zylker's Supper is new", "Zylkers Supper"],
      ["L’Oréal sells it", "Loreal"],
      ["J.P. Morgan lends", "JP Morgan"],
      ["A.P.C. jeans", "APC"],
      ['Toys "R" Us is back', "Toys R Us"],
      ["Men + Care soap by Dovelin", "Men+Care"],
      ["Disney+ streams it", "Disney Plus"],
      ["Mueller sells it", "Müller"]
    ] as const
    for (const [text, brand] of variants) assert.strictEqual(inText(text, brand).tier, "word", text)
    // A possessive "Adam's" is not Adams; "l'avion" is French for "the plane"; "i.e." is no brand.
    const others = [
      ["Adam's shoes are fine", "Adams"],
      ["Dans l'avion", "Lavion"],
      ["A list, i.e. this one", "IE"]
    ] as const
    for (const [text, brand] of others) assert.isFalse(inText(text, brand).mentioned, text)
  })

  it("with a letter attached is denied with it, and is no misspelling of the brand", () => {
    assert.isFalse(inText("Velmora에 대한 정보를 찾을 수 없습니다.", "Velmora").mentioned)
  })

  it("is a domain where the bare domain stands in prose", () => {
    assert.strictEqual(inText("I ordered at velmora.com last week.", "Velmora").tier, "domain")
  })

  it("is not found in an address, a citation, a source list or an advert", () => {
    const asides = [
      "See https://velmora.com/velmora now.",
      "See [the guide](https://velmora.com).",
      "Good grip ([Velmora](https://velmora.com)).",
      "Good grip ([Velmora][2]).",
      "Good grip ([Velmora]).",
      "Good grip【1†Velmora】.",
      "See https://trail.example/a_(b)-velmora now.",
      "See https://ja.example/wiki/東京velmora now.",
      "See [the guide](/b_(c)_velmora).",
      "Write to hello@velmora.com.",
      "Sponsored: Velmora, 20% off",
      "Ad\nVelmora Flask\n\nOthers are fine.",
      "Fine.\n\n## Sources\n- Velmora"
    ]
    for (const label of [
      "**Quellen:**",
      "Fuente:",
      "Źródło:",
      "Fonti :",
      "Bron:",
      "Källor:",
      "Источник:",
      "出典：",
      "출처:",
      "מקור:"
    ])
      asides.push(`Fine.\n\n${label} Velmora, Trail Weekly`)
    for (const text of asides) assert.isFalse(inText(text, "Velmora").mentioned, text)
    for (const text of [
      "Quellwasser: Velmora",
      "Fonte di calcio: Velmora",
      "Good (https://trail.example/a)—Velmora wins",
      "https://trail.example的Velmora好",
      "【Velmora】は良い",
      "参考になる：Velmora",
      "Eine Quelle: Velmora"
    ])
      assert.isTrue(inText(text, "Velmora").mentioned, text)
  })

  it("is found again in the prose after the source list", () => {
    assert.isTrue(inText("Sources:\n- Trail Weekly\n\nIn short, Velmora is the lightest.", "Velmora").mentioned)
  })

  it("inside an ordinary word counts from five letters on", () => {
    assert.isFalse(inText("an exuberant crowd", "Uber").mentioned)
    assert.strictEqual(inText("order at UberEats", "Uber").tier, "substring")
    assert.strictEqual(inText("pinecones fall", "Pinecone").tier, "substring")
  })

  it("may be misspelt by two edits, not by three", () => {
    assert.strictEqual(inText("I like Velmroa.", "Velmora").tier, "fuzzy")
    assert.isFalse(inText("I like Velmxyza.", "Velmora").mentioned)
  })

  it("is never an ordinary word, another known brand, or a brand the surface names", () => {
    assert.isFalse(inText("He liked the hikes, and some were long.", "Biked").mentioned)
    assert.isFalse(inText("I like zzz best.", "bbzzz").mentioned)
    assert.isTrue(inText("I like zzx best.", "bbzzx").mentioned)
    assert.isFalse(inText("Zendesk is comfortable.", "Zendisk").mentioned)
    assert.isTrue(inText("Hydrella is Swiss.", "Hydrelle").mentioned)
    assert.isFalse(inText("Hydrella is Swiss.", "Hydrelle", ["Hydrella"]).mentioned)
  })

  it("is denied where the sentence says that nothing is known of it", () => {
    assert.isFalse(inText("I could not find anything about Velmora.", "Velmora").mentioned)
    assert.isFalse(inText("I'm not familiar with Velmora. If Velmora is new, ask locally.", "Velmora").mentioned)
    assert.isTrue(inText("I know no better flask than Velmora.", "Velmora").mentioned)
  })

  it("prefers the word to an earlier substring or misspelling", () => {
    const text = "VelmoraPro and Velmroa exist, but Velmora is the brand."
    assert.deepStrictEqual(inText(text, "Velmora").span, [34, 41])
  })
})

describe("the rank", () => {
  const list = "1. Quillon\n2. Velmora\n3. Hydrelle"

  it("is the order of first appearance among the brands of the answer", () => {
    assert.strictEqual(inText("**Quillon** is fine, **Velmora** is better.", "Velmora").rank, 2)
  })

  it("is the printed number where it differs from the order", () => {
    assert.strictEqual(inText(`Velmora first came up in 2019.\n\n${list}`, "Velmora").rank, 2)
    assert.strictEqual(inText("3. Quillon\n2. Velmora\n1. Hydrelle", "Hydrelle").rank, 1)
    const long = "Velmora Bakers, Cooks and Sons"
    assert.strictEqual(inText(`1. Velmora Prints\n2. **${long}** – sells bread.`, long).rank, 2)
  })

  it("is the printed number however Markdown or the language writes it", () => {
    const lists = [
      "**1\\. Quillon** is soft.\n\n**2\\. Velmora** is firm.",
      "Ours: **1. Quillon** is soft, **2. Velmora** is firm.",
      "Ours: **1\\. Quillon** is soft … **2\\. Velmora** is firm.",
      "### 1\\) Quillon\nSoft.\n### 2\\) Velmora\nFirm.",
      "**1\\. Quillon** is soft … **2\\. Velmora** is firm",
      "(1) Quillon\n(2) Velmora",
      "1、Quillon\n2、Velmora"
    ]
    for (const text of lists) assert.strictEqual(inText(text, "Velmora").rank, 2, text)
    for (const between of ["\n\n", " is soft … "])
      assert.strictEqual(inText(`**2\\. Quillon**${between}**1\\. Velmora**`, "Velmora").rank, 1, between)
  })

  it("counts list items after emoji", () => {
    assert.strictEqual(inText("🥇 Quillon – soft\n🥈 Velmora – firm", "Velmora").rank, 2)
  })

  it("is the place in a stated ranking", () => {
    assert.strictEqual(inText("Velmora is light. My ranking: Quillon > Hydrelle > Velmora", "Velmora").rank, 3)
    assert.strictEqual(inText("Quillon shines, though Velmora (#1) sells more.", "Velmora").rank, 1)
  })

  it("counts the names of a series in scripts without capitals, and names that end like a possessive", () => {
    assert.strictEqual(inText("추천 브랜드는 나이키, 아디다스, 뉴발란스입니다.", "뉴발란스").rank, 3)
    assert.strictEqual(inText("이 신발은 가볍고, 편하며, 나이키가 만듭니다.", "나이키").rank, 1)
    assert.strictEqual(inText("सबसे अच्छे ब्रांड नाइकी, एडिडास और प्यूमा हैं।", "प्यूमा").rank, 3)
    assert.strictEqual(
      inText("Wendy's leads. McDonald's is cheap; Wendy's wins, McDonald's follows.", "McDonalds").rank,
      2
    )
  })

  it("counts neither ordinary words joined by hyphens nor a lone legal form", () => {
    const text = (first: string) =>
      `${first} owners praise Quillon. ${first} fans like Quillon. Velmora follows. Velmora.`
    assert.strictEqual(inText(text("Long-term"), "Velmora").rank, 2)
    assert.strictEqual(inText(text("Zorb-term"), "Velmora").rank, 3)
    const firm = "Quillon & Co. is a classic. Quillon & Co. is the safe choice. Velmora & Co follows. Velmora & Co."
    assert.strictEqual(inText(firm, "Velmora").rank, 2)
  })

  it("counts the surface's own entities where there are any", () => {
    const text = "**Brisko** bottles first, then Velmora."
    assert.strictEqual(inText(text, "Velmora").rank, 2)
    assert.strictEqual(inText(text, "Velmora", ["Velmora"]).rank, 1)
  })
})

describe("the context", () => {
  it("is the sentence with one neighbour on either side", () => {
    const text = "One is here. Two is here. Velmora is here. Four is here. Five is here."
    assert.strictEqual(inText(text, "Velmora").context, "Two is here. Velmora is here. Four is here.")
  })

  it("includes a neighbour beyond an empty line", () => {
    const text = "# One\n\nTwo is here.\n\n \n### Velmora\n\nFour is here.\n\n\nFive is here.\n\n"
    assert.strictEqual(inText(text, "Velmora").context, "Two is here.\n\n \n### Velmora\n\nFour is here.")
    assert.strictEqual(inText("\n\nVelmora is here.\n\n", "Velmora").context, "Velmora is here.")
  })

  it("does not count the rule below a table's header as a neighbour", () => {
    const table = "| Brand | Price |\n|:---|---:|\n| Velmora | $5 |\n| Quillon | $6 |"
    assert.strictEqual(inText(`Intro.\n\n${table}\n\nOutro.`, "Velmora").context, table)
    assert.strictEqual(inText(table, "Quillon").context, "| Velmora | $5 |\n| Quillon | $6 |")
  })

  it.each(["|---|---|", ":--- | ---:", "| - |"])(
    "does not count the head of a table as a neighbour outside that table: %s",
    (rule) => {
      const head = `| Brand | Best for? | Price |\r\n${rule}`
      const table = `${head}\r\n| Brisko | all | $5 |`
      assert.strictEqual(
        inText(`One is here. Velmora is here.\r\n\r\n${table}`, "Velmora").context,
        "One is here. Velmora is here."
      )
      assert.strictEqual(
        inText(`${head}\n\nVelmora is here. Two is here.`, "Velmora").context,
        "Velmora is here. Two is here."
      )
      assert.strictEqual(
        inText(`${table}\n\nVelmora is here.`, "Velmora").context,
        "| Brisko | all | $5 |\n\nVelmora is here."
      )
    }
  )

  it("includes the head of a table where the mention stands in the table, and a line with bars that is no table's head", () => {
    const table = "| Brand? | Velmora |\n|---|---|\n| Price | $5 |\n| Lid | yes |"
    assert.strictEqual(inText(table, "Velmora").context, "| Brand? | Velmora |\n|---|---|\n| Price | $5 |")
    assert.strictEqual(
      inText("Velmora is here. | a | b |\n|---|---|", "Velmora").context,
      "Velmora is here. | a | b |\n|---|---|"
    )
    const ruled = "| Brisko | $4 |\n|---|---|\n| Velmora | $5 |\n|---|---|\n| Okello | $6 |\n|---|---|\n| Bolt | $7 |"
    assert.strictEqual(inText(ruled, "Velmora").context, ruled.slice(0, ruled.lastIndexOf("\n")))
    const line = "Velmora is here.\nBrisko | Okello\nTwo is here."
    assert.strictEqual(inText(line, "Velmora").context, "Velmora is here.\nBrisko | Okello")
  })

  it.each(["e\u0301", "👩‍👩‍👧", "\u1100\u1161"])("cuts between characters as a reader sees them: %s", (character) => {
    const { context } = inText(`${character.repeat(400)} Velmora ${character.repeat(400)}`, "Velmora")
    const [before = "", after = ""] = context.split(" Velmora ")
    assert.isAbove(before.length, 100)
    assert.strictEqual(before.replaceAll(character, ""), "")
    assert.strictEqual(after.replaceAll(character, ""), "")
  })

  it.each([
    ["1. Aldmoor\n2. Velmora\n3. Brisko", "1. Aldmoor\n2. Velmora\n3. Brisko"],
    [
      "The best:\n\n1. **Velmora** – light.\n2. **Brisko** – cheap.",
      "The best:\n\n1. **Velmora** – light.\n2. **Brisko** – cheap."
    ],
    ["Velmora is here.\n\n**1. Aldmoor**\n\n**2. Brisko**", "Velmora is here.\n\n**1. Aldmoor**"],
    ["One is here.\n\n1\\. Aldmoor\na. Velmora\nb. Brisko", "1\\. Aldmoor\na. Velmora\nb. Brisko"]
  ])("does not take the number of a list item for a sentence: %j", (text, context) => {
    assert.strictEqual(inText(text, "Velmora").context, context)
  })

  it("leaves out a neighbour that would make it longer than 300 characters", () => {
    const long = `${"word ".repeat(60)}end. `
    assert.strictEqual(
      inText(`${long}Velmora is here. Four is here.`, "Velmora").context,
      "Velmora is here. Four is here."
    )
  })

  it("is cut around the mention where the sentence alone is longer", () => {
    const { context } = inText(`${"😀 ".repeat(400)}Velmora ${"wort ".repeat(200)}`, "Velmora")
    assert.include(context, "Velmora")
    assert.isAtMost(Array.from(context).length, 300)
  })
})

describe("a text made to be slow", () => {
  const brands = ["Acme", "aaaaaaaaab".repeat(10), `${"a ".repeat(46)}zqzqzq`, "小米", "e", "[[["]
  const parts =
    "a|a |a.|\n|\u0301|é|ﷺ|😀|\ud83d|小米手机|ᄒ\u1161\u11ab|[|](|([|*|# |**A** |1. Bolt is\n|- **Bolt** x\n|" +
    "## Enterprise\n- Slack\n- Notion\n|- Small teams: Bolt\n|Best overall:*** |\\| a \\| b |" +
    "https://acme.com/acme |acme/|www.|I could not find anything about Acme. |Sponsored: Acme\n|sources\n|Bolt, |Bolt > |" +
    "1) Bolt, 2) |Acme is first\n|first Acme |> > |ab |north-folk-|a b a c |zorb |1|&|&amp;|&#x20|\u00a0|LG는|【|【†|" +
    "A\n|**凝|**ال|A[x](y)"

  it.each(parts.split(/(?<!\\)\|/).map((part) => part.replaceAll("\\|", "|")))(
    "of %j takes at most linear time: time(16n) < 4 * 16 time(n)",
    (part) => {
      const growth = growthOf(30_000, (size) => {
        const text = part.repeat(Math.ceil(size / part.length)).slice(0, size)
        for (const brand of brands) {
          inText(text, brand)
          inText(`${text}\n\nThen ${brand} is here.`, brand)
          inText(`${text} then ${brand} is here.`, brand)
        }
      })
      assert.isBelow(growth, 4)
    }
  )
})
