/**
 * Which names the lists, tables and prose of an answer give, and what stands beside them that is no name.
 *
 * Planted faults, each seen red here:
 * - the numbers of a source list are taken for places
 * - table headers in other languages, or cities, are taken for brands
 * - a tie is taken for the end of a list
 * - a date is taken for a place
 * - signs that are no emoji are read as prose
 * - a number alone on its line or before a dash, a list after invisible marks, no-break spaces, HTML, or other names in brackets are
 *   not read
 * - a bullet without a space, hotels in other languages, names in quotes, or names after "both" are not read
 * - the words before a quoted name are taken for a name
 * - a rival offered in place of an unknown brand is taken for that brand
 * - what a header measures, questions, advice, labels in other languages, "Q:" or "TL;DR" are taken for brands
 * - places below 1 are counted, other emoji are taken for medals, or any row is taken for a table's header
 * - ordinary words before a model number are not taken for a name, nor those before a product although they are a known brand, or such
 *   words are taken for a name where they go on in lower case
 * - what is said of a thing beside its price is taken for names, or names are taken for labels beside it
 * - a word for a place before its number is not read
 * - a title is rejected because points stand below it; a title is accepted beside a number that is not the next one; its points are
 *   taken for names; or its points are not checked against what is said elsewhere
 * - a number after a word for a place and a hash, after a numero sign, or as an ordinal with a full stop is kept in a name, or a
 *   number that belongs to a name is taken for a place
 * - an article before a link or a known brand is kept in a name, or an article that belongs to a name is dropped
 * - the bracket of a link is kept in a name
 * - the "best" column is not read beside the "runner-up" column, the "runner-up" column is not read beside "best", or both are read
 *   where the header says that the names stand before them
 * - a model number is kept in a brand of ordinary words, or any number is taken for a model number
 */
import { assert, describe, it } from "vitest"
import { brandsIn } from "@sightline/domain/Brands"
import { findBrand } from "@sightline/domain/Brand"

const rankIn = (text: string, brand = "Velmora"): number | null => findBrand({ text, brandEntities: [] }, brand).rank
const named = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

