/**
 * The brands of running text in Chinese, Japanese, Korean and Turkish: the subjects of its sentences and the names that it advises,
 * even where each is mentioned only once.
 *
 * Planted and seen red:
 * - each way of naming is left out
 * - a dictionary word is taken for a name
 * - a particle is accepted that does not fit the last sound of the name
 * - a hypothetical subject, a place, a founder, a model or a title is taken for a brand
 * - names are taken where the text is not about brands
 * - places that Japanese counts are not read
 * - a brand that was asked for does not show that the names before it are brands
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const said = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

/** The brands of a text, after checking that each has the rank of its order. */
const ranked = (text: string): ReadonlyArray<string> => {
  const names = said(text)
  for (const [place, brand] of names.entries())
    assert.strictEqual(findBrand({ text, brandEntities: [] }, brand).rank, place + 1, brand)
  return names
}

describe("a name that is mentioned once in prose", () => {
  it("is read in Chinese where its characters form no word and a sentence is about it or advises it", () => {
    assert.deepStrictEqual(
      ranked("买鞋先看大小。凝斐的鞋底很软，价格不高。预算有限可以试试科芙丝，也很耐穿。口碑最好的是珞飒，穿着不累。"),
      ["凝斐", "科芙丝", "珞飒"]
    )
  })

  it("is read in Chinese where a single character stands beside a word", () => {
    assert.deepStrictEqual(ranked("买鞋先看大小。推荐签立方，收费不高。如果在意颜色，阿里云也可以。"), [
      "签立方",
      "阿里云"
    ])
  })

  it("is read in Chinese in Latin letters, without model numbers and technical terms", () => {
    assert.deepStrictEqual(
      ranked("买鞋先看大小。Zorvane 的鞋底很软。Python 也有人用。预算有限可以试试 Quellix，也可以考虑 WH-1000。"),
      ["Zorvane", "Quellix"]
    )
  })

  it("is read in Japanese as a topic, after a word for choosing, or after のは", () => {
    assert.deepStrictEqual(
      ranked(
        "靴は大きさで選びましょう。タスクリオは軽いです。雨の日に履くならカタリンクが合います。人気なのは鳥居屋で、丈夫です。"
      ),
      ["タスクリオ", "カタリンク", "鳥居屋"]
    )
    assert.deepStrictEqual(ranked("靴は大きさで選びましょう。Zorvaneは軽いです。安さで選べばQuellixが合います。"), [
      "Zorvane",
      "Quellix"
    ])
  })

  it("is read in Korean with the particle that its last sound requires", () => {
    assert.deepStrictEqual(
      ranked(
        "신발은 크기부터 보세요. 여린결은 가벼운 브랜드입니다. 비가 온다면 닥터지가 좋습니다. 오래 걷는다면 로보락을 추천합니다."
      ),
      ["여린결", "닥터지", "로보락"]
    )
    assert.deepStrictEqual(said("신발은 크기부터 보세요. 여린결는 브랜드입니다. 비가 온다면 닥터지이 좋습니다."), [])
  })

  it("is read in Turkish with a capital inside a sentence, with a suffix after an apostrophe, or as the subject of a sentence", () => {
    assert.deepStrictEqual(
      ranked(
        "Ayakkabıda önce tabana bakın. Zelvani'nin fiyatı çok uygun. Yağmur için Kelvira'yı öneririm. Pelvara ise daha hafif."
      ),
      ["Zelvani", "Kelvira", "Pelvara"]
    )
  })
})

describe("what is no name", () => {
  const cases: ReadonlyArray<readonly [what: string, text: string, names: ReadonlyArray<string>]> = [
    [
      "a word of Chinese",
      "买鞋先看大小。凝斐的口碑很好。颜色的选择很多。可以试试珞飒。可以试试价格。",
      ["凝斐", "珞飒"]
    ],
    ["when, in Chinese", "买鞋先看大小。凝斐的口碑好。可以试试珞飒。签绅前要看合同。", ["凝斐", "珞飒"]],
    [
      "a word in katakana",
      "靴は大きさで選びましょう。Zorvaneは軽いです。レントゲンは要りません。安さで選べばQuellixが合います。",
      ["Zorvane", "Quellix"]
    ],
    [
      "who owns, in Japanese",
      "靴は大きさで選びましょう。Zorvaneは軽いです。安さで選べばデロンギが展開するQuellixが合います。",
      ["Zorvane", "Quellix"]
    ],
    [
      "what is only supposed, in Korean",
      "신발은 크기부터 보세요. 여린결은 가벼운 브랜드입니다. 반려견이 있다면 닥터지가 좋습니다.",
      ["여린결", "닥터지"]
    ],
    [
      "a place, in Turkish",
      "Önce tabana bakın. Zelvani'nin fiyatı uygun. Yağmur için Kelvira'yı öneririm. Bolu'da kar yağar.",
      ["Zelvani", "Kelvira"]
    ],
    [
      "a town, in Turkish",
      "Önce tabana bakın. Zelvani'nin fiyatı uygun. Yağmur için Kelvira'yı öneririm. Ankara'yı kar tutar.",
      ["Zelvani", "Kelvira"]
    ],
    [
      "a founder, in Turkish",
      "Önce tabana bakın. Zelvani'nin fiyatı uygun. Dr. Ali Veli'nin kurduğu yer de var. Bence Kelvira'yı deneyin.",
      ["Zelvani", "Kelvira"]
    ],
    [
      "a model, in Turkish",
      "Önce tabana bakın. Zelvani'nin fiyatı uygun. Bence Kelvira'yı deneyin. Bu yıl X20 serisi var.",
      ["Zelvani", "Kelvira"]
    ],
    [
      "where something is bought, in Turkish",
      "Önce tabana bakın. Zelvani'nin fiyatı uygun. Bence Kelvira'yı deneyin. İkisi de Trendyol'da var.",
      ["Zelvani", "Kelvira"]
    ]
  ]
  for (const [what, text, names] of cases)
    it(`is ${what}`, () => {
      assert.deepStrictEqual(said(text), names)
    })
})

