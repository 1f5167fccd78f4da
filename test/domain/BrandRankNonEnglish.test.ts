/**
 * How an answer may state a brand's place in the words of languages other than English.
 *
 * Planted faults, each seen red here:
 * - ordinals before or after a name are not read
 * - a place with its particle, or in Han numerals, is not read
 * - a place in words after "Platz" and its equivalents is not read
 * - 一、 is not read before a name, or is read before a title, or the numbered lines below it are taken for its siblings
 * - 一、 is not read before a Chinese name, is kept in the name, is taken for a name, or is read before a title or alone
 * - an unknown name is not read beside a well-known one, or the titles of sections are read as such names
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"
import { brandsIn } from "@sightline/domain/Brands"

const rankIn = (text: string, brand = "Velmora"): number | null => findBrand({ text, brandEntities: [] }, brand).rank
const named = (text: string): ReadonlyArray<string> => brandsIn({ text, brandEntities: [] })

describe("the rank in other languages", () => {
  it("is the ordinal before the name", () => {
    const second = [
      "An zweiter Stelle steht Velmora, hinter Quillon.",
      "Den zweiten Platz belegt die Velmora.",
      "En deuxième position, on trouve Velmora.",
      "En segundo lugar está Velmora, por detrás de Quillon.",
      "En el segundo puesto encontramos a Velmora.",
      "Em segundo lugar vem a Velmora, atrás da Quillon.",
      "Al secondo posto troviamo Velmora, dietro Quillon.",
      "Op de tweede plaats staat Velmora, na Quillon.",
      "Na drugim miejscu jest Velmora, za Quillon.",
      "På andra plats kommer Velmora.",
      "İkinci sırada Velmora yer alıyor.",
      "На втором месте Velmora, на первом — Quillon.",
      "في المرتبة الثانية تأتي Velmora.",
      "במקום השני נמצאת Velmora."
    ]
    for (const text of second) assert.strictEqual(rankIn(text), 2, text)
    assert.strictEqual(rankIn("Auf dem dritten Platz: **Velmora**"), 3)
    assert.strictEqual(rankIn("An zehnter Stelle steht Velmora."), 10)
  })

  it("is the ordinal after the name", () => {
    const third = [
      "Velmora belegt den dritten Platz.",
      "Velmora occupe la troisième place.",
      "Velmora ocupa el tercer lugar.",
      "A Velmora fica em terceiro lugar.",
      "Velmora si trova al terzo posto.",
      "Velmora staat op de derde plaats.",
      "Velmora zajmuje trzecie miejsce.",
      "Velmora hamnar på tredje plats.",
      "Velmora üçüncü sırada yer alıyor.",
      "Velmora занимает третье место.",
      "تحتل Velmora المركز الثالث."
    ]
    for (const text of third) assert.strictEqual(rankIn(text), 3, text)
  })

  it("is the number after a word or sign for a place", () => {
    const second = [
      "Auf Platz zwei folgt Velmora.",
      "Auf Platz 2 landet **Velmora**.",
      "Op nummer 2 staat Velmora.",
      "1位はQuillon、2位はVelmora、3位はTraskです。",
      "1위는 Quillon, 2위는 Velmora입니다.",
      "排名第二的是Velmora，第一是Quillon。",
      "Quillon很好。第2名：Velmora"
    ]
    for (const text of second) assert.strictEqual(rankIn(text), 2, text)
  })

  it("is the numeral 一、 and its successors before a name in Latin letters", () => {
    for (const text of [
      "一、Zorvane：静音\n二、Velmora：便宜\n三、Quillon：轻便",
      "一、Zorvane\n\n静音，好用。\n\n二、**Velmora**\n\n便宜。",
      "一、Zorvane\n1. 优点：静音\n2. 缺点：贵\n\n二、Velmora\n1. 优点：便宜",
      "一、主要品牌\n1. Zorvane\n2. Velmora\n二、购买建议\n1. Quillon"
    ])
      assert.strictEqual(rankIn(text), 2, text)
    assert.strictEqual(rankIn("一、主要品牌\n- Zorvane\n- Quillon\n- Velmora\n\n二、购买建议\n- 预算"), 3)
  })

  it("is the numeral 一、 and its successors before a name alone on its line, or before a well-known name", () => {
    for (const list of [
      "一、魅族\n便宜。\n\n二、**锤子**（Smartisan）\n好。\n\n三、红米：轻便",
      "## 一、魅族\n- 便宜\n\n## 二、锤子\n- 好\n\n## 三、红米",
      "推荐：一、魅族；二、锤子；三、红米"
    ])
      assert.deepStrictEqual(
        ["魅族", "锤子", "红米"].map((brand) => rankIn(list, brand)),
        [1, 2, 3],
        list
      )
    assert.deepStrictEqual(named("一、小米\n便宜。\n\n二、**华为**\n好。"), ["小米", "华为"])
    for (const list of [
      "一、锐客\n二、小米\n三、凌拓",
      "推荐：\n\n二、小米\n\n三、锐客\n\n一、凌拓",
      "一、锐客\n二、凌拓\n三、Samsung"
    ])
      assert.lengthOf(named(list), 3, list)
    for (const sections of ["一、简介\n二、优点\n三、总结", "一、简介\n好。\n二、小米\n好。\n三、总结"])
      assert.deepStrictEqual(
        named(sections).filter((name) => ["简介", "优点", "总结"].includes(name)),
        [],
        sections
      )
    assert.deepStrictEqual(named("## 一、荣耀Magic6\n## 二、小米"), ["荣耀Magic6", "小米"])
    for (const sections of [
      "一、选购要点\n看预算。\n二、小米的优点\n便宜。",
      "一、选购要点\n1. 小米\n2. 华为",
      "二、小米\n便宜。"
    ])
      assert.strictEqual(rankIn(sections, "小米"), 1, sections)
  })

  it("is not an ordinal that counts or orders something else", () => {
    const others = [
      "Am zweiten Tag testeten wir Velmora.",
      "Pour la deuxième fois, Velmora gagne.",
      "La seconda volta ho provato Velmora.",
      "En segundo lugar, Velmora ofrece soporte.",
      "Velmora perdió el segundo lugar.",
      "Die zweite Position ist frei. Velmora ist gut.",
      "第二天我们测试了Velmora。"
    ]
    for (const text of others) assert.strictEqual(rankIn(text), 1, text)
  })
})
