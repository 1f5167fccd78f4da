/**
 * The sentiment of mentions in languages other than English.
 *
 * Planted faults, each seen red here:
 * - sentences are read as English
 * - the second half of a two-part negation counts as another negation, or a negation at the end of its clause is not read
 * - "que" and "di" are read as "than" everywhere
 * - "より" does not apply to the name before it
 * - a capitalised word after "sind" is taken for a plain word
 * - English with foreign words in it is read as foreign
 * - "か？" is not read as a question, and "keine" is read as a point of a list
 * - two different unknown words are taken for the same word
 */
import { assert, describe, it } from "vitest"
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"

const about = (text: string, name: string): Sentiment => {
  const from = text.indexOf(name)
  return sentimentOf(text, [from, from + name.length])
}

/** The texts whose sentiment for Acme differs from the given one. */
const otherThan = (sentiment: Sentiment["sentiment"], texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => about(text, "Acme").sentiment !== sentiment)

describe("in a language other than English", () => {
  it("praise and blame are read in its own words", () => {
    assert.deepStrictEqual(about("Acme ist die beste Marke, aber teuer und langsam.", "Acme"), {
      sentiment: "negative",
      cues: ["beste", "teuer", "langsam"]
    })
    assert.deepStrictEqual(about("На Acme много жалоб.", "Acme"), { sentiment: "negative", cues: ["жалоб"] })
    assert.isEmpty(
      otherThan("positive", [
        "Acme funciona sin problemas.",
        "On peut dire qu’Acme fabrique des chaussures, sans défaut grave.",
        "L'assistenza di Acme è un'ottima sorpresa.",
        "Acmeは使いやすいです。",
        "Acme性价比高，值得购买。"
      ])
    )
  })

  it("a negation in two parts counts once, and also at the end of its clause", () => {
    assert.deepStrictEqual(about("Je ne recommande pas Acme.", "Acme"), {
      sentiment: "negative",
      cues: ["ne recommande"]
    })
    assert.deepStrictEqual(about("Ich empfehle Acme nicht.", "Acme"), {
      sentiment: "negative",
      cues: ["empfehle … nicht"]
    })
    assert.isEmpty(
      otherThan("negative", [
        "Acme ist nicht gut, schnell oder billig.",
        "Acme não é ideal.",
        "Ik raad Acme niet aan.",
        "Acme nie jest dobra.",
        "Acme不可靠。"
      ])
    )
    assert.isEmpty(
      otherThan("positive", [
        "Nadie se queja de Acme.",
        "Acme n'a aucun défaut.",
        "Acme ist nicht rot, immer gut.",
        "Acme ist nicht teuer.",
        "Acme不贵。"
      ])
    )
  })

  it("in a comparison, one of the two gets the opposite of the other", () => {
    for (const text of [
      "Acme ist besser als Bolt.",
      "Acme est moins chère que Bolt.",
      "Acme es mejor que Bolt.",
      "Acme è migliore di Bolt.",
      "Acme is beter dan Bolt.",
      "Acme jest lepsza niż Bolt.",
      "A Acme é melhor que a Bolt.",
      "Acme лучше, чем Bolt.",
      "Acme أفضل من Bolt.",
      "Acme比Bolt更好。",
      "BoltよりAcmeの方が優れています。",
      "Im Vergleich zu Bolt ist Acme schnell.",
      "Bolt不如Acme可靠。"
    ]) {
      assert.strictEqual(about(text, "Acme").sentiment, "positive", text)
      assert.strictEqual(about(text, "Bolt").sentiment, "negative", text)
    }
  })

  it('"als", "que" and "di" make a comparison only where something is measured', () => {
    assert.isEmpty(
      otherThan("positive", [
        "Bei Schuhen gilt als zuverlässig Acme.",
        "Je trouve que Acme est fiable.",
        "La buona qualità di Acme convince."
      ])
    )
  })

  it("a capitalised noun is not taken for a rival, but a name is", () => {
    assert.isEmpty(otherThan("negative", ["Kunden beklagen sich über den schlechten Support von Acme."]))
    assert.isEmpty(
      otherThan("neutral", ["Acme verkauft Schuhe, Bolt ist langsam.", "Acme vend des sacs, mais Bolt est cher."])
    )
  })

  it("questions, lists of names and everyday words that look like praise have no sentiment", () => {
    assert.isEmpty(
      otherThan("neutral", [
        "Ist Acme gut?",
        "Acmeは良いですか？",
        "هل Acme جيدة؟",
        "Gute Marken sind Bolt, Acme und Cora.",
        "Der Vertrag mit Acme besteht aus drei Teilen.",
        "Acme ofrece seguros de coche."
      ])
    )
  })

  it("foreign words in an English sentence have no sentiment", () => {
    assert.isEmpty(
      otherThan("positive", [
        "Acme sells the Casa Buena Mala line, and it is reliable.",
        "Acme has great à la carte pricing."
      ])
    )
    assert.isEmpty(otherThan("negative", ["I wouldn't recommend Acme to anyone."]))
  })

  it("points take the sentiment of their heading, and a list without points has none", () => {
    assert.isEmpty(
      otherThan("positive", [
        "**Acme**\nVorteile: leicht, robust\nNachteile: laut",
        "**Acme**\nメリット：静か\nデメリット：特になし",
        "| Marke | Vorteile | Nachteile |\n|---|---|---|\n| Acme | Kamera | keine |"
      ])
    )
    assert.isEmpty(otherThan("negative", ["**Acme**\nAvantages : USB-C\nInconvénients : lourd, pas de chargeur"]))
  })
})