describe("prose that is not about brands", () => {
  const texts: ReadonlyArray<string> = [
    "川藏线自驾游最好选在五月或九月。理塘海拔四千米，容易出现高原反应。稻城亚丁的风景非常壮观，门票可以网上购买。",
    "学习编程的第一步是选择一门语言。Python 语法简单，适合零基础的人；如果想做网页，JavaScript 是绕不开的。",
    "犬を飼うなら、散歩の時間を考えてください。ゴールデンレトリバーは穏やかで、子どものいる家庭に向いています。ワクチンは毎年必要です。",
    "東京で部屋を探すなら、駅からの距離が最も重要です。渋谷は便利ですが家賃が高く、練馬なら同じ予算で広い部屋を借りられます。",
    "강원도를 여행한다면 가을이 가장 좋습니다. 설악산은 단풍이 아름답고 경포대는 일출로 유명합니다. 이동에는 렌터카가 편리합니다.",
    "강아지를 키우려면 산책 시간을 고려해야 합니다. 골든리트리버는 온순해서 아이가 있는 집에 알맞습니다. 웰시코기는 활발합니다.",
    "Türk edebiyatına Sabahattin Ali'yle başlamak iyi bir fikirdir. Yaşar Kemal Çukurova'yı anlatır, Orhan Pamuk ise İstanbul'u yazar.",
    "Karadeniz gezisi için en iyi zaman yazdır. Rize çay bahçeleriyle, Trabzon ise yaylalarıyla ünlüdür. Uzungöl'ü sabah gezin."
  ]
  for (const text of texts)
    it(`names none: ${text.slice(0, 24)}`, () => {
      assert.deepStrictEqual(said(text), [])
    })
})

describe("a name in another script than the text", () => {
  it("does not hide the names that the text is about", () => {
    assert.deepStrictEqual(
      said(
        "Zorvane ofrece suelas que son para la ciudad. Quellix tiene más. La de 小米 cuesta menos que las de la casa."
      ),
      ["Zorvane", "Quellix"]
    )
  })
})

describe("a name in Chinese", () => {
  it("is one that ends in what a company does, one that is called a brand, and a world brand in Chinese letters", () => {
    assert.deepStrictEqual(
      ranked("买鞋先看大小。预算高可以考虑凝斐设计，收费透明。科芙丝这个新品牌的口碑也好。老大哥西门子价格高。"),
      ["凝斐设计", "科芙丝", "西门子"]
    )
  })

  it("is one in Latin letters behind a place or a modal verb", () => {
    assert.deepStrictEqual(ranked("买鞋先看大小。跑鞋里 Zorvane 依然是首选。会动手的人可以研究 Quellix，也不难。"), [
      "Zorvane",
      "Quellix"
    ])
  })

  it("is no word that the dictionary lacks, no clause before a comma, and nothing that begins or ends as a word", () => {
    assert.deepStrictEqual(said("买鞋先看大小。凝斐的口碑好。缓震的差别很大。老牌子也好。论外观，珞飒的鞋好看。"), [
      "凝斐",
      "珞飒"
    ])
  })
})

describe("a name in Japanese", () => {
  it("is one that is recommended in any clause, whose product is named, or that is said to be a brand", () => {
    assert.deepStrictEqual(
      ranked(
        "靴は大きさで選びましょう。雨の日に履くなら、ボルメリアのTR5000が軽いです。通勤の場合、タスクリオが有力な候補です。安さを求めるならおクツナビを試してください。モリノリオという会社もあります。"
      ),
      ["ボルメリア", "タスクリオ", "おクツナビ", "モリノリオ"]
    )
  })

  it("is a world brand although it is a word, and no everyday loanword, product or counted thing", () => {
    assert.deepStrictEqual(
      said(
        "靴は大きさで選びましょう。定番はナイキで、軽いです。イヤホンは要りません。買い物リストも便利です。最初の一着ならZorvaneをおすすめします。"
      ),
      ["ナイキ", "Zorvane"]
    )
  })
})

