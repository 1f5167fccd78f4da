/**
 * The place that an answer gives a brand in words that do not count ("the best of them").
 *
 * Planted faults, each seen red here: none of these words is read; first place for a purpose, among others or in a year is taken for
 * first place overall, whether said before the name or after it; a place that each section gives one brand of its own is taken for the
 * place of both.
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const rankIn = (text: string): number | null => findBrand({ text, brandEntities: [] }, "Velmora").rank

/** Each text, after two names that come first, with the rank of the third. */
const behindTwo = (texts: ReadonlyArray<string>, opening = "Sony and Bose are close rivals. ") =>
  texts.map((text) => [text, rankIn(opening + text)])

const all = (texts: ReadonlyArray<string>, rank: number) => texts.map((text) => [text, rank])

describe("the rank", () => {
  it("is the place that words give without counting", () => {
    const first = [
      "Velmora takes the top spot.",
      "**Velmora** claims the number one spot thanks to its sound.",
      "But Velmora tops the list, for it is quiet.",
      "Velmora leads the ranking this year.",
      "In the end, Velmora came out on top.",
      "Velmora sits at the top of our list.",
      "Our number one recommendation is **Velmora**.",
      "For them, though we hesitated, the clear top pick is Velmora.",
      "Taking the top spot is Velmora.",
      "Topping the list is Velmora.",
      "At the top of the list, we have Velmora.",
      "Doch Velmora führt die Liste an.",
      "An der Spitze steht Velmora.",
      "Mais Velmora arrive en tête.",
      "En tête, on trouve Velmora.",
      "Pero Velmora encabeza la lista.",
      "Velmora lidera o ranking.",
      "Velmora guida la classifica.",
      "Velmora staat bovenaan."
    ]
    assert.deepStrictEqual(behindTwo(first), all(first, 1))
    const second = [
      "The runner-up is Velmora.",
      "I'd say Velmora is the close runner-up.",
      "In the number two spot, we have Velmora."
    ]
    assert.deepStrictEqual(behindTwo(second), all(second, 2))
    const fifth = ["Velmora rounds out the top five.", "Rounding out our top 5 is Velmora."]
    assert.deepStrictEqual(behindTwo(fifth), all(fifth, 5))
  })

  it("is not a place for one purpose, among others, or at another time", () => {
    const third = [
      "Velmora takes the top spot for comfort.",
      "Velmora tops the list of brands to avoid.",
      "Velmora was the runner-up in 2019.",
      "Velmora is the top choice among nurses.",
      "Velmora never takes the top spot.",
      "Velmora could take the top spot.",
      "For small teams, our top pick is Velmora.",
      "If price matters, Velmora comes out on top.",
      "Battery life is the top complaint about Velmora."
    ]
    assert.deepStrictEqual(behindTwo(third), all(third, 3))
  })

  it("is not a place that each section gives to a brand of its own", () => {
    assert.strictEqual(rankIn("### Budget\n\nOur top pick is Sony.\n\n### Premium\n\nOur top pick is Velmora."), 2)
    assert.strictEqual(rankIn("On price, Sony comes out on top. On comfort, Velmora comes out on top."), 2)
  })
})
