/**
 * Which brands an answer names, and in which order.
 *
 * Planted and seen red:
 * - the surface's entities are ignored, or running text is read beside a structured answer
 * - a brand is shown as it is written last, or as its folded key
 * - there is no bound on the number of brands
 * - the position of a head is used instead of that of a first mention, or a mention in a citation counts as one
 * - the numbers of a list are ignored
 * - Pixel is named instead of Google
 * - a series is read only before unknown names, only in English, or only with its "Both"
 * - questions in headings, headings with "best" in another language, the row labels of a table with names across, or the attributes of
 *   each item are taken for names; every table is taken for one with names across
 * - guidance, by ingredients among others, is taken for names; what follows guidance, or any line with its words, is taken for
 *   guidance
 * - the tags of product cards are taken for names; a brand, a heading of the same depth, a numbered heading, or one that is further
 *   below or not on a card is taken for a tag
 * - words before colons, and kinds, even above unknown names, are taken for names
 * - names above their attributes, or known brands above unknown names, are taken for kinds
 * - known brands that are ordinary words are not read at the head of longer names
 * - signs are left out of the key, of the name, of running text or of the search for a name; "plus" counts as no sign; a sign before a
 *   letter counts as one
 * - only the first item of an inline list is read, or any numbers on a line are taken for a list
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn, brandsWith } from "@sightline/domain/Brands"

const said = (text: string, ...names: ReadonlyArray<string>) =>
  brandsIn({ text, brandEntities: names.map((name) => ({ name })) })

describe("the brands of an answer", () => {
  it("are the names of its list, once each, as they are written and in their order", () => {
    const text =
      "1. **HubSpot CRM** – free to begin with.\n2. **Zoho** – cheap. Unlike Salesforce.\n3. **HUBSPOT Sales Hub** – more."
    assert.deepStrictEqual(said(text), ["HubSpot", "Zoho"])
  })

  it("are, in running text, the names that recur or are well known", () => {
    assert.deepStrictEqual(said("Most people like Nike. Corvane is lighter, and Corvane lasts; Blorf is not bad."), [
      "Nike",
      "Corvane"
    ])
  })

  it("keep their accents and capitals", () => {
    assert.deepStrictEqual(said("1. **Nestlé** is big.\n2. **L’Oréal** is bigger.")[0], "Nestlé")
  })

  it("differ by a sign that closes the name, wherever they stand", () => {
    const rank = (text: string, brand: string) => findBrand({ text, brandEntities: [] }, brand).rank
    const languages = "1. **C** is old.\n2. **C++** is fast.\n3. **C#** is tidy.\n4. **Java** is everywhere."
    assert.deepStrictEqual(said(languages), ["C", "C++", "C#", "Java"])
    assert.deepStrictEqual(
      ["C", "C++", "C#", "Java"].map((name) => rank(languages, name)),
      [1, 2, 3, 4]
    )
    const services = "- **Netflix**: films\n- **Disney+**: families\n- **Hulu**: series\n- **Disney**: parks"
    for (const text of [services, "Netflix, Disney+ and Hulu are liked. Disney owns Hulu."]) {
      assert.deepStrictEqual(said(text), ["Netflix", "Disney+", "Hulu", "Disney"])
      assert.deepStrictEqual([rank(text, "Disney Plus"), rank(text, "Disney")], [2, 4])
    }
    assert.deepStrictEqual(said("Nike+ counts steps. Most people like Nike. Corvane+ lasts; nothing beats Corvane+."), [
      "Nike+",
      "Nike",
      "Corvane+"
    ])
    assert.deepStrictEqual(said("Disney+ or Acme: neither is dear.", "Disney", "Acme"), ["Acme"])
    assert.deepStrictEqual(said("- **Nestlé+**: new\n- **Nestlé**: old\n- **Disney Plus** ends"), [
      "Nestlé+",
      "Nestlé",
      "Disney Plus"
    ])
    assert.deepStrictEqual(said("- **Disney+**: films\n- **Disney Plus**: films\n- **Quillon+Trask**: tools"), [
      "Disney+",
      "Quillon"
    ])
  })

  it("are the surface's own entities where it marks any up, as far as the text names them", () => {
    assert.deepStrictEqual(said("Try Globex before Acme, or Hooli.", "Acme", "Globex", "Initech"), ["Globex", "Acme"])
  })

  it("are none in an answer that names none", () => {
    assert.deepStrictEqual(said("It depends on what you need. Prices vary."), [])
    assert.deepStrictEqual(said(""), [])
  })

  it("are not the questions of headings, the row labels of a table, nor the attributes of an item", () => {
    const list = "1. Quillon A1\n2. Velmora K1"
    assert.deepStrictEqual(said(`${list}\n\n## Why Quillon?\nSpeed.\n\n## What about Trask?\nCheap.`), [
      "Quillon",
      "Velmora"
    ])
    for (const corner of ["", "Feature", "Specs"])
      assert.deepStrictEqual(
        said(
          `| ${corner} | Quillon P1 | Velmora F1 |\n|---|---|---|\n| Polyphony | 64 | 96 |\n| Speakers | 14 W | 12 W |`
        ),
        ["Quillon", "Velmora"],
        corner
      )
    assert.deepStrictEqual(
      said("| | Capterra | Trustpilot |\n|---|---|---|\n| Quillon | 4.1 | 4.2 |").at(-1),
      "Quillon"
    )
    for (const heading of ["Mejores pies de gato", "Die besten Laptops", "Les meilleurs vélos", "Melhores celulares"])
      assert.deepStrictEqual(said(`## ${heading}\n\n- **Quillon** – fair\n- **Velmora** – light`), [
        "Quillon",
        "Velmora"
      ])
    const told = ["- Aperture: 102 mm", "- **Mount**: Dobsonian"].join("\n")
    assert.deepStrictEqual(said(`**Quillon A1**\n${told}\n\n**Velmora K1**\n${told}`), ["Quillon", "Velmora"])
    const again = "- Nike: light\n- Quillon: firm"
    assert.deepStrictEqual(said(`For roads:\n${again}\n\nFor trails:\n${again}`), ["Nike", "Quillon"])
  })

  it("are not items of guidance, up to the point where names are listed again", () => {
    const picks = "- Quillon: fair\n- Velmora: light"
    const advice = "- Ozmara: ask for it\n- Trask: avoid it"
    const leads = [
      "## How to choose",
      "**What to look for:**",
      "Neighborhood tips:",
      "Things to consider:  ",
      "### Key ingredients to look for:",
      "**Specs you should check**",
      "**Ingredients:**",
      "**Tips for buyers**",
      "## Cómo elegir",
      "**Worauf Sie achten sollten:**",
      "## Comment choisir ?",
      "Dicas:",
      "### Cosa considerare",
      "## 選び方のポイント",
      "**选购建议：**",
      "## Как выбрать",
      "## Waar moet je op letten?",
      "## Nasıl seçilir"
    ]
    for (const lead of leads) {
      assert.deepStrictEqual(said(`${picks}\n\n${lead}\n${advice}`), ["Quillon", "Velmora"], lead)
      for (const next of lead.startsWith("#") ? ["## Picks"] : ["## Picks", "**Picks**", "Picks:"])
        assert.deepStrictEqual(said(`${lead}\n${advice}\n\n${next}\n${picks}`), ["Quillon", "Velmora"], lead + next)
    }
    assert.deepStrictEqual(said(`## Quillon\n\n## Velmora\n\n## How to choose\nMind this:\n${advice}`), [
      "Quillon",
      "Velmora"
    ])
    assert.deepStrictEqual(said("## How to choose\n1. Ask Ozmara\n2. Avoid Trask\n\n## Picks\n" + picks), [
      "Quillon",
      "Velmora"
    ])
    for (const told of ["Tips: ask for it", "**Tips:**\n   - Ask for it"])
      assert.deepStrictEqual(said(`1. Quillon\n   ${told}\n2. Velmora\n   ${told}`), ["Quillon", "Velmora"], told)
    for (const lead of ["Brands with few ingredients:", "## Key materials", "Terms apply to these:"])
      assert.deepStrictEqual(said(`${lead}\n${picks}`).slice(-2), ["Quillon", "Velmora"], lead)
    assert.deepStrictEqual(said(`## Top picks and tips\n${picks}`), ["Quillon", "Velmora"])
    assert.deepStrictEqual(said(`**Where to stay in Lisbon**\n\n${picks}`), ["Quillon", "Velmora"])
  })

  it("are 50 at most", () => {
    const text = Array.from({ length: 80 }, (_, n) => `${n + 1}. **Zzq${"abcdefghij"[n % 10]}${n}x** – fine.`).join(
      "\n"
    )
    assert.lengthOf(said(text), 50)
  })

  it("stand where the answer first mentions them, even above the list that presents them", () => {
    const list = "- **Quillon** – cheap.\n- **Velmora** – light."
    const text = `Is Velmora better than Quillon?\n\n${list}`
    assert.deepStrictEqual(said(text), ["Velmora", "Quillon"])
    assert.deepStrictEqual(said(`([Velmora against Quillon](https://shop.example/))\n\n${list}`), [
      "Quillon",
      "Velmora"
    ])
    for (const [place, name] of ["Velmora", "Quillon"].entries())
      assert.strictEqual(findBrand({ text, brandEntities: [] }, name).rank, place + 1)
  })

  it("stand in the order of a numbered list, and brands outside the list come after it", () => {
    assert.deepStrictEqual(said("3. Quillon\n2. Velmora\n1. Hydrelle"), ["Hydrelle", "Velmora", "Quillon"])
    assert.deepStrictEqual(said("**Okello** is new.\n\n1. **Quillon**\n2. **Velmora**"), [
      "Quillon",
      "Velmora",
      "Okello"
    ])
  })

  it("stand by the numbers of bold runs within a line", () => {
    assert.deepStrictEqual(said("Ours: **2. Quillon** is soft, **1. Velmora** is firm."), ["Velmora", "Quillon"])
  })

  it("may be ordinary words at the head of a name, once the text uses them surely as a name", () => {
    assert.deepStrictEqual(
      said("Top picks: Google Pixel 9a has a 120Hz OLED. Sony is dear. Look at what Google makes."),
      ["Google", "Sony"]
    )
  })

  it("include, in a series with a recurring name, the names before it", () => {
    assert.deepStrictEqual(said("Popular are Brennick, Tolva and Marrowby, although Tolva has fewer shops."), [
      "Brennick",
      "Tolva"
    ])
    assert.deepStrictEqual(said("Popular picks include Brennick, Nike and Hoka."), ["Brennick", "Nike", "Hoka"])
    assert.deepStrictEqual(said("Both Brennick and Nike sell it."), ["Brennick", "Nike"])
    for (const joint of ["en", "и", "oder", "ou"])
      assert.deepStrictEqual(said(`Brennick ${joint} Nike`), ["Brennick", "Nike"], joint)
  })

  it("are the names that a list gives after the audience or purpose of each", () => {
    const text =
      "- Small teams: Quillon\n- **Startups:** Mercury\n- Developers: Framer (new)\n- Enterprise: Velmora – dear"
    assert.deepStrictEqual(said(text), ["Quillon", "Mercury", "Framer", "Velmora"])
    assert.strictEqual(findBrand({ text, brandEntities: [] }, "Velmora").rank, 4)
    const told = "- **Linear:** Fast issue tracking\n- **Harvest:** Time tracking\n- **Toggl:** GitHub works too"
    assert.deepStrictEqual(said(told), ["Linear", "Harvest", "Toggl"])
    const facts = "**Quillon**\n- Integrations: Slack\n- Price: $20\n- Storage: 5 GB\n\n**Velmora**\n- Works with: Zoom"
    assert.deepStrictEqual(said(facts), ["Quillon", "Velmora"])
  })

  it("are the names that a line lists by numbers after a colon, or as alternatives to another brand", () => {
    for (const line of [
      "My picks: 1. Quillon, 2. Kettle and 3. Velmora Go",
      "**My picks:** 1) Quillon – fair. 2) Kettle (new) 3) **Velmora** lasts.",
      "Alternatives to Slack: Quillon, Kettle, and Velmora.",
      "Slack competitors: Quillon, Kettle or Velmora"
    ])
      assert.deepStrictEqual(said(line), ["Quillon", "Kettle", "Velmora"], line)
    const tail = "Quillon beats Velmora; Velmora is lighter than Quillon."
    for (const line of [
      "It is version 1. It costs $2. Trask is 3. ",
      "Two rules: 1. Ask first. 2. Pay last. ",
      "Pick: 1. Trask. "
    ])
      assert.deepStrictEqual(said(line + tail).slice(-2), ["Quillon", "Velmora"], line)
    assert.deepStrictEqual(said("Alternatives to sugar: honey, which is sweet, and more. " + tail), [
      "Quillon",
      "Velmora"
    ])
  })

  it("are not the tags right below the names of product cards, one heading level deeper", () => {
    const card = (name: string, tag: string) => `### [${name}](https://shop.example/)\n\n${tag}\n\nIt is good.`
    const second = card("Velmora S2", "#### Budget-Friendly")
    for (const tag of ["Long Battery Life", "Multifunctional", "Best ANC"])
      assert.deepStrictEqual(said(`${card("Quillon X1", `#### ${tag}`)}\n\n${second}`), ["Quillon", "Velmora"], tag)
    for (const heading of [
      "#### Sony",
      "### Multifunctional",
      "#### 1. Multifunctional",
      "Buy it.\n\n#### Multifunctional"
    ])
      assert.lengthOf(said(`${card("Quillon X1", heading)}\n\n${second}`), 3, heading)
    assert.lengthOf(said("## Ozmara\n\n### Quillon\nIt is good.\n\n### Velmora"), 3)
  })

  it("are listed below their kind, even where the kind is also a brand's name", () => {
    for (const title of ["## Enterprise", "**Enterprise**", "### **Enterprise:**", "## Startups"]) {
      const text = `${title}\n- Salesforce\n- Oracle\n\n## Small business\n- HubSpot`
      assert.deepStrictEqual(said(text), ["Salesforce", "Oracle", "HubSpot"], title)
    }
    for (const list of ["- **Quillon** – chat\n- **Velmora Mail:** mail", "1. Quillon (chat)\n\n2. Nike for sports"])
      assert.strictEqual(said(`### Communication\n\n${list}`)[0], "Quillon", list)
    assert.deepStrictEqual(said("## Target\n- Nike\n- Quillon\n\n## Velmora"), ["Target", "Velmora"])
    for (const told of ["- **Bluetooth:** 5.3\n- **HDMI**: two", "- **Display** – bright\n- **Battery** – long"])
      assert.deepStrictEqual(said(`### Kettle\n${told}\n\n### Velmora\n${told}`), ["Kettle", "Velmora"], told)
    assert.deepStrictEqual(said("## Apple\n- iPhone 16\n- MacBook Air\n\n## Samsung\n- Galaxy"), ["Apple", "Samsung"])
    assert.deepStrictEqual(said("**Target** – cheap\n- Nike\n- Adidas"), ["Target", "Nike", "Adidas"])
  })

  it("include, in running text, brands at the head of a longer name, even where they are ordinary words", () => {
    assert.deepStrictEqual(said("While Apple Watch is good, Garmin lasts longer."), ["Apple", "Garmin"])
    assert.deepStrictEqual(said("Garmin lasts longer than the Apple Watch Ultra."), ["Garmin", "Apple"])
    assert.deepStrictEqual(said("Good laptops: Dell XPS 13, HP Spectre x360 and Acer Swift."), ["Dell", "HP", "Acer"])
    assert.deepStrictEqual(said("Discover Hidden Gems. Garmin lasts."), ["Garmin"])
  })

  it("have the requested brand at its rank", () => {
    const brands = ["Globex", "Initech", "Hooli"]
    assert.deepStrictEqual(brandsWith(brands, "Initech Inc.", 2), brands)
    assert.deepStrictEqual(brandsWith(brands, "hooli", 1), ["Hooli", "Globex", "Initech"])
    assert.deepStrictEqual(brandsWith(brands, "Acme", 2), ["Globex", "Acme", "Initech", "Hooli"])
    assert.deepStrictEqual(brandsWith(brands, "Globex", 7), ["Initech", "Hooli", "Globex"])
  })

  it("stand in the order by which ranks are counted", () => {
    const text = "1. **Globex** leads.\n2. **Initech** is next.\n3. **Acme** is cheap.\n4. **Hooli** is not."
    const brands = said(text)
    for (const [place, name] of brands.entries())
      assert.strictEqual(findBrand({ text, brandEntities: [] }, name).rank, place + 1)
    assert.lengthOf(brands, 4)
  })
})
