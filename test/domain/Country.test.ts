/**
 * Planted faults, each seen red: only upper case is accepted; lower case is refused; a code is missing; there is a code too many; what
 * is not two letters is refused twice.
 */
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { fieldIssues } from "@sightline/contract/FieldIssues"
import { Country } from "@sightline/domain/Country"

const isCountry = Schema.is(Country)

const letters = Array.from({ length: 26 }, (_, place) => String.fromCharCode(65 + place))
const pairs = letters.flatMap((first) => letters.map((second) => first + second))

/** Regions that have a name but no code of their own: withdrawn, reserved, groupings, private use. */
const uncoded = "AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB XK YD YU ZR ZZ".split(
  " "
)

describe("Country", () => {
  it("is one of the 249 codes: those of the regions that have a name, except those that are no country", () => {
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" })
    const countries = pairs.filter((pair) => names.of(pair) !== undefined && !uncoded.includes(pair))
    assert.lengthOf(countries, 249)
    assert.deepStrictEqual(pairs.filter(isCountry), countries)
  })

  it("is a code in any case", () => {
    for (const text of ["DE", "de", "De", "dE"]) assert.isTrue(isCountry(text), text)
  })

  it("is exactly two letters: neither a character that becomes a code only in upper case, nor a code with anything around it", () => {
    for (const text of [
      "ß",
      "ﬁ",
      "ﬆ",
      "ıt",
      "uſ",
      "",
      "D",
      "DEU",
      " DE",
      "DE ",
      "DE\n",
      "de-DE",
      "Ｄ Ｅ",
      "ＤＥ",
      "276"
    ])
      assert.isFalse(isCountry(text), JSON.stringify(text))
  })

  it("gives one issue for what is neither two letters nor a code", () => {
    const decoded = Schema.decodeUnknownResult(Country, { errors: "all" })("276")
    assert.deepStrictEqual(Result.isFailure(decoded) ? fieldIssues(decoded.failure.issue) : [], [
      { path: "", message: "must be an ISO 3166-1 alpha-2 code, such as GB" }
    ])
  })
})