describe("the order of the brands", () => {
  it("leaves out the attributes of a thing, where one item is an attribute of any thing", () => {
    const rival = "\n\nOverall, I would pick Velmora."
    for (const list of [
      "- Speed: fast\n- Price: low\n- Noise: none",
      "- **Noise**: low\n- **Warranty**: two years",
      "1. Speed: fast\n2. Noise: low\n3. Price: low"
    ])
      assert.strictEqual(rankIn(list + rival), 1, list)
    for (const list of ["- Anchor: fast\n- Beacon: cheap", "- Anchor: fast\n- Quillon Desk: cheap\n- Price: low"])
      assert.strictEqual(rankIn(list + rival), 3, list)
  })

  it("leaves out the sources that an answer read", () => {
    for (const heading of [
      "## Sources",
      "Sources:",
      "**Learn more:**",
      "Quellen:",
      "**Fuentes**",
      "## 参考文献",
      "Источники:"
    ])
      assert.deepStrictEqual(
        named(`- **Quillon** is fast\n- **Velmora** is light\n\n${heading}\n1. Trask – a blog\n2. Ozmara – a list`),
        ["Quillon", "Velmora"],
        heading
      )
    assert.notInclude(named("Quillon[1], Velmora[2] and Quillon.\n\nSources:\n[1] Samsung blog"), "Samsung")
    assert.deepStrictEqual(named("Try Quillon[1][2], Trask[3], and Velmora[2]. Quillon and Velmora are easy."), [
      "Quillon",
      "Trask",
      "Velmora"
    ])
  })

  it("includes a name of ordinary words that ends in a model number", () => {
    const text = "- **Sky-Watcher Heritage 150P**: wide\n- **Velmora 6SE**: small"
    assert.strictEqual(rankIn(text), 2)
    assert.strictEqual(rankIn(text, "Sky-Watcher"), 1)
    assert.deepStrictEqual(named("- **Power Output: 100W**\n- **Velmora 6SE**: small\n- **Quillon 8**: wide"), [
      "Velmora",
      "Quillon"
    ])
  })

  it("takes the words before a model number for the brand where a dictionary has the first of them", () => {
    const text = "1. **Simplicity S65P Premium Cordless**: quiet\n2. **Copper & Wren D6 Pro**: new\n3. **Velmora Z9**"
    assert.deepStrictEqual(named(`${text}\n\nWe like the **Simplicity S65P Premium**.`), [
      "Simplicity",
      "Copper & Wren",
      "Velmora"
    ])
    assert.strictEqual(rankIn(text, "Copper & Wren"), 2)
    assert.deepStrictEqual(named("1. Kettle Drum 54\n2. Copper Sparrow 100W\n3. Velmora"), [
      "Kettle Drum 54",
      "Copper Sparrow 100W",
      "Velmora"
    ])
  })

  it("includes numbered titles in ordinary words beside a name, but none of the points below them", () => {
    const points = "   - **Ozmara** inside\n   - **Trask** beside"
    for (const list of [
      `1. **Copper Sparrow**\n${points}\n2. **Velmora**\n${points}\n3. **Kettle Drum**\n${points}`,
      `### 1. Copper Sparrow\n- **Ozmara** inside\n\n### 2. Velmora\n- **Trask** beside\n\n### 3. Kettle Drum\n- **Ozmara**`
    ])
      assert.deepStrictEqual(named(list), ["Copper Sparrow", "Velmora", "Kettle Drum"])
    const told = "   - Aperture: 102 mm"
    assert.deepStrictEqual(named(`1. Quillon\n2. Copper Sparrow\n${told}\n\n**Velmora**\n${told.trim()}`), [
      "Quillon",
      "Copper Sparrow",
      "Velmora"
    ])
    assert.deepStrictEqual(named(`1. **Copper Sparrow**\n${points}\n3. **Velmora**`), ["Ozmara", "Trask", "Velmora"])
  })

  it("follows the numbers after words for a place, whichever comes first", () => {
    for (const word of ["Platz", "Puesto", "Nr.", "Rank", "N°", "№"])
      assert.deepStrictEqual(
        named(`**${word} 2: Velmora** – big\n\n**${word} 1: Quillon** – fair`),
        ["Quillon", "Velmora"],
        word
      )
  })

  it("includes a known brand of ordinary words before its product", () => {
    assert.deepStrictEqual(
      named("- **The North Face Resolve 2**: dry\n- **Oral-B Pro 1000**: clean\n- **Best Buy Open-Box**: cheap"),
      ["The North Face", "Oral-B", "Best Buy"]
    )
    assert.strictEqual(rankIn("- **Quillon**: fair\n- **Old Navy for kids**\n- **Velmora**: new"), 2)
  })

  it("is that of the rows where the header says what the rows are", () => {
    for (const header of [
      "Anbieter | Preis",
      "品牌 | 价格",
      "サービス名 | 月額",
      "الشركة | السعر",
      "Компания | Тариф",
      "Şirket | Fiyat"
    ])
      assert.strictEqual(rankIn(`| ${header} |\n|---|---|\n| Quillon | 14 |\n| Velmora | 9 |`), 2, header)
    for (const header of ["Город | Отель", "都市 | ホテル", "Ciudad | Restaurante", "Ville | Hôtel", "城市 | 酒店"])
      assert.strictEqual(rankIn(`| ${header} |\n|---|---|\n| Trask | Quillon |\n| Ozmara | Velmora |`), 2, header)
    assert.strictEqual(rankIn("| Feature | Quillon | Velmora |\n|---|---|---|\n| Price | 1 | 2 |"), 2)
    assert.strictEqual(rankIn("| Place | Brand |\n|---|---|\n| Berlin | Quillon |\n| Hamburg | Velmora |"), 2)
    assert.strictEqual(rankIn("| Place | Brand |\n|---|---|\n| 3 | Quillon |\n| 1 | Velmora |\n| 2 | Trask |"), 1)
  })

  it('takes "best" and "runner-up" row by row where the two columns stand side by side, and no category', () => {
    const rows = "|---|---|---|\n| Speed | Quillon Go | Velmora |\n| Kettles | Trask | Ozmara |"
    for (const header of [
      "Category | Best | Runner-up",
      "Use case | Winner | **Runner-Up**",
      "Kind of trip | Top Pick | Also great",
      "Room | Best choice | Alternative",
      "Room | Alternative | Our pick"
    ])
      assert.deepStrictEqual(named(`| ${header} |\n${rows}`), ["Quillon", "Velmora", "Trask", "Ozmara"], header)
    assert.deepStrictEqual(named(`| Category | Best | Why |\n${rows}`), ["Quillon", "Trask"])
    assert.deepStrictEqual(
      named(`| Tool | Best | Alternative |\n|---|---|---|\n| Velmora | 9 | 8 |\n| Trask | 7 | 6 |`),
      ["Velmora", "Trask"]
    )
    const others = "| # | Need | Best | Runner-up |\n|---|---|---|---|\n| 1 | Speed | Quillon | None |"
    assert.deepStrictEqual(named(`${others}\n| 2 | Size | Trask | Velmora |`), ["Quillon", "Trask", "Velmora"])
  })

  it("is that of the rows where the header only says what is measured", () => {
    for (const header of ["| School | FT rank 2026 |", "| Insurer | J.D. Power score |", "| Which | Nvidia price |"])
      assert.strictEqual(rankIn(`${header}\n|---|---|\n| Quillon | 1 |\n| Velmora | 2 |`), 2, header)
    assert.strictEqual(rankIn("| | Tesla Model 3 | Velmora |\n|---|---|---|\n| Price | 1 | 2 |"), 2)
  })

  it("leaves out questions, advice and labels", () => {
    for (const bold of [
      "Welche Zentrale passt?",
      "get the Zentra X2",
      "Fazit:",
      "Avantages",
      "TL;DR",
      "Q: What is it",
      "Q&A",
      "R&D"
    ])
      assert.deepStrictEqual(
        named(`**${bold}**\n\n- **Quillon** is fast\n- **Velmora** is light`),
        ["Quillon", "Velmora"],
        bold
      )
    assert.deepStrictEqual(
      named("1. Unlock the domain in your Trask account.\n2. Request a new code.\n3. Open Quillon and Velmora."),
      []
    )
  })

  it("includes names in ordinary or lower-case words, but nothing that only begins like a list", () => {
    assert.deepStrictEqual(named("**eero Pro** is easy\n\n**Velmora** is cheap"), ["eero", "Velmora"])
    assert.deepStrictEqual(named("1. Open Farm\n2. Quillon\n3. Velmora"), ["Open Farm", "Quillon", "Velmora"])
    assert.deepStrictEqual(named("- Kettle – fast\n- Quillon – ok\n\nAlso:\n\n- Kettle – cheap\n- Velmora – new"), [
      "Kettle",
      "Quillon",
      "Velmora"
    ])
    const others = [
      "## Quillon?\n\n- Trask\n- Velmora",
      "#Trask #deal\n\n- Quillon\n- Velmora",
      "## Zentra for everyone who works late at night\n\n- Quillon\n- Velmora",
      "第三方工具：\n- Quillon\n- Velmora",
      "| Tool | Price |\n|---|---|\n| Quillon | 1 |\n| Velmora | 2 |\n---\nDone."
    ]
    for (const text of others) assert.strictEqual(rankIn(text), 2, text)
    assert.strictEqual(rankIn("Rated\n3\nVelmora\n2\nQuillon"), 1)
    assert.isAtLeast(rankIn("0. Quillon\n1. Velmora", "Quillon") ?? 0, 1)
    assert.strictEqual(rankIn("We tried 0) Velmora, 1) Quillon"), 1)
  })

  it("follows the numbers, whether shared or alone on their lines", () => {
    const ties = "1. Ozmara\n2. Quillon\n2. Velmora\n4. Trask"
    assert.deepStrictEqual([rankIn(ties), rankIn(ties, "Trask")], [2, 4])
    assert.strictEqual(rankIn("1. Ozmara\n1. Quillon\n1. Velmora"), 3)
    assert.strictEqual(rankIn("Top tools\n\n1\nQuillon\nFor teams.\n\n2\nVelmora\nFor one."), 2)
    assert.strictEqual(rankIn("Os melhores: 1º Trask, 2º Quillon, 3º Velmora."), 3)
    assert.strictEqual(rankIn("第1位：Trask　第2位：Quillon　第3位：Velmora"), 3)
    assert.strictEqual(rankIn("- 18th: Velmora opens"), 1)
    assert.strictEqual(rankIn("1st: Quillon. 2nd: Velmora."), 2)
    assert.strictEqual(rankIn("2nd: Velmora. 1st: Quillon.", "Quillon"), 1)
  })

  it("reads lists whose numbers have a dash, whose spaces are no-break spaces or whose lines begin with invisible marks", () => {
    for (const list of ["3 – Trask\n2 – Velmora\n1 – Quillon", "3- Trask\n2- Velmora\n1- Quillon"])
      assert.deepStrictEqual([rankIn(list), rankIn(list, "Trask")], [2, 3], list)
    for (const unseen of ["\u200f", "\u200b", "\ufeff", "\u202b"]) {
      assert.strictEqual(rankIn(`1. Quillon\n${unseen}2. Trask\n3. Velmora`), 3)
      assert.strictEqual(rankIn(`${unseen}- Quillon\n- Trask\n${unseen}- Velmora`), 3)
      assert.strictEqual(rankIn(`| Tool | Rank |\n${unseen}|---|---|\n| Quillon | 2 |\n| Velmora | 1 |`), 1)
    }
    for (const space of ["\u00a0", "\u202f"]) {
      assert.strictEqual(rankIn(`•${space}Quillon: fast\n•${space}Velmora: cheap`), 2)
      assert.strictEqual(rankIn(`**No. 1:${space}Quillon**\n\n**No. 2:${space}Velmora**`), 2)
    }
    assert.strictEqual(rankIn("10 - 15 minutes: Velmora\n15 - 20 minutes: Quillon"), 1)
  })

  it("is that of the heads: after signs, in HTML, made of initials, or with another name in brackets", () => {
    assert.strictEqual(rankIn("🚀 Trask – best\n⚡ Quillon – simple\n★ Velmora – cheap"), 3)
    assert.strictEqual(rankIn("🤖 Trask – best\n🧠 Quillon – simple\n→ Velmora – cheap"), 3)
    assert.strictEqual(rankIn("おすすめ：\n・Quillon：安い\n・Velmora：速い"), 2)
    assert.strictEqual(rankIn("・Quillon 安い\n・Velmora 速い"), 2)
    assert.strictEqual(rankIn("<ol><li><b>Quillon</b> – pay</li><li>Velmora – HR</li></ol>"), 2)
    assert.strictEqual(rankIn("<h3>1. Quillon</h3><p>Good.</p><h3>2. Velmora</h3><p>Fair.</p>"), 2)
    assert.strictEqual(rankIn("- C&A\n- B&Q\n- Velmora"), 3)
    assert.strictEqual(rankIn("1. **Quillon**\n2. **Trask Ozmara (Velmora)**\n3. **Kelvane**"), 2)
    assert.strictEqual(rankIn("**Option A: Quillon**\nGood.\n\n**Option B: Velmora**\nFair."), 2)
    assert.strictEqual(rankIn("**Key takeaway:** it depends.\n\n**Quillon:** fast.\n\n**Velmora:** cheap."), 2)
  })

  it('is that of a series, with quoted names or with "both" before the first', () => {
    assert.strictEqual(rankIn("おすすめは「クイロン」と「ベルモラ」です。", "ベルモラ"), 2)
    assert.strictEqual(rankIn("人気は『クイロン』、『オズマラ』、『ベルモラ』の三つ。", "ベルモラ"), 3)
    assert.strictEqual(rankIn("Both 3M and Velmora sell it."), 2)
    assert.strictEqual(rankIn("「ベルモラ」は速い。", "ベルモラ"), 1)
    assert.strictEqual(rankIn("とても速いと「ベルモラ」は言う。", "ベルモラ"), 1)
    assert.strictEqual(rankIn("Both fans and Velmora agree."), 1)
  })

  it("reads names with inflectional endings", () => {
    assert.strictEqual(rankIn("Consider Quillon.com, Velmora.com and Trask. Quillon.com is large.", "Velmora.com"), 2)
    assert.strictEqual(rankIn("Quillon'un kargosu hızlı, Velmora'nın iadesi kolay. Quillon'da fiyat uygun."), 2)
  })

  it("drops the number before a name: after a word for a place, after a numero sign or as an ordinal", () => {
    for (const lead of ["Rank #", "- Ranked #", "### Number #"])
      assert.deepStrictEqual(named(`${lead}1 - Quillon\n${lead}2 - Velmora`), ["Quillon", "Velmora"], lead)
    for (const lead of ["Nº ", "- Nº", "N.º ", "## N° ", "№ ", "**Nr. "])
      assert.deepStrictEqual(named(`${lead}2 Quillon\n${lead}1 **Velmora**`), ["Velmora", "Quillon"], lead)
    for (const sign of [".º", ".ª", "º"])
      assert.deepStrictEqual(named(`- 2${sign} Quillon\n- 1${sign} Velmora`), ["Velmora", "Quillon"], sign)
    assert.deepStrictEqual(named("n.º 2 – Quillon\nn.º 1 – Velmora"), ["Velmora", "Quillon"])
  })

  it("keeps a number that belongs to a name", () => {
    assert.deepStrictEqual(named("- Quillon\n- Nº 5 Eau Premiere\n- Nº 19 Poudre"), [
      "Quillon",
      "Nº 5 Eau Premiere",
      "Nº 19 Poudre"
    ])
    assert.deepStrictEqual(named("- N° 1 de Quillon\n- N° 2 de Velmora"), ["N° 1 de Quillon", "N° 2 de Velmora"])
  })

  it("begins a name at the link after its article, unless ordinary words may own the article", () => {
    for (const lead of ["**The ", "- **The ", "1. **Our ", "### Der ", "The best pick: **the "]) {
      const list = ["LG C4", "Velmora K1"].map((name) => `${lead}[${name}](https://a.example/b)** is quiet.`)
      assert.deepStrictEqual(named(list.join("\n\n")), ["LG", "Velmora"], lead)
    }
    const list =
      "- **The [North Face](https://a.example/b)** lasts.\n- **[The Quillon](https://a.example/c)** is light."
    assert.deepStrictEqual(named(list), ["The North Face", "The Quillon"])
  })

  it("drops the article before a known brand, unless the brand owns it or the words that follow make it no name", () => {
    for (const article of ["The", "the", "Our", "Der", "La"]) {
      const list = ["LG C4", "Apple Watch"].map((name) => `- **${article} ${name}** is quiet.`).join("\n")
      assert.deepStrictEqual(named(list), ["LG", "Apple"], article)
      assert.strictEqual(rankIn(`${list}\n- Velmora`, "Apple"), 2, article)
    }
    assert.deepStrictEqual(
      named("- The North Face Resolve 2\n- The Ordinary: plain\n- La Roche-Posay\n- The Quillon K1\n- The Apple pie"),
      ["The North Face", "The Ordinary", "La Roche-Posay", "The Quillon"]
    )
  })
})