describe("a name in Korean", () => {
  it("is one in quotes, after a description, or that one goes with", () => {
    assert.deepStrictEqual(
      ranked(
        "신발은 크기부터 보세요. '여린결'은 가벼운 브랜드입니다. 신발이 가볍기로 유명한 닥터지는 오래갑니다. 처음 사는 사람은 로보락으로 시작해 보세요."
      ),
      ["여린결", "닥터지", "로보락"]
    )
  })

  it("is one that ends as a particle does, and no noun whose advice is about another", () => {
    assert.deepStrictEqual(
      said(
        "신발은 크기부터 보세요. 구두나라는 가벼운 브랜드입니다. 튼튼한 신발을 자주 사는 분에게는 여린결을 추천합니다. 보습제가 좋습니다."
      ),
      ["구두나라", "여린결"]
    )
  })
})

describe("a brand that was asked for", () => {
  const rank = (text: string, brand: string) => findBrand({ text, brandEntities: [] }, brand).rank

  it("shows that the names before it are brands, where nothing else does", () => {
    const text = "신발은 크기부터 보세요. 여린결은 가볍고 튼튼합니다. 비가 온다면 닥터지가 좋습니다."
    assert.deepStrictEqual(said(text), [])
    assert.deepStrictEqual([rank(text, "여린결"), rank(text, "닥터지")], [1, 2])
  })

  it("does not where the answer is in another language or has a list", () => {
    assert.strictEqual(rank("Zorvane was light. Ask for Quellix instead.", "Quellix"), 1)
    assert.strictEqual(rank("여린결은 가볍습니다.\n\n- 닥터지: 가벼움\n- 로보락: 튼튼함", "닥터지"), 1)
  })
})

describe("a place in Chinese or Korean", () => {
  it("is read behind the name and behind 给, and in a sentence that counts", () => {
    const rank = (text: string, brand: string) => findBrand({ text, brandEntities: [] }, brand).rank
    const places = (text: string): ReadonlyArray<number | null> =>
      ["Zorvane", "Quellix", "Plutivo"].map((brand) => rank(text, brand))
    assert.deepStrictEqual(
      places("Quellix 很轻，但我把它排在第二。第一名给 Zorvane，很耐穿。第三名是 Plutivo。"),
      [1, 2, 3]
    )
    assert.deepStrictEqual(
      places("Plutivo 很轻，Quellix 便宜。我的排序是：Zorvane第一，Quellix第二，Plutivo第三。"),
      [1, 2, 3]
    )
    const korean = "신발은 크기부터 보세요. 여린결은 가벼운 브랜드라 2위로 꼽았습니다. 1위는 닥터지인데, 튼튼합니다."
    assert.deepStrictEqual([rank(korean, "닥터지"), rank(korean, "여린결")], [1, 2])
    assert.deepStrictEqual(
      places("买鞋先看大小。Plutivo 很轻。买跑鞋可以考虑 Zorvane，它的销量排名第一。").slice(0, 1),
      [2]
    )
  })
})

describe("a place in Japanese", () => {
  it("is read before a name from a numeral with 位 or 番目", () => {
    const text = "話題なのはZorvaneです。一位はQuellixで、丈夫です。二番目のPlutivoは軽いです。"
    const rank = (brand: string) => findBrand({ text, brandEntities: [] }, brand).rank
    assert.deepStrictEqual(["Quellix", "Plutivo"].map(rank), [1, 2])
  })
})

describe("a text made to be slow", () => {
  const hostile: ReadonlyArray<readonly [language: string, piece: string]> = [
    ["Chinese", "凝"],
    ["Chinese", "推荐凝斐"],
    ["Chinese", "如果凝斐，"],
    ["Japanese", "るタ"],
    ["Japanese", "のはあ"],
    ["Japanese", "なタなら、"],
    ["Chinese", "凝斐这个"],
    ["Korean", "면 가나 "],
    ["Korean", ". 가 나 다 유명한 "],
    ["Korean", "가"],
    ["Turkish", "ış Ze "],
    ["Turkish", "Zığ'"]
  ]
  for (const [language, piece] of hostile)
    it(`is read in ${language} in linear time: ${piece}`, () => {
      const time = (length: number): number => {
        const text = `bir ığş ${piece.repeat(length / piece.length)}`
        const start = performance.now()
        said(text)
        return performance.now() - start
      }
      time(4096)
      assert.isBelow(time(65_536), Math.max(400, 40 * time(4096)))
    })
})
