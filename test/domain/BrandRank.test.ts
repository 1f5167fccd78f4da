/**
 * How an answer may number a brand, and state its place in words.
 *
 * Planted faults, each seen red here:
 * - letters, Roman and circled numerals, medals, or places in other scripts are read as text
 * - the number of another line is used
 * - HTML tags are read as arrows
 * - a cue that ranks several brands is read for the first one only
 * - "vs" joins no names
 * - a capital letter and a full stop are taken for a number; Roman numerals are read only up to ten
 * - places in words are not read, or a place before a full stop is taken for that of the next name
 * - words that only look like a place are taken for one
 * - the audience of an item ("For teams:") is not skipped, or is skipped even where advice follows
 * - a label in another language is taken for a name
 * - an award is read only after a bullet, is read from a longer remark too, or is read only when it is not a winner's
 * - the first cell of every row is used; the second is used wherever it is bold; the first is used only where it is a brand
 * - a column of places is not read, or a column of ratings is read as places
 * - needs are taken for names; names that end in numbers are taken for a list; steps are taken for places
 * - names before colons are not read, or labels, sources and units before colons are taken for names
 * - a label with an uncommon word is taken for a name
 * - a name in brackets with words before it is taken for another brand
 * - what follows a chain is taken for its last link, or cancels the chain
 * - the cue above a chain, or an arrow other than ">", is not read; the commas of a remark are read as a chain
 * - ingredients are taken for names
 * - scores are taken for places, or places that count down beyond the limit are taken for scores
 * - a house number is taken for a place
 * - a word for a place before its number, "Platz" after the number, a keycap in a cell, or a place after a medal is not read
 * - a list of numbers that begins after a colon, or a sentence that begins with the place, is not read
 * - the brand that a list replaces is ranked before the list; a title that names that brand is taken for a name; any name before a
 *   list is taken for the brand it replaces; that brand in bold, or before a list on its own line, is ranked first
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const rankIn = (text: string, brand = "Velmora"): number | null => findBrand({ text, brandEntities: [] }, brand).rank

/** Each text with the ranks of Quillon and Velmora in it. */
const ranked = (texts: ReadonlyArray<string>) => texts.map((text) => [text, rankIn(text, "Quillon"), rankIn(text)])

/** Each text with the same two ranks. */
const allRanked = (texts: ReadonlyArray<string>, quillon: number, velmora: number) =>
  texts.map((text) => [text, quillon, velmora])