describe("a brand that is denied", () => {
  it("is not the rival that is offered in its place", () => {
    const { mentioned } = findBrand(
      {
        text: "There's no evidence that a company named Zentrova exists. You may be thinking of Zentro.",
        brandEntities: []
      },
      "Zentrova"
    )
    assert.isFalse(mentioned)
  })

  it("is denied in Greek, Hebrew, Hindi, Thai and Vietnamese too", () => {
    const texts = [
      "Δεν βρήκα πληροφορίες για την Zentrova.",
      "לא מצאתי מידע על Zentrova.",
      "मुझे Zentrova के बारे में कोई जानकारी नहीं मिली।",
      "ไม่พบข้อมูลเกี่ยวกับ Zentrova",
      "Tôi không tìm thấy thông tin nào về Zentrova."
    ]
    for (const text of texts) assert.isFalse(findBrand({ text, brandEntities: [] }, "Zentrova").mentioned, text)
    const others = [
      "Η Zentrova δεν είναι ακριβή.",
      "Zentrova לא יקרה.",
      "Zentrova की कीमत की जानकारी नहीं मिली।",
      "Zentrova ไม่แพง",
      "Zentrova không đắt."
    ]
    for (const text of others) assert.isTrue(findBrand({ text, brandEntities: [] }, "Zentrova").mentioned, text)
  })
})