describe("the rank", () => {
  it("is the letter, the Roman numeral or the circled number of its item", () => {
    const numerals = [
      ["a)", "b)", 2],
      ["A)", "B)", 2],
      ["(a)", "(b)", 2],
      ["a.", "b.", 2],
      ["i.", "ii.", 2],
      ["I.", "II.", 2],
      ["iv)", "v)", 5],
      ["xii.", "xiii.", 13],
      ["①", "②", 2],
      ["❹", "❺", 5],
      ["٨.", "٩.", 9],
      ["۱۱)", "۱۲)", 12],
      ["1:", "2:", 2],
      ["1º", "2º", 2],
      ["🥈", "🥉", 3],
      ["- 🥇", "- 🥈", 2],
      ["第1位：", "第2位：", 2],
      ["第九名：", "第十名：", 10],
      ["【1位】", "【2位】", 2],
      ["1위", "2위", 2],
      ["1/", "2/", 2],
      ["１．", "２．", 2],
      ["1er :", "2e :", 2],
      ["1ère place :", "2ème place :", 2],
      ["3-е место:", "4-е место:", 4],
      ["1º lugar:", "2º lugar:", 2],
      ["1.º puesto:", "2.º puesto:", 2],
      ["1. miejsce:", "2. miejsce:", 2],
      ["1. Platz:", "2. Platz:", 2],
      ["Platz 1:", "Platz 2:", 2],
      ["Puesto 3 –", "Puesto 4 –", 4],
      ["Nr. 2:", "Nr. 3:", 3],
      ["Rank 1 -", "Rank 2 -", 2],
      ["N° 1 :", "N° 2 :", 2],
      ["№ 1:", "№ 2:", 2],
      ["🥇 1st place:", "🥈 2nd place:", 2],
      ["🥈 **Platz 2:**", "🥉 **Platz 3:**", 3]
    ] as const
    for (const [one, two, rank] of numerals)
      assert.strictEqual(rankIn(`Like Velmora:\n\n${one} **Quillon** – fair\n${two} **Velmora** – big`), rank, two)
    assert.strictEqual(rankIn("Platz 10: Trask\nPlatz 2: Velmora\nPlatz 1: Quillon"), 2)
    assert.strictEqual(rankIn("3. Platz: Trask\n2. Platz: Quillon\n1. Platz: Velmora"), 1)
    assert.strictEqual(rankIn("🥇 3rd generation: Quillon\n🥈 Velmora"), 2)
    assert.strictEqual(rankIn("🥇".repeat(50_000) + " Velmora"), 1)
    assert.strictEqual(rankIn("D. **Quillon** – fair\nC. **Velmora** – big"), 2)
    assert.strictEqual(rankIn("3. Bronze: Trask\n2. Silver: Velmora\n1. Gold: Quillon"), 2)
    assert.strictEqual(rankIn("推荐如下：\n1.华为\n2.小米", "小米"), 2)
    assert.strictEqual(rankIn("我推荐1、华为 2、小米 3、荣耀。", "小米"), 2)
    assert.strictEqual(rankIn("iPhone 15、小米 14、华为 13", "小米"), 1)
    assert.strictEqual(rankIn("1/2 cup of Quillon\n3/4 cup of Velmora"), 1)
  })

  it("is the number in a column of places, whatever the order of the rows", () => {
    const headers = [
      ["Brand", "Rank"],
      ["Tool", "#"],
      ["Marke", "Rang"],
      ["Marque", "Position"],
      ["品牌", "排名"]
    ] as const
    for (const [name, place] of headers) {
      const keycaps = `| ${name} | ${place} |\n|---|---|\n| Velmora | 2️⃣ |\n| Quillon | 1️⃣ |`
      assert.strictEqual(rankIn(keycaps), 2, place)
      const table = `| ${name} | Preis | ${place} |\n|---|---|:-:|\n| Trask | 3 | 3 |\n| Quillon | 1 | **1** |\n| Velmora | 2 | 2. |`
      assert.deepStrictEqual([rankIn(table, "Trask"), rankIn(table, "Quillon"), rankIn(table)], [3, 1, 2], place)
    }
    assert.strictEqual(rankIn("| Rank | Tool |\n|---|---|\n| 3 | Trask |\n| 1 | Quillon |\n| 2 | Velmora |"), 2)
    assert.strictEqual(rankIn("| Tool | Rating |\n|---|---|\n| Trask | 3 |\n| Quillon | 1 |\n| Velmora | 2 |"), 3)
    assert.strictEqual(rankIn("| Tool | Rank |\n|---|---|\n| Quillon | 7/10 |\n| Velmora | 1/10 |"), 2)
  })

  it("is counted in the column that holds the recommendation, not in the column of needs", () => {
    const rows = "|---|---|\n| Speed | Quillon |\n| Comfort | Velmora |"
    for (const header of ["| Use case | Recommended |", "| Category | Winner |", "| Need | Tool |"])
      assert.deepStrictEqual(ranked([`${header}\n${rows}`]), [[`${header}\n${rows}`, 1, 2]])
    assert.strictEqual(rankIn("| Tool | Quillon | Velmora |\n|---|---|---|\n| Price | $1 | $2 |"), 2)
  })

  it("is not the number of a step", () => {
    assert.strictEqual(rankIn("Setup:\n1. Open settings\n2. Click Add\n3. Choose Velmora\n4. Save"), 1)
    assert.strictEqual(rankIn("1. Quillon\n2. Trask\n3. Choose Velmora"), 3)
    assert.strictEqual(rankIn("1. try quillon\n2. try velmora"), 2)
  })

  it("is the place that words state", () => {
    const texts = [
      "Quillon wins. Velmora is third on the list.",
      "Quillon wins. Third on the list is Velmora.",
      "Quillon wins. My third choice would be Velmora.",
      "Quillon wins. Velmora is the third-best option.",
      "Quillon wins. Velmora (3rd place) is cheap.",
      "Quillon wins. Velmora (ranked third) is cheap.",
      "Quillon wins. Trask is second. Velmora is third.",
      "Velmora comes third, Quillon comes first.",
      "Velmora is a close third behind Quillon.",
      "In 3rd place we have Velmora, 2nd goes to Trask and 1st goes to Quillon.",
      "**1st place:** Quillon\n**3rd place:** Velmora",
      "Option 1: Quillon\nOption 2: Trask\nOption 3: Velmora",
      "In third place, Velmora. In second place, Trask. In first place, Quillon.",
      "I would put Trask second and Velmora third.",
      "Quillon ranks first, Trask second, Velmora third.",
      "First place goes to Quillon, second to Trask, and third to Velmora.",
      "Auf Platz 3 liegt Velmora, auf Platz 1 liegt Quillon.",
      "Quillon wins. Ranked number 3, Velmora has the best support.",
      "Quillon wins. Ranked third overall, Velmora has the best support.",
      "Top: #1. Quillon, #2. Trask, #3. Velmora",
      "Quillon is number one. Trask is number two. Velmora is number three.",
      "Quillon: #1. Trask: #2. Velmora: #3.",
      "#1. Quillon, #2. Trask, #3. Velmora",
      "Velmora liegt auf Platz 3, Quillon auf Platz 1.",
      "Trask liegt auf Platz 2, Velmora auf Platz 3.",
      "Velmora occupe la 3e place.",
      "Velmora está en el puesto 3 de la lista.",
      "Numéro 1 : Quillon\nNuméro 2 : Trask\nNuméro 3 : Velmora",
      "N.º 1 Quillon, n.º 2 Trask, n.º 3 Velmora",
      "Primero: Quillon\nSegundo: Trask\nTercero: Velmora"
    ]
    for (const text of texts) assert.strictEqual(rankIn(text), 3, text)
    const others = [
      "Velmora is the third best-selling one.",
      "Velmora is third-party software.",
      "Velmora comes second to none.",
      "Velmora is second to none.",
      "Velmora ist in Raum Nummer 5 zu sehen.",
      "Velmora liegt auf Platz 2.500.",
      "Velmora est la 3e marque du pays.",
      "Try Velmora second.",
      "Rue de Rivoli, n° 5. Velmora y sert une cuisine inventive.",
      "The shop is at Baker Street, No. 7. Velmora opens at nine."
    ]
    for (const text of others) assert.strictEqual(rankIn(text), 1, text)
    assert.strictEqual(rankIn("Top: #1. Quillon, #2. Velmora", "Quillon"), 1)
    assert.strictEqual(rankIn("Quillon: #1. Velmora: #2. Trask: #3."), 2)
  })

  it("is not a score, which counts down without reaching first place, nor a number in a column of scores", () => {
    const scores = [
      "Scores:\n9 - Quillon\n8 - Velmora\n7 - Trask",
      "| Score | Brand |\n|---|---|\n| 9 | Quillon |\n| 8 | Velmora |\n| 7 | Trask |"
    ]
    assert.deepStrictEqual(ranked(scores), allRanked(scores, 1, 2))
    const places = Array.from({ length: 9 }, (_, at) => `${10 - at}. **Ozmara${at}** – cheap.`).join("\n")
    assert.strictEqual(rankIn(`${places}\n1. **Velmora** – best.`, "Ozmara0"), 10)
    const described = `4. **Quillon**\n   - fast\n3. **Velmora**\n   - light\n2. **Quillon Pro**\n1. **Trask**`
    assert.deepStrictEqual(ranked([described]), [[described, 4, 3]])
  })

  it("is the number on its own line, or on a line that holds nothing else", () => {
    const lists = [
      "- **Velmora** (#3)\n- **Quillon** (#1)\n- **Trask** (#2)",
      "Velmora - #3\nQuillon - #1\nTrask - #2",
      "- #2 Trask\n- #3 Velmora\n- #1 Quillon",
      "- Trask is second\n- Velmora is third\n- Quillon is first",
      "#3\n**Velmora**\n\n#2\n**Trask**\n\n#1\n**Quillon**",
      "## Quillon\n#1 overall.\n\n## Velmora\n#3 overall."
    ]
    assert.deepStrictEqual(ranked(lists), allRanked(lists, 1, 3))
    assert.strictEqual(rankIn("Best: Velmora\n#2 Quillon"), 1)
    assert.strictEqual(rankIn("- Velmora\n- #1 Quillon\n- #2 Trask", "Quillon"), 1)
  })

  it("is not read from HTML tags, which form no chain", () => {
    for (const text of ["<p>We like <b>Velmora</b> and <b>Quillon</b>.</p>", "<ul><li><b>Velmora</b>: good</li></ul>"])
      assert.strictEqual(rankIn(text), 1, text)
    assert.strictEqual(rankIn("<p>My ranking: Quillon > <b>Trask</b> > <b>Velmora</b></p>"), 3)
  })

  it("is the place in a chain, which ends with its sentence", () => {
    const chain =
      "My ranking: Nike > Adidas > Puma. Nike is light, Adidas has Kelvane, and Kelvane lasts. Velmora is new."
    assert.deepStrictEqual([rankIn(chain, "Puma"), rankIn(chain)], [3, 5])
    assert.strictEqual(rankIn("We know Velmora. My ranking: Quillon > Trask > Velmora. All are fine."), 3)
  })

  it("is the place in a chain with other arrows, with its cue on the line above, or from worst to best, but not in a remark with commas", () => {
    for (const arrow of ["≻", "›"]) assert.strictEqual(rankIn(`My ranking: Quillon ${arrow} Trask ${arrow} Velmora`), 3)
    assert.strictEqual(rankIn("My ranking:\nQuillon > Velmora"), 2)
    assert.strictEqual(rankIn("Worst to best:\nTrask > Velmora > Quillon", "Quillon"), 1)
    assert.strictEqual(rankIn("Ranking depends on a lot: what you pay for it each month, support, and Velmora."), 1)
  })

  it('is behind the brand it is compared with by "vs"', () => {
    assert.strictEqual(rankIn("Quillon vs Velmora: both are fine, but Velmora is cheaper."), 2)
  })

  it("is that of its item even where the item, row or line first states an audience or a purpose", () => {
    const lists = [
      "1. For small teams: **Quillon**\n2. For large ones: **Velmora**",
      "1. **For small teams:** Quillon is easy\n2. **For enterprises:** Velmora scales",
      "- If you are alone: Quillon\n- If you need speed: Velmora",
      "* **For teams:** the [Quillon Go](https://quillon.com)\n* **For one:** the [Velmora S2](https://velmora.com)",
      "1. Für kleine Teams: **Quillon**\n2. Wenn es schnell gehen soll: **Velmora**",
      "- Le meilleur choix : Quillon\n- Pour les pros : Velmora",
      "1. **Mejor en general:** Quillon\n2. **Para empresas:** Velmora",
      "| Need | Pick |\n|---|---|\n| Speed | **Quillon** |\n| Scale | **Velmora** |",
      "| Situation | Go with |\n|---|---|\n| Speed | **Quillon** |\n| Scale | **Velmora** |",
      "Best overall: Quillon Go\nRunner-up: Velmora S2",
      "Winner: Quillon\n\nBest budget: Velmora"
    ]
    assert.deepStrictEqual(ranked(lists), allRanked(lists, 1, 2))
  })

  it("ignores advice beside it, remarks and bold words", () => {
    const texts = [
      [
        "- For beginners: start small with Trask\n- For experts: invest more\n\nWe like Quillon, Velmora and Quillon.",
        2
      ],
      ["Trask: it is free.\nBest of all: it is free.\n\nWe like Quillon, Velmora and Quillon.", 2],
      ["**Best overall**: Quillon, **Best budget**: Trask, **Best value**: Velmora", 3],
      ["- Für Profis: 20 €\n- Quillon\n- Velmora", 2],
      ["| Tool | Speed |\n|---|---|\n| Quillon | **Trask Go** |\n| Ozmara | **Trask S** |\n| Velmora | **Fast** |", 3],
      ["| Tool | Speed |\n|---|---|\n| Price | **Cheap** |\n| Quillon | **Fast** |\n| Velmora | **Slow** |", 2],
      ["| Tool | Speed |\n|---|---|\n| Quillon | **Fast** |\n| Apple | **Quillon Go** |\n| Velmora | **Slow** |", 3]
    ] as const
    for (const [text, rank] of texts) assert.strictEqual(rankIn(text), rank, text)
  })

  it("is the order of the names that stand before colons in running text or on lines", () => {
    const texts = [
      'Top picks: Quillon Desk: a sturdy one.Velmora Max (M2, 13"): a quick one.Ozmara One: it has sold 2.0 million.',
      "TVs have come far. Most TVs are bright. Quillon V1: bright. Velmora U8/U8N: brighter. Ozmara QM7: cheap.",
      "Here are three.\n\nQuillon Desk: sturdy.\nVelmora Max: quick.\nOzmara One: cheap.",
      "Quillon Go: Pros: it is for HBO. Cons: HBO is dear. Velmora X: Pros: quiet. Max: Pros: films.",
      "Best overall: Quillon Desk: sturdy. Best Chromebook: Velmora Max: quick. Best value: Ozmara One: cheap.",
      "Non-toxic: safe to use. HDMI: a port. Adjustable Humidistat: handy. Quillon A 45 Sq. Ft. Desk: ok. Velmora B: ok. Ozmara C: ok."
    ]
    assert.deepStrictEqual(ranked(texts), allRanked(texts, 1, 2))
    assert.strictEqual(rankIn("We like Velmora. Quillon Desk: sturdy. Velmora Max: quick. Ozmara One: cheap."), 1)
    assert.strictEqual(rankIn("Quillon XE75: good. eero Pro 6E: easy. Velmora 970: quick."), 3)
  })

  it("ignores labels, quoted sources and other words before colons", () => {
    const texts = [
      'Trask Review: "Quillon leads." Ozmara Weekly: "Velmora and Quillon shine." Lumo Guide: "Velmora is next."',
      "Quillon X1 and Velmora X2 compared. Display: OLED. Chipset: A17. Bluetooth: 5.3. USB-C: yes. Quillon X1 and Velmora X2 last.",
      "Hyaluronic acid: hydrates. Niacinamide: calms. Salicylic acid: clears. Quillon and Velmora have all; Quillon is milder than Velmora.",
      "Hyaluronic Acid: hydrates. Broad Spectrum SPF: protects. Jojoba Oil: calms. Salicylic Acid: clears. Quillon and Velmora are Quillon's.",
      "Two stand out: Quillon and Velmora. Price: Quillon is cheap. Support: Velmora answers. Verdict: Velmora or Quillon.",
      "At 10:30 Quillon opened. Score: 3:2 for Velmora. Quillon and Velmora drew at 12:15.",
      "See https://trask.example: it is fine. Quillon beats Velmora: it is fast. Velmora follows Quillon: it is cheap."
    ]
    assert.deepStrictEqual(ranked(texts), allRanked(texts, 1, 2))
  })

  it("does not count a label that holds an uncommon word", () => {
    const texts = [
      "- **Best Chromebook:** Quillon Spin\n- **Top MacBook:** Velmora Air",
      "- For Kubernetes: Quillon Cloud\n- For WordPress: Velmora Host",
      "- **Quillon**: fine\n\nDownsides\n\n- Downsides: it is slow\n- **Velmora**: fine"
    ]
    assert.deepStrictEqual(ranked(texts), allRanked(texts, 1, 2))
    assert.strictEqual(rankIn("- **Best Buy**: wide\n- **Best Western**: quiet\n- **Velmora**: new"), 3)
  })

  it("is that of the head whose brackets give the name as its former name or its owner", () => {
    for (const opening of ["", "by ", "formerly ", "formerly known as ", "owned by ", "now "])
      assert.strictEqual(
        rankIn(`- **Quillon**: fair\n- **Ozmara** (${opening}Velmora): big\n- **Trask**: small`),
        2,
        opening
      )
    assert.strictEqual(rankIn("- **Quillon**: fair\n- **Ozmara** (better than Velmora): big\n- **Trask**: small"), 3)
  })

  it("comes after the listed brands where the list replaces the brand", () => {
    const list = "\n\n- **Quillon**: cheap.\n- **Trask**: cheaper than Velmora.\n"
    const openings = [
      "If Velmora is too expensive:",
      "Since Velmora isn't sold here, look at these:",
      "Alternatives to Velmora:",
      "Here are Velmora's competitors:",
      "## The 5 Best Velmora Alternatives",
      "## Velmora alternatives",
      "**Velmora alternatives**",
      "**Alternatives to Velmora:**",
      "Looking for alternatives to **Velmora**? Here are two.",
      "Do you need a **Velmora** alternative? Here are two.",
      "If **Velmora** is too expensive, consider these:"
    ]
    assert.deepStrictEqual(
      ranked(openings.map((opening) => opening + list)),
      allRanked(
        openings.map((opening) => opening + list),
        1,
        3
      )
    )
    const others = [
      "Velmora is the best. Alternatives to it:",
      "If Velmora is your choice, buy it soon. Others:",
      "Velmora is too loud for some:",
      "An alternative to Velmora is worth a look, but not more."
    ]
    for (const opening of others) assert.strictEqual(rankIn(opening + list), 1, opening)
    const lines = [
      "Alternatives to Velmora: Quillon, Trask.",
      "Velmora alternatives: Quillon and Trask",
      "Good alternatives to **Velmora**: Quillon, and Trask",
      "Alternatives to Velmora include Quillon and Trask. Quillon is cheap, Trask is not.",
      "If Velmora is too expensive, consider these: 1. Quillon 2. Trask",
      "Since Velmora isn't sold here, look at these: **1) Quillon** – fair. **2) Trask** – light."
    ]
    assert.deepStrictEqual(ranked(lines), allRanked(lines, 1, 3))
    assert.strictEqual(rankIn("Alternatives to Slack include Microsoft Teams and Discord.", "Slack"), 3)
    for (const line of [
      "If Velmora is too expensive, wait: it falls. Nike is ok.",
      "Velmora alternatives are rare. Nike is ok."
    ])
      assert.strictEqual(rankIn(line), 1, line)
    assert.strictEqual(rankIn("Alternatives to Velmora:\n\n- **Velmora** itself.\n- **Quillon**: cheap."), 1)
  })
})
